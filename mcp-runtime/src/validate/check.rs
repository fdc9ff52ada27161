//! The walk over schema and value together.

use super::Options;
use super::fault::{Fault, Report};
use super::keywords;
use super::schemas::{Schemas, lookup};
use super::spot::Spot;
use crate::json::{Object, Tree};

/// Checks values by one schema document, and remembers on its way which places are secret.
pub(super) struct Checker<'s, 'o> {
    pub(super) schemas: &'o Schemas<'s>,
    pub(super) options: &'o Options<'o>,
    /// Whether numbers must also fit the Rust types that carry them.
    pub(super) fits: bool,
    secrets: Secrets<'s>,
    depth: u16,
    steps_left: u64,
}

struct Secrets<'s> {
    /// Schemas whose values are secret as a whole.
    schemas: Vec<&'s Tree<'s>>,
    /// Schemas around them: a text sent in place of their value can hold the secret.
    around: Vec<&'s Tree<'s>>,
    /// Pointers to secret values.
    below: Vec<String>,
    /// Pointers to values that are not to be shown themselves.
    at: Vec<String>,
}

/// Schemas inside schemas, references counted. Arguments end at 128 levels.
const MAX_DEPTH: u16 = 400;

/// A schema whose alternatives nest can ask for exponential work. Honest work grows with the arguments.
const STEPS: u64 = 200_000;

/// The steps that each byte of the arguments' text adds.
const STEPS_PER_BYTE: u64 = 16;

impl<'s, 'o> Checker<'s, 'o> {
    /// A checker that may work as hard as arguments of this many bytes deserve.
    pub(super) fn new(schemas: &'o Schemas<'s>, options: &'o Options<'o>, size: usize) -> Self {
        let mut secrets = Secrets { schemas: Vec::new(), around: Vec::new(), below: Vec::new(), at: Vec::new() };
        for pointer in options.secrets {
            let mut passed = lookup(schemas.root, pointer);
            secrets.schemas.extend(passed.pop());
            secrets.around.extend(passed);
        }
        let steps_left = STEPS + STEPS_PER_BYTE * size as u64;
        Self { schemas, options, fits: false, secrets, depth: 0, steps_left }
    }

    /// Judges whole arguments. Where the schema has nothing to say, the numbers' sizes have.
    pub(super) fn judge(&mut self, arguments: &Tree<'_>) -> Report {
        let spot = Spot::root(arguments);
        let mut report = Report::default();
        find_duplicates(&spot, &mut report);
        self.check(self.schemas.root, &spot, &mut report);
        if report.is_empty() {
            self.fits = true;
            self.check(self.schemas.root, &spot, &mut report);
        }
        if self.is_exhausted() {
            return Fault::problem(String::new(), "too deep or too intricate to be checked").into();
        }
        for fault in &mut report.faults {
            if self.secrets.covers(&fault.pointer) {
                fault.hide();
            }
        }
        report
    }

    /// Checks one value by one schema.
    pub(super) fn check(&mut self, schema: &'s Tree<'s>, spot: &Spot<'_>, report: &mut Report) {
        self.secrets.note(schema, spot);
        let keywords = match schema {
            Tree::Object(keywords) => keywords,
            Tree::Bool(false) => return report.add(|| spot.mismatch("no value")),
            _ => return,
        };
        if self.is_exhausted() {
            return;
        }
        self.steps_left -= 1;
        self.depth += 1;
        if let Some(target) = self.schemas.reference(keywords) {
            self.check(target, spot, report);
        }
        if !self.schemas.is_only_reference(keywords) {
            self.check_keywords(keywords, spot, report);
        }
        if self.depth < MAX_DEPTH {
            self.depth -= 1;
        }
    }

    /// Whether a value fits a schema, with no report.
    pub(super) fn accepts(&mut self, schema: &'s Tree<'s>, spot: &Spot<'_>) -> bool {
        let mut report = Report::counting();
        self.check(schema, spot, &mut report);
        report.is_empty()
    }

    /// A report of its own.
    pub(super) fn try_check(&mut self, schema: &'s Tree<'s>, spot: &Spot<'_>) -> Report {
        let mut report = Report::default();
        self.check(schema, spot, &mut report);
        report
    }

    /// Whether the walk was given up. The depth then stays at its bound, so that nothing more is entered.
    pub(super) fn is_exhausted(&self) -> bool {
        self.depth >= MAX_DEPTH || self.steps_left == 0
    }

    fn check_keywords(&mut self, keywords: &'s Object<'s>, spot: &Spot<'_>, report: &mut Report) {
        let is_one = keywords::value::check(keywords, spot, report);
        if is_one {
            keywords::value::check_type(keywords, (spot, self.schemas.type_of(spot.value)), report);
        }
        self.check_string(keywords, spot, report);
        self.check_number(keywords, spot, report);
        self.check_array(keywords, spot, report);
        self.check_object(keywords, spot, report);
        self.check_combinators(keywords, spot, report);
        self.check_unevaluated(keywords, spot, report);
    }
}

impl<'s> Secrets<'s> {
    fn note(&mut self, schema: &'s Tree<'s>, spot: &Spot<'_>) {
        if self.schemas.iter().any(|secret| std::ptr::eq(*secret, schema)) {
            self.below.push(spot.pointer());
        }
        if self.around.iter().any(|around| std::ptr::eq(*around, schema)) {
            self.at.push(spot.pointer());
        }
    }

    fn covers(&self, pointer: &str) -> bool {
        let is_below = |secret: &String| {
            pointer.strip_prefix(secret.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        self.below.iter().any(is_below) || self.at.iter().any(|place| place == pointer)
    }
}

/// Two readers could take two different values for the arguments' meaning.
fn find_duplicates(spot: &Spot<'_>, report: &mut Report) {
    match spot.value {
        Tree::Object(members) => {
            for key in members.duplicates() {
                report.add(|| Fault::problem(spot.pointer_to(key), "given twice; send it once"));
            }
            for (key, value) in members.iter() {
                find_duplicates(&spot.member(key, value), report);
            }
        }
        Tree::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                find_duplicates(&spot.item(index, item), report);
            }
        }
        Tree::Null | Tree::Bool(_) | Tree::Number(_) | Tree::String(_) => {}
    }
}
