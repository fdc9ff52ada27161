//! The slow, complete road: why arguments were refused, and whether the slip can be mended.
//!
//! Good arguments never come here. The reader of generated code stops at the first fault and says little; then [`judge`]
//! reads schema and arguments again, as data, and names every fault with its place, what was expected, what came and
//! what was probably meant, in words that a model can act on. With repair on it also looks for the one reading of the
//! arguments that the schema accepts.
//!
//! ```
//! use mcp_runtime::validate::{Options, judge};
//!
//! let schema = r#"{
//!     "type": "object",
//!     "properties": { "city": { "type": "string" }, "days": { "type": "integer", "minimum": 1 } },
//!     "required": ["city"],
//!     "additionalProperties": false
//! }"#;
//!
//! let judgement = judge(schema, r#"{"town": "Oslo", "days": 0}"#, &Options::default());
//! assert_eq!(
//!     judgement.explain("get_weather"),
//!     "invalid arguments for `get_weather`:\n\
//!      - /town: unknown argument; allowed: `city`, `days`\n\
//!      - /days: expected a number that is at least 1, got 0\n\
//!      - /city: missing; send a string"
//! );
//!
//! let judgement = judge(schema, r#"{"city": "Oslo", "days": "3"}"#, &Options { repair: true, ..Options::default() });
//! assert_eq!(judgement.repaired.unwrap().arguments, r#"{"city":"Oslo","days":3}"#);
//! ```

mod arguments;
mod check;
mod describe;
mod explain;
mod fault;
mod format;
mod keywords;
mod known;
mod pattern;
mod repair;
mod schemas;
mod spot;
mod suggest;
#[cfg(test)]
mod tests;
mod types;
mod union;

pub use self::fault::Fault;
pub(crate) use self::known::KnownSchemas;
pub use self::pattern::Patterns;
pub use self::repair::Repair;

use self::arguments::Given;
use self::check::Checker;
use self::fault::Report;
use self::schemas::Schemas;
pub(crate) use self::suggest::nearest_name;
use crate::json::Tree;

/// How to judge.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options<'a> {
    /// Places whose values are never shown, as JSON Pointers into the schema: `/properties/token`.
    pub secrets: &'a [&'a str],
    /// Whether to look for what was meant.
    pub repair: bool,
    /// Who knows regular expressions and formats. Without, `pattern` and `patternProperties` judge only the plainest ones,
    /// and `format` none.
    pub patterns: Option<&'a dyn Patterns>,
}

/// What is wrong with arguments, and what they would be without the slip.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Judgement {
    /// The first ten faults, in the order of the arguments. Empty if the schema accepts the arguments: then it is the
    /// Rust type that refused them, and only the reader knows why.
    pub faults: Vec<Fault>,
    /// How many faults there are beyond those.
    pub omitted: usize,
    /// The arguments as they were meant, if the schema accepts those and leaves one reading.
    pub repaired: Option<Repaired>,
}

/// Arguments that have been mended.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Repaired {
    /// The arguments as JSON text.
    pub arguments: String,
    /// What was done.
    pub repairs: Vec<Repair>,
}

/// Judges the text of a call's arguments by the text of a tool's `inputSchema`. An empty text is a call without
/// arguments, which is the same as `{}`.
///
/// A schema that is not JSON refuses nothing.
#[must_use]
pub fn judge(schema: &str, arguments: &str, options: &Options<'_>) -> Judgement {
    match Tree::parse(schema) {
        Ok(schema) => judge_by(&schema, arguments, options),
        Err(_) => Judgement::from(Report::default()),
    }
}

/// Judges by a schema that has been read.
pub(crate) fn judge_by(schema: &Tree<'_>, arguments: &str, options: &Options<'_>) -> Judgement {
    let given = match Given::read(arguments, options.repair) {
        Ok(given) => given,
        Err(fault) => return Judgement::from(Report::from(fault)),
    };
    let schemas = Schemas::new(schema);
    let mut checker = Checker::new(&schemas, options, arguments.len());
    let report = checker.judge(&given.tree);
    let has_cause = !report.is_empty() || !given.repairs.is_empty();
    if !options.repair || !has_cause || checker.is_exhausted() {
        return Judgement::from(report);
    }
    let mended = repair::repair(checker, &given);
    if mended.repairs.is_empty() {
        return Judgement::from(report);
    }
    let remaining = Checker::new(&schemas, options, arguments.len()).judge(&mended.tree);
    if remaining.is_empty() {
        let arguments = mended.tree.to_text();
        return Judgement { repaired: Some(Repaired { arguments, repairs: mended.repairs }), ..report.into() };
    }
    // what repair would mend at the next try need not be said
    Judgement::from(if remaining.total() < report.total() { remaining } else { report })
}

impl Judgement {
    /// The faults as the text that a model reads: one line for each, at most about 2 KB.
    #[must_use]
    pub fn explain(&self, tool: &str) -> String {
        explain::explain(tool, &self.faults, self.omitted)
    }
}

impl From<Report> for Judgement {
    fn from(report: Report) -> Self {
        let omitted = report.total() - report.faults.len();
        Self { faults: report.faults, omitted, repaired: None }
    }
}
