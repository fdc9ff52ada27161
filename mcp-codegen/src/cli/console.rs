//! Where output goes: data to standard output, talk to standard error. Color only where somebody sees it.

use std::env;
use std::error::Error;
use std::io::{self, IsTerminal, Write};
use std::path::Path;

use clap::ColorChoice;
use mcp_codegen::diagnostic::{self, Diagnostics, Severity};
use mcp_codegen::source::Sources;
use serde_json::Value;

use super::status::Status;
use super::{Format, Outcome, ReportArgs};

/// How findings are shown, and what they mean to the caller.
#[derive(Clone, Copy, Debug)]
pub(super) struct View {
    pub(super) format: Format,
    deny_warnings: bool,
    color: ColorChoice,
}

/// Writes what the command was asked for.
pub(super) fn data(text: &str) -> io::Result<()> {
    match io::stdout().lock().write_all(text.as_bytes()) {
        // The reader has seen enough, as in `mcp-codegen … | head`.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        result => result,
    }
}

/// Says a line to the person at the terminal.
pub(super) fn talk(line: &str) -> io::Result<()> {
    writeln!(io::stderr().lock(), "{line}")
}

/// Says what became of a file.
pub(super) fn told_writing(path: &Path, is_new: bool) -> io::Result<()> {
    talk(&format!("{} `{}`", if is_new { "wrote" } else { "nothing to change in" }, path.display()))
}

impl View {
    pub(super) const fn new(args: &ReportArgs, color: ColorChoice) -> Self {
        Self { format: args.format, deny_warnings: args.deny_warnings, color }
    }

    /// For commands that report only by the way.
    pub(super) const fn for_people(color: ColorChoice) -> Self {
        Self { format: Format::Human, deny_warnings: false, color }
    }

    /// Work that may take long. Whoever reads findings by a program is told nothing of it.
    pub(super) fn work(self, what: &str) -> Status {
        if self.format == Format::Human { Status::of(what) } else { Status::silent() }
    }

    /// Writes all findings: excerpts and their number, for a person, are talk; the other formats are data.
    pub(super) fn report(self, found: &Diagnostics, sources: &Sources) -> Result<(), Box<dyn Error>> {
        match self.format {
            Format::Human if found.is_empty() => {}
            Format::Human => {
                let style = if is_colored(self.color) { diagnostic::Format::Styled } else { diagnostic::Format::Plain };
                io::stderr().lock().write_all(found.render(sources, style).as_bytes())?;
                talk(&summary(found))?;
            }
            Format::Json => data(&found.render(sources, diagnostic::Format::Json))?,
            Format::Github => data(&annotations(&found.render(sources, diagnostic::Format::Json))?)?,
            Format::Sarif => data(&found.sarif(sources))?,
        }
        Ok(())
    }

    /// Whether the findings are fine.
    pub(super) fn outcome(self, found: &Diagnostics) -> Outcome {
        let denied = found.has_errors() || self.deny_warnings && found.has_warnings();
        if denied { Outcome::Findings } else { Outcome::Fine }
    }
}

fn summary(found: &Diagnostics) -> String {
    let findings = found.sorted();
    let of = |severity| findings.iter().filter(|finding| finding.severity() == severity).count();
    let counts = [(Severity::Error, "error"), (Severity::Warning, "warning"), (Severity::Note, "note")];
    let counts: Vec<String> = counts
        .into_iter()
        .map(|(severity, thing)| (of(severity), thing))
        .filter(|(number, _)| *number > 0)
        .map(|(number, thing)| count(number, thing))
        .collect();
    match counts.as_slice() {
        [most @ .., last] if !most.is_empty() => format!("{} and {last}", most.join(", ")),
        counts => counts.concat(),
    }
}

/// A number and what it counts.
pub(super) fn count(number: usize, thing: &str) -> String {
    if number == 1 { format!("1 {thing}") } else { format!("{number} {thing}s") }
}

fn is_colored(choice: ColorChoice) -> bool {
    match choice {
        ColorChoice::Always => true,
        ColorChoice::Auto => io::stderr().is_terminal() && !is_set("NO_COLOR") && !is_dumb(),
        ColorChoice::Never => false,
    }
}

fn is_set(variable: &str) -> bool {
    env::var_os(variable).is_some_and(|value| !value.is_empty())
}

fn is_dumb() -> bool {
    env::var_os("TERM").is_some_and(|term| term == "dumb")
}

/// Findings as workflow commands, which GitHub shows beside the lines of a pull request.
fn annotations(findings: &str) -> serde_json::Result<String> {
    findings.lines().map(|line| Ok(annotation(&serde_json::from_str(line)?))).collect()
}

fn annotation(finding: &Value) -> String {
    let text = |key: &str| match &finding[key] {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    let mut places = Vec::new();
    let level = if text("severity") == "note" { "notice".to_owned() } else { text("severity") };
    for (property, key) in
        [("file", "file"), ("line", "line"), ("col", "column"), ("endLine", "endLine"), ("endColumn", "endColumn")]
    {
        places.push(format!("{property}={}", escape_property(&text(key))));
    }
    places.push(format!("title={}", escape_property(&text("code"))));
    let help = finding["help"].as_str().map(|help| format!("\nhelp: {help}")).unwrap_or_default();
    let message = escape(&(text("message") + &help));
    format!("::{level} {}::{message}\n", places.join(","))
}

/// A workflow command is one line.
fn escape(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn escape_property(text: &str) -> String {
    escape(text).replace(':', "%3A").replace(',', "%2C")
}

/// Refuses to write over a file that can be a contract: nobody means that.
pub(super) fn refuse_contract(path: &Path) -> Result<(), String> {
    let is_contract = path.extension().is_some_and(|ending| ending == "toml" || ending == "json");
    if is_contract && path.exists() {
        return Err(format!("`{}` is there already, and can be a contract: choose another name", path.display()));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_annotation_is_one_escaped_line() {
        let finding = r#"{"code":"E0103","severity":"error","message":"100% wrong","help":"a\nb","file":"a,b.toml",
            "line":2,"column":3,"endLine":2,"endColumn":7}"#;
        assert_eq!(
            annotation(&serde_json::from_str(finding).unwrap()),
            "::error file=a%2Cb.toml,line=2,col=3,endLine=2,endColumn=7,title=E0103::100%25 wrong%0Ahelp: a%0Ab\n"
        );
    }
}
