//! `pattern` in a schema, where it needs an engine (feature `pattern`).
//!
//! Generated code states each pattern twice: as the schema has it, in the syntax of ECMA-262, and as the engine reads
//! it. So nothing here knows ECMA-262. An expression is compiled when it is first asked, and once.

mod provided;

use std::sync::OnceLock;

pub(crate) use self::provided::Provided;
use crate::json::Matcher;

/// A pattern whose time is linear in the text.
///
/// ```
/// use mcp_runtime::json::Matcher;
/// use mcp_runtime::codegen::Pattern;
///
/// static WORDS: Pattern = Pattern::new(r"^\w+(,\w+)*$", "^[0-9A-Z_a-z]+(?:,[0-9A-Z_a-z]+)*$");
/// assert!(WORDS.is_match("a,b") && !WORDS.is_match("a,"));
/// ```
#[derive(Debug)]
pub struct Pattern {
    source: &'static str,
    expression: &'static str,
    engine: OnceLock<Option<regex::Regex>>,
}

/// A pattern with lookaround or backreferences, for which an engine has to track back. It gives up after a million
/// steps, and what it gave up on does not match.
#[derive(Debug)]
pub struct BacktrackingPattern {
    source: &'static str,
    expression: &'static str,
    engine: OnceLock<Option<fancy_regex::Regex>>,
}

/// The most memory of a compiled expression. The generator cannot know which one needs more; such a one matches nothing.
const MOST_BYTES: usize = 64 << 20;

impl Pattern {
    /// The pattern `source`, as the crate `regex` reads it.
    #[must_use]
    pub const fn new(source: &'static str, expression: &'static str) -> Self {
        Self { source, expression, engine: OnceLock::new() }
    }
}

impl Matcher for Pattern {
    fn source(&self) -> &'static str {
        self.source
    }

    fn is_match(&self, text: &str) -> bool {
        let compile = || regex::RegexBuilder::new(self.expression).size_limit(MOST_BYTES).build().ok();
        self.engine.get_or_init(compile).as_ref().is_some_and(|engine| engine.is_match(text))
    }
}

impl BacktrackingPattern {
    /// The pattern `source`, as the crate `fancy-regex` reads it.
    #[must_use]
    pub const fn new(source: &'static str, expression: &'static str) -> Self {
        Self { source, expression, engine: OnceLock::new() }
    }
}

impl Matcher for BacktrackingPattern {
    fn source(&self) -> &'static str {
        self.source
    }

    fn is_match(&self, text: &str) -> bool {
        let compile = || fancy_regex::Regex::new(self.expression).ok();
        let engine = self.engine.get_or_init(compile).as_ref();
        engine.and_then(|engine| engine.is_match(text).ok()).unwrap_or(false)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_group_that_took_no_part_is_empty() {
        static PATTERN: BacktrackingPattern = BacktrackingPattern::new(r"^(a)?\1$", r"^(a)?(?(1)\1|)$");
        assert!(PATTERN.is_match("") && PATTERN.is_match("aa") && !PATTERN.is_match("a"));
    }

    #[test]
    fn what_takes_too_many_steps_does_not_match() {
        static PATTERN: BacktrackingPattern = BacktrackingPattern::new(r"^(?=(a+)+$)\1", r"^(?=(a+)+$)(?(1)\1|)");
        assert!(!PATTERN.is_match(&format!("{}!", "a".repeat(64))));
    }
}
