//! Findings as text with an excerpt for people, and as one JSON object a line for programs.

use annotate_snippets::{Group, Level, Renderer, renderer::DecorStyle};
use serde_json::json;

use crate::diagnostic::excerpt::{excerpts, within};
use crate::diagnostic::{Diagnostic, Diagnostics, Label, Severity};
use crate::source::Sources;

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
        if !sources.has(self.primary.span) {
            return format!("{} [{}]", self.message, self.code.with(self.severity));
        }
        let file = sources.file(self.primary.span.file);
        let (line, column) = sources.position(self.primary.span.file, within(&file.text, self.primary.span).start);
        format!("{}:{line}:{column}: {} [{}]", file.shown(), self.message, self.code.with(self.severity))
    }

    fn excerpt(&self, sources: &Sources, renderer: Renderer) -> String {
        let level = match self.severity {
            Severity::Error => Level::ERROR,
            Severity::Warning => Level::WARNING,
            Severity::Note => Level::NOTE,
        };
        let code = self.code.with(self.severity);
        let title = level.primary_title(self.message.as_str()).id(code);
        let mut report = vec![title.elements(excerpts(self, sources))];
        if let Some(help) = &self.help {
            report.push(Group::with_title(Level::HELP.secondary_title(help.as_str())));
        }
        renderer.decor_style(DecorStyle::Ascii).render(&report)
    }

    /// The finding for programs: lines and columns count from one, columns in characters.
    fn json(&self, sources: &Sources) -> serde_json::Value {
        let place = |label: &Label| {
            let file = sources.file(label.span.file);
            let range = within(&file.text, label.span);
            let (line, column) = sources.position(label.span.file, range.start);
            let (end_line, end_column) = sources.position(label.span.file, range.end);
            json!({
                "file": file.shown(), "line": line, "column": column, "endLine": end_line, "endColumn": end_column,
                "label": label.text,
            })
        };
        let mut object = json!({
            "code": self.code.with(self.severity), "severity": self.severity.name(), "message": self.message, "help": self.help,
            "labels": self.secondary.iter().map(place).collect::<Vec<_>>(),
        });
        if sources.has(self.primary.span)
            && let (Some(object), serde_json::Value::Object(place)) = (object.as_object_mut(), place(&self.primary))
        {
            object.extend(place);
        }
        object
    }
}

impl Severity {
    /// Its name, in the words of SARIF, which are also ours.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Note => "note",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::Code;
    use crate::source::{Role, SourceFile, Span};

    fn finding(text: String, start: usize) -> (Diagnostic, Sources) {
        let mut sources = Sources::default();
        let file =
            sources.add(SourceFile { name: "é.json".to_owned(), path: "é.json".into(), text, role: Role::Json });
        let finding = Diagnostic::error(Code::NULL, Span::new(file, start..start + 4), "`x` is null");
        (finding.also(Span::new(file, 1..2), "here").help("leave it out"), sources)
    }

    #[test]
    fn programs_get_lines_and_columns_from_one() {
        let (finding, sources) = finding("[1,\n\"é\", null]".to_owned(), 10);
        let told: serde_json::Value = serde_json::from_str(&finding.render(&sources, Format::Json)).unwrap();
        assert_eq!((&told["line"], &told["column"], &told["endColumn"]), (&json!(2), &json!(6), &json!(10)));
        assert_eq!((&told["code"], &told["labels"][0]["label"]), (&json!("E0113"), &json!("here")));
    }

    #[test]
    fn of_a_long_line_the_part_around_a_label_is_shown() {
        let (finding, sources) = finding(format!("[1, \"{}\", null]", "a".repeat(100_000)), 100_008);
        let told = finding.render(&sources, Format::Plain);
        assert!(told.contains("é.json:1:100009") && told.contains("null") && told.len() < 1_000, "{told}");
    }
}
