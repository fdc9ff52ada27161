//! One thing that is wrong, and a bounded list of them.

use std::fmt;

/// One thing that is wrong with arguments. Its `Display` is the line that a model reads.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Fault {
    /// Where, as a JSON Pointer into the arguments; empty for the arguments themselves.
    pub pointer: String,
    /// What is wrong, if it is not the value: `missing`, `unknown argument`.
    pub problem: Option<&'static str>,
    /// What the schema asks for.
    pub expected: Option<String>,
    /// What came, shortened; `(hidden)` at a secret place.
    pub found: Option<String>,
    /// What was probably meant.
    pub suggestion: Option<String>,
}

impl Fault {
    pub(super) fn mismatch(pointer: String, expected: impl Into<String>, found: impl Into<String>) -> Self {
        let (expected, found) = (Some(expected.into()), Some(found.into()));
        Self { pointer, problem: None, expected, found, suggestion: None }
    }

    pub(super) fn problem(pointer: String, problem: &'static str) -> Self {
        Self { pointer, problem: Some(problem), expected: None, found: None, suggestion: None }
    }

    /// What is to be done, where neither a value nor a name is wrong by itself.
    pub(super) fn demand(pointer: String, demand: String) -> Self {
        Self { pointer, problem: None, expected: Some(demand), found: None, suggestion: None }
    }

    pub(super) fn expecting(self, expected: String) -> Self {
        Self { expected: Some(expected), ..self }
    }

    pub(super) fn found_as(self, found: String) -> Self {
        Self { found: Some(found), ..self }
    }

    pub(super) fn suggesting(self, suggestion: Option<String>) -> Self {
        Self { suggestion, ..self }
    }

    /// Takes away all that could show what stands at a secret place.
    pub(super) fn hide(&mut self) {
        if self.found.is_some() {
            self.found = Some("(hidden)".to_owned());
            self.suggestion = None;
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = if self.pointer.is_empty() { "arguments" } else { &self.pointer };
        write!(f, "{place}: ")?;
        match (self.problem, &self.expected, &self.found) {
            (None, Some(expected), Some(found)) => write!(f, "expected {expected}, got {found}")?,
            (Some(problem), Some(expected), _) => write!(f, "{problem}; {expected}")?,
            (Some(problem), None, _) => f.write_str(problem)?,
            (None, expected, found) => f.write_str(expected.as_deref().or(found.as_deref()).unwrap_or("invalid"))?,
        }
        match &self.suggestion {
            Some(suggestion) => write!(f, "; did you mean {suggestion}?"),
            None => Ok(()),
        }
    }
}

/// As many faults as are shown, and the number of all.
#[derive(Debug, Default)]
pub(super) struct Report {
    pub(super) faults: Vec<Fault>,
    omitted: usize,
    /// Whether faults are only counted.
    counts: bool,
}

/// A model that has this many mistakes to correct will not profit from more.
const SHOWN: usize = 10;

impl Report {
    /// A report that counts faults and makes none.
    pub(super) fn counting() -> Self {
        Self { counts: true, ..Self::default() }
    }

    /// Adds a fault, which is made only if it will be shown.
    pub(super) fn add(&mut self, fault: impl FnOnce() -> Fault) {
        if self.faults.len() < SHOWN && !self.counts {
            self.faults.push(fault());
        } else {
            self.omitted += 1;
        }
    }

    pub(super) fn absorb(&mut self, other: Self) {
        self.omitted += other.omitted;
        for fault in other.faults {
            self.add(|| fault);
        }
    }

    pub(super) fn total(&self) -> usize {
        self.faults.len() + self.omitted
    }

    pub(super) fn is_empty(&self) -> bool {
        self.total() == 0
    }
}

impl From<Fault> for Report {
    fn from(fault: Fault) -> Self {
        Self { faults: vec![fault], ..Self::default() }
    }
}
