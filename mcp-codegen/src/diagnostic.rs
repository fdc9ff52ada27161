//! What is wrong with a contract, and the sink that collects all of it.

pub mod code;
mod excerpt;
#[cfg(feature = "cli")]
pub mod explanation;
mod render;
#[cfg(feature = "cli")]
mod sarif;

pub use self::code::Code;
pub use self::render::Format;
use crate::source::Span;

/// One fault or warning: what, where, and what to write instead.
///
/// Words are lower case without a full stop, the offending text stands in backticks, what was found before what was
/// expected; `help` proposes an edit.
#[derive(Clone, Debug)]
#[must_use]
pub struct Diagnostic {
    pub(crate) code: Code,
    pub(crate) severity: Severity,
    pub(crate) message: String,
    pub(crate) primary: Label,
    pub(crate) secondary: Vec<Label>,
    pub(crate) help: Option<String>,
}

/// A place and a word about it; the text may be empty.
#[derive(Clone, Debug)]
pub(crate) struct Label {
    pub(crate) span: Span,
    pub(crate) text: String,
}

/// Whether generation can go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Severity {
    /// Generation stops at the end of the stage.
    Error,
    /// Harmless, but probably not meant.
    Warning,
    /// Worth knowing; nothing is wrong.
    Note,
}

/// All that was found in one run. Each stage adds to it and goes on as far as it can; code is emitted only without errors.
#[derive(Clone, Debug, Default)]
pub struct Diagnostics {
    list: Vec<Diagnostic>,
}

impl Diagnostic {
    /// Starts an error at `span`.
    pub fn error(code: Code, span: Span, message: impl Into<String>) -> Self {
        Self::new(code, Severity::Error, span, message.into())
    }

    /// Starts a warning at `span`.
    pub fn warning(code: Code, span: Span, message: impl Into<String>) -> Self {
        Self::new(code, Severity::Warning, span, message.into())
    }

    pub(crate) fn new(code: Code, severity: Severity, span: Span, message: String) -> Self {
        let primary = Label { span, text: String::new() };
        Self { code, severity, message, primary, secondary: Vec::new(), help: None }
    }

    /// Says something beside the underlined text.
    pub fn label(mut self, text: impl Into<String>) -> Self {
        self.primary.text = text.into();
        self
    }

    /// Points at a second place.
    pub fn also(mut self, span: Span, text: impl Into<String>) -> Self {
        self.secondary.push(Label { span, text: text.into() });
        self
    }

    /// Proposes what to write instead.
    pub fn help(mut self, text: impl Into<String>) -> Self {
        self.help = Some(text.into());
        self
    }

    /// Whether this stops generation.
    #[must_use]
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }

    /// How it weighs.
    #[must_use]
    pub fn severity(&self) -> Severity {
        self.severity
    }

    /// The rule that was broken.
    #[must_use]
    pub fn code(&self) -> Code {
        self.code
    }

    /// One sentence: what is wrong.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.message
    }

    /// Where it is wrong.
    #[must_use]
    pub fn span(&self) -> Span {
        self.primary.span
    }
}

impl Diagnostics {
    /// Adds one finding.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        self.list.push(diagnostic);
    }

    /// Adds all findings of another sink.
    pub fn extend(&mut self, other: Self) {
        self.list.extend(other.list);
    }

    /// What was added since another sink was like this one.
    pub(crate) fn since(mut self, before: &Self) -> Self {
        Self { list: self.list.split_off(before.list.len().min(self.list.len())) }
    }

    /// Adds all findings of another sink, each with a second place that says what it is part of.
    pub(crate) fn extend_within(&mut self, other: Self, place: Span, text: &str) {
        self.list.extend(other.list.into_iter().map(|finding| {
            let apart = finding.primary.span.file == place.file && finding.primary.span != place;
            if apart && finding.secondary.is_empty() { finding.also(place, text) } else { finding }
        }));
    }

    /// Keeps the findings that `keep` agrees to, and says how many have gone.
    pub fn retain(&mut self, keep: impl FnMut(&Diagnostic) -> bool) -> usize {
        let before = self.list.len();
        self.list.retain(keep);
        before - self.list.len()
    }

    /// All findings, in source order, errors and warnings mixed. What two stages both noticed stands once.
    #[must_use]
    pub fn sorted(&self) -> Vec<&Diagnostic> {
        let mut list: Vec<_> = self.list.iter().collect();
        list.sort_by_key(|d| (d.primary.span, d.code));
        list.dedup_by(|b, a| (a.primary.span, a.code, &a.message) == (b.primary.span, b.code, &b.message));
        list
    }

    /// Whether an earlier stage said at this place that the rule is broken: a later one has no news then.
    pub(crate) fn has(&self, code: Code, span: Span) -> bool {
        self.list.iter().any(|finding| finding.code == code && finding.primary.span == span)
    }

    /// The same of a place and all that stands in it.
    pub(crate) fn has_inside(&self, code: Code, span: Span) -> bool {
        self.list.iter().any(|finding| finding.code == code && span.holds(finding.primary.span))
    }

    /// Whether generation must stop.
    #[must_use]
    pub fn has_errors(&self) -> bool {
        self.list.iter().any(Diagnostic::is_error)
    }

    /// Whether something was found that is not right, even if it stops nothing.
    #[must_use]
    pub fn has_warnings(&self) -> bool {
        self.list.iter().any(|finding| finding.severity == Severity::Warning)
    }

    /// Whether nothing was found.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }
}
