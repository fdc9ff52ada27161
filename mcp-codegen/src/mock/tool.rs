//! What a tool answers: the output of an example, or a value of its output schema.

use mcp_runtime::codegen;
use mcp_runtime::json::{Matcher, Verbatim};
use mcp_runtime::validate::{self, Options};
use mcp_runtime::{ToolError, ToolResponse};

use super::catalog::text;
use super::examples::{self, Example, as_text, defaults, nearest, parsed};
use crate::breaking;
use crate::contract;
use crate::diagnostic::Diagnostics;
use crate::document::Node;
use crate::schema;

/// A tool with its answers.
#[derive(Debug)]
pub(super) struct Tool {
    pub(super) constants: &'static codegen::Tool,
    /// Whether results are structured.
    pub(super) is_structured: bool,
    /// The outputs as JSON text where they are structured, else as the text to answer.
    examples: Vec<Example<&'static str>>,
    /// An output that nobody wrote.
    made: Option<&'static str>,
    defaults: Vec<(String, Node)>,
}

/// An output, and where it comes from.
pub(super) type Answer = (&'static str, String);

impl Tool {
    pub(super) fn new(written: &contract::Tool, constants: &'static codegen::Tool) -> Self {
        let input = schema::settle(&written.input.wire, &mut Diagnostics::default());
        let judge = Judge::of(written, constants);
        let is_structured = written.output.is_some();
        let output = |node: &Node| {
            if is_structured {
                return Some(node.to_json()).filter(|json| judge.accepts(json)).map(|json| text(&json));
            }
            Some(text(&as_text(node)))
        };
        let examples = examples::read(&written.examples, output);
        let made = written.output.as_ref().filter(|_| examples.is_empty()).and_then(|output| judge.made(&output.wire));
        Self { constants, is_structured, examples, made, defaults: defaults(&input) }
    }

    /// What to answer to arguments that the schema accepts.
    ///
    /// # Errors
    ///
    /// Says that nothing could be made up that the output schema accepts.
    pub(super) fn answer(&self, arguments: &str) -> Result<Answer, ToolError> {
        if let Some((output, label)) = nearest(&self.examples, &parsed(arguments), &self.defaults) {
            return Ok((output, label));
        }
        let name = self.constants.name;
        match self.made {
            Some(made) => Ok((made, "generated".to_owned())),
            None if self.is_structured => Err(ToolError::internal(format!(
                "this is a mock: it has no output that the schema of `{name}` accepts; give the contract an example of one"
            ))),
            None => Ok((
                text(&format!("This is a mock of `{name}`. The contract has no example with an output.")),
                "generated".to_owned(),
            )),
        }
    }

    /// The answer of a tool whose results are structured.
    pub(super) fn structured(&self, arguments: &str) -> Result<(Verbatim, String), ToolError> {
        self.answer(arguments).map(|(output, label)| (Verbatim(output), label))
    }

    /// The answer of any other tool.
    pub(super) fn response(&self, arguments: &str) -> Result<(ToolResponse, String), ToolError> {
        self.answer(arguments).map(|(output, label)| (ToolResponse::text(output), label))
    }
}

/// Decides as the server would.
struct Judge {
    schema: &'static str,
    patterns: &'static [&'static dyn Matcher],
}

impl Judge {
    fn of(written: &contract::Tool, constants: &'static codegen::Tool) -> Self {
        let stated = || written.output.as_ref().map_or("true", |output| text(&output.wire.to_json()));
        Self { schema: constants.output_schema.unwrap_or_else(stated), patterns: constants.patterns }
    }

    fn accepts(&self, json: &str) -> bool {
        let options = Options { patterns: Some(&self.patterns), ..Options::default() };
        validate::judge(self.schema, json, &options).faults.is_empty()
    }

    /// A value that the schema accepts: as a person would write it, or any that can be found.
    fn made(&self, written: &Node) -> Option<&'static str> {
        let settled = schema::settle(written, &mut Diagnostics::default());
        let mut proposals = schema::samples(&settled).into_iter().map(|value| value.to_json());
        let found = proposals.find(|json| self.accepts(json));
        let more =
            || breaking::proposals(&settled).into_iter().map(|value| value.to_json()).find(|json| self.accepts(json));
        found.or_else(more).map(|json| text(&json))
    }
}
