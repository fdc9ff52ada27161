//! Findings as a SARIF 2.1.0 log, which code hosts and editors show beside the lines.

use std::collections::BTreeMap;
use std::fmt::Write;

use serde::Serialize;

use crate::diagnostic::excerpt::within;
use crate::diagnostic::{Code, Diagnostic, Diagnostics, Label};
use crate::source::Sources;

const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";

#[derive(Serialize)]
struct Log<'d> {
    #[serde(rename = "$schema")]
    schema: &'static str,
    version: &'static str,
    runs: [Run<'d>; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Run<'d> {
    tool: Tool,
    column_kind: &'static str,
    results: Vec<Finding<'d>>,
}

#[derive(Serialize)]
struct Tool {
    driver: Driver,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Driver {
    name: &'static str,
    semantic_version: &'static str,
    information_uri: &'static str,
    rules: Vec<Rule>,
}

/// A rule that some finding is about.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Rule {
    id: String,
    short_description: Text<'static>,
    help: Text<'static>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Finding<'d> {
    rule_id: String,
    rule_index: usize,
    level: &'static str,
    message: Text<'d>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    locations: Vec<Location<'d>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    related_locations: Vec<Location<'d>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Location<'d> {
    physical_location: Place,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<Text<'d>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Place {
    artifact_location: Artifact,
    region: Region,
}

#[derive(Serialize)]
struct Artifact {
    uri: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Region {
    start_line: usize,
    start_column: usize,
    end_line: usize,
    end_column: usize,
}

#[derive(Serialize)]
struct Text<'d> {
    text: std::borrow::Cow<'d, str>,
}

impl Diagnostics {
    /// Writes all findings as one SARIF 2.1.0 log, ending with a newline. Without findings it is a log of none.
    #[must_use]
    pub fn sarif(&self, sources: &Sources) -> String {
        let findings = self.sorted();
        let shown = |finding: &Diagnostic| finding.code.with(finding.severity);
        let mut indexes: BTreeMap<String, usize> = BTreeMap::new();
        let mut rules = Vec::new();
        for finding in &findings {
            indexes.entry(shown(finding)).or_insert_with(|| {
                rules.push(rule(shown(finding), finding.code));
                rules.len() - 1
            });
        }
        let driver = Driver {
            name: "mcp-codegen",
            semantic_version: env!("CARGO_PKG_VERSION"),
            information_uri: env!("CARGO_PKG_REPOSITORY"),
            rules,
        };
        let index = |finding| indexes.get(&shown(finding)).copied().unwrap_or_default();
        let results = findings.iter().map(|finding| result(finding, index(finding), sources)).collect();
        let run = Run { tool: Tool { driver }, column_kind: "unicodeCodePoints", results };
        let log = Log { schema: SCHEMA, version: "2.1.0", runs: [run] };
        // No map in it has a key that is no string, and nothing else can fail.
        serde_json::to_string_pretty(&log).unwrap_or_default() + "\n"
    }
}

fn rule(id: String, code: Code) -> Rule {
    let help = format!("`mcp-codegen explain {id}` shows a wrong and a right example");
    Rule { id, short_description: Text { text: code.title().into() }, help: Text { text: help.into() } }
}

fn result<'d>(finding: &'d Diagnostic, rule_index: usize, sources: &Sources) -> Finding<'d> {
    let mut message = finding.message.clone();
    // Writing to a `String` cannot fail.
    if !finding.primary.text.is_empty() {
        write!(message, ": {}", finding.primary.text).unwrap_or_default();
    }
    if let Some(help) = &finding.help {
        write!(message, "\nhelp: {help}").unwrap_or_default();
    }
    Finding {
        rule_id: finding.code.with(finding.severity),
        rule_index,
        level: finding.severity.name(),
        message: Text { text: message.into() },
        locations: location(&finding.primary, sources).into_iter().collect(),
        related_locations: finding.secondary.iter().filter_map(|label| related(label, sources)).collect(),
    }
}

fn related<'d>(label: &'d Label, sources: &Sources) -> Option<Location<'d>> {
    let message = Text { text: label.text.as_str().into() };
    Some(Location { message: Some(message), ..location(label, sources)? })
}

/// Where a label points; what an option did wrong has no place.
fn location<'d>(label: &Label, sources: &Sources) -> Option<Location<'d>> {
    if !sources.has(label.span) {
        return None;
    }
    let file = sources.file(label.span.file);
    let range = within(&file.text, label.span);
    let (start_line, start_column) = sources.position(label.span.file, range.start);
    let (end_line, end_column) = sources.position(label.span.file, range.end);
    let region = Region { start_line, start_column, end_line, end_column };
    let artifact_location = Artifact { uri: uri(&file.shown()) };
    Some(Location { physical_location: Place { artifact_location, region }, message: None })
}

/// A path as a URI reference: relative as it is, absolute with its scheme.
fn uri(path: &str) -> String {
    let mut uri = String::from(if path.starts_with('/') { "file://" } else { "" });
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte) {
            uri.push(char::from(byte));
        } else {
            // Writing to a `String` cannot fail.
            write!(uri, "%{byte:02X}").unwrap_or_default();
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_becomes_a_uri_reference() {
        assert_eq!(uri("specs/a b%é.toml"), "specs/a%20b%25%C3%A9.toml");
        assert_eq!(uri("/tmp/a.toml"), "file:///tmp/a.toml");
    }
}
