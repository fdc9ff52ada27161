//! What a contract costs a model: clients put all of it before the first question.

use crate::contract::{Contract, Tool};
use crate::diagnostic::{Code, Diagnostic, Severity};
use crate::source::Span;

const TOKENS: Code = Code::named("tokens", "what a tool costs a model");

/// About how many tokens a contract takes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Tokens {
    /// Each tool, in the contract's order.
    pub tools: Vec<Cost>,
    /// The server's instructions.
    pub instructions: usize,
}

/// About how many tokens one tool takes: its name, description and arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Cost {
    /// The tool.
    pub name: String,
    /// Where it is named.
    pub span: Span,
    /// How many.
    pub tokens: usize,
}

impl Tokens {
    /// All together.
    #[must_use]
    pub fn total(&self) -> usize {
        self.instructions + self.tools.iter().map(|tool| tool.tokens).sum::<usize>()
    }

    /// The same as findings, at the names of the tools.
    #[must_use]
    pub fn notes(&self) -> Vec<Diagnostic> {
        let note = |tool: &Cost| {
            let message = format!("`{}` takes about {} tokens of {}", tool.name, tool.tokens, self.total());
            Diagnostic::new(TOKENS, Severity::Note, tool.span, message)
        };
        self.tools.iter().map(note).collect()
    }

    /// The dearest tool.
    #[must_use]
    pub fn most(&self) -> Option<&Cost> {
        self.tools.iter().max_by_key(|tool| tool.tokens)
    }
}

pub(super) fn of(contract: &Contract) -> Tokens {
    let tools = contract.tools.iter().map(|tool| Cost {
        name: tool.common.name.value.clone(),
        span: tool.common.name.span,
        tokens: of_bytes(bytes(tool)),
    });
    let instructions = contract.server.instructions.as_ref().map_or(0, |text| of_bytes(text.value.len()));
    Tokens { tools: tools.collect(), instructions }
}

fn bytes(tool: &Tool) -> usize {
    let description = tool.common.description.as_ref().map_or(0, |text| text.value.len());
    tool.common.name.value.len() + description + tool.input.wire.to_json().len()
}

/// Nine bytes are two tokens: of 3,119 tools of published servers, 95 in 100 come within 17% of what the vocabulary
/// `o200k` makes of them, and all together within 1%.
pub(super) const fn of_bytes(bytes: usize) -> usize {
    (bytes * 2).div_ceil(9)
}
