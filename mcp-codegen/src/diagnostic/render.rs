//! Findings as text with an excerpt for people, and as one JSON object a line for programs.

use std::ops::Range;

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet, renderer::DecorStyle};
use serde_json::json;

use crate::diagnostic::{Diagnostic, Diagnostics, Label, Severity};
use crate::source::{Sources, Span};

/// How findings are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Format {
    /// Excerpts, without color.
    Plain,
    /// Excerpts, in the colors of a terminal.
    Styled,
    /// One JSON object a line.
    Json,
}

impl Diagnostics {
    /// Writes all findings in source order; the text ends with a newline unless there is none.
    #[must_use]
    pub fn render(&self, sources: &Sources, format: Format) -> String {
        let mut out = String::new();
        for diagnostic in self.sorted() {
            out.push_str(&diagnostic.render(sources, format));
            out.push('\n');
            if format != Format::Json {
                out.push('\n');
            }
        }
        out
    }
}

impl Diagnostic {
    /// Writes this finding alone, without a newline at its end.
    #[must_use]
    pub fn render(&self, sources: &Sources, format: Format) -> String {
        match format {
            Format::Plain => self.excerpt(sources, Renderer::plain()),
            Format::Styled => self.excerpt(sources, Renderer::styled()),
            Format::Json => self.json(sources).to_string(),
        }
    }

    /// Writes place, message and code on one line.
    #[must_use]
    pub fn headline(&self, sources: &Sources) -> String {
        let file = sources.file(self.primary.span.file);
        let (line, column) = position(&file.text, within(&file.text, self.primary.span).start);
        format!("{}:{line}:{column}: {} [{}]", file.shown(), self.message, self.code.with(self.severity))
    }

    fn excerpt(&self, sources: &Sources, renderer: Renderer) -> String {
        let level = match self.severity {
            Severity::Error => Level::ERROR,
            Severity::Warning => Level::WARNING,
        };
        let code = self.code.with(self.severity);
        let title = level.primary_title(self.message.as_str()).id(code);
        let mut report = vec![title.elements(self.snippets(sources))];
        if let Some(help) = &self.help {
            report.push(Group::with_title(Level::HELP.secondary_title(help.as_str())));
        }
        renderer.decor_style(DecorStyle::Ascii).render(&report)
    }

    /// One snippet for each file, the primary label's first.
    fn snippets<'a>(&'a self, sources: &'a Sources) -> Vec<Snippet<'a, annotate_snippets::Annotation<'a>>> {
        let labels = || {
            let secondary = self.secondary.iter().map(|label| (AnnotationKind::Context, label));
            std::iter::once((AnnotationKind::Primary, &self.primary)).chain(secondary)
        };
        let mut files = Vec::new();
        for (_, label) in labels() {
            if !files.contains(&label.span.file) {
                files.push(label.span.file);
            }
        }
        let snippet = |file| {
            let source = sources.file(file);
            let here = || labels().filter(|(_, label)| label.span.file == file);
            let window = window(&source.text, here().map(|(_, label)| within(&source.text, label.span)));
            let annotations = here().map(|(kind, label)| {
                let range = within(&source.text, label.span);
                let annotation = kind.span(range.start - window.start..range.end - window.start);
                if label.text.is_empty() { annotation } else { annotation.label(label.text.as_str()) }
            });
            let (line, _) = position(&source.text, window.start);
            let excerpt = Snippet::source(&source.text[window.clone()]).line_start(line);
            excerpt.path(source.shown()).annotations(annotations)
        };
        files.into_iter().map(snippet).collect()
    }

    /// The finding for programs: lines and columns count from one, columns in characters.
    fn json(&self, sources: &Sources) -> serde_json::Value {
        let place = |label: &Label| {
            let file = sources.file(label.span.file);
            let range = within(&file.text, label.span);
            let (line, column) = position(&file.text, range.start);
            let (end_line, end_column) = position(&file.text, range.end);
            json!({
                "file": file.shown(), "line": line, "column": column, "endLine": end_line, "endColumn": end_column,
                "label": label.text,
            })
        };
        let severity = match self.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        };
        let mut object = json!({
            "code": self.code.with(self.severity), "severity": severity, "message": self.message, "help": self.help,
            "labels": self.secondary.iter().map(place).collect::<Vec<_>>(),
        });
        if let (Some(object), serde_json::Value::Object(place)) = (object.as_object_mut(), place(&self.primary)) {
            object.extend(place);
        }
        object
    }
}

/// The lines that hold all `ranges`: a renderer that is given the whole of a long text looks at all of it.
fn window(text: &str, ranges: impl Iterator<Item = Range<usize>>) -> Range<usize> {
    let (start, end) = ranges.fold((text.len(), 0), |(start, end), range| (start.min(range.start), end.max(range.end)));
    let line_start = text[..start].rfind('\n').map_or(0, |newline| newline + 1);
    let line_end = text[end.max(start)..].find('\n').map_or(text.len(), |newline| end.max(start) + newline);
    line_start..line_end
}

/// The span's bytes, cut to the text and to whole characters.
fn within(text: &str, span: Span) -> Range<usize> {
    let floor = |offset: u32| {
        let offset = (offset as usize).min(text.len());
        (0..=offset).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
    };
    let end = floor(span.end);
    floor(span.start).min(end)..end
}

/// Line and column of a byte, both from one.
fn position(text: &str, offset: usize) -> (usize, usize) {
    let before = &text[..offset];
    let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
    (before.matches('\n').count() + 1, before[line_start..].chars().count() + 1)
}
