//! One way to lay out a contract file. What it says stays as it was: keys and their order, values as they are spelled,
//! every comment.

mod json;
mod toml;

use std::fmt;

use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::document::{self, Node};
use crate::source::{FileId, Role, SourceFile, Sources, Span};

/// Lays out a native contract file; one that is laid out already comes back as it is. Line endings stay what they are. So
/// does a list answer: it is a recording of what a server said.
///
/// # Errors
///
/// Fails where the text is no TOML or JSON, or where what was made of it would not say the same.
pub fn format(sources: &Sources, file: FileId) -> Result<String, Error> {
    let SourceFile { text, role, .. } = sources.file(file);
    let before = read(file, text, *role).map_err(Error::Faulty)?;
    if before.get("format").is_none() {
        return Ok(text.clone());
    }
    let mut unix = text.replace("\r\n", "\n");
    if !unix.ends_with('\n') {
        unix.push('\n');
    }
    let made = match role {
        Role::Json => json::format(&unix),
        Role::Toml => toml::format(&unix),
        Role::Attachment | Role::Binary => return Ok(text.clone()),
    };
    let made = made.ok_or(Error::Beyond)?;
    let made = if text.contains("\r\n") { made.replace('\n', "\r\n") } else { made };
    let is_same = |made: &String| {
        read(file, made, *role).is_ok_and(|after| after.to_json() == before.to_json())
            && (*role == Role::Json || toml::comments(made) == toml::comments(text))
    };
    if is_same(&made) { Ok(made) } else { Err(Error::Unsafe) }
}

/// The finding for programs where a file is not laid out: it stands at the first line that would change.
pub fn finding(sources: &Sources, file: FileId, made: &str) -> Diagnostic {
    let source = sources.file(file);
    let lines = source.text.split_inclusive('\n').zip(made.split_inclusive('\n'));
    let same: usize = lines.take_while(|(old, new)| old == new).map(|(line, _)| line.len()).sum();
    let message = format!("`{}` is not laid out", source.path.display());
    Diagnostic::error(UNTIDY, Span::new(file, same..same), message).help("run `mcp-codegen fmt` without `--check`")
}

/// What `fmt --check` finds.
const UNTIDY: Code = Code::named("untidy-layout", "a contract file that `fmt` would change");

/// Why a file was not laid out.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// What is wrong with the text, with its places in it.
    Faulty(Diagnostics),
    /// It holds what the reader of this program knows, and its printer does not.
    Beyond,
    /// What was made of it says something else: a mistake of this program's.
    Unsafe,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Faulty(_) => "the text is no contract",
            Self::Beyond => {
                "the file stays as it is: it holds an integer beyond 64 bits with a sign, which cannot be kept"
            }
            Self::Unsafe => "the file cannot be laid out without changing what it says: please report it",
        })
    }
}

impl std::error::Error for Error {}

/// What the text says.
fn read(file: FileId, text: &str, role: Role) -> Result<Node, Diagnostics> {
    let mut found = Diagnostics::default();
    match document::read_text(file, text, role, &mut found) {
        Some(root) if found.is_empty() => Ok(root),
        Some(_) | None => Err(found),
    }
}
