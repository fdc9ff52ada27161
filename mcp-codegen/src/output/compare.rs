//! Compares a folder with what would be generated, and says the difference as a diff.

use std::path::Path;

use similar::TextDiff;

use super::disk::{self, Found};
use super::manifest::{MANIFEST, Manifest};
use super::plan::plan;
use super::{Error, Files};
use crate::diagnostic::{Code, Diagnostic};
use crate::source::{Role, SourceFile, Sources, Span};

/// How a diff names a file that does not exist.
const NOTHING: &str = "/dev/null";

/// A file that is not as it would be generated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    kind: ChangeKind,
    path: String,
    diff: String,
    /// The text that is there, and how much of it is right.
    found: String,
    same: usize,
}

/// In which way a file differs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "there is no fourth way")]
pub enum ChangeKind {
    /// It is not there.
    Missing,
    /// It is there with another text.
    Outdated,
    /// It is there and no longer needed.
    Stale,
}

/// What `generate --check` finds.
const OUTDATED: Code = Code::named("outdated-code", "a generated file that is not what the contract says");

impl ChangeKind {
    /// What is to be said of such a file.
    #[must_use]
    pub const fn state(self) -> &'static str {
        match self {
            Self::Missing => "is missing",
            Self::Outdated => "is not what the contract says",
            Self::Stale => "is no longer needed",
        }
    }
}

impl Change {
    /// In which way the file differs.
    #[must_use]
    pub fn kind(&self) -> ChangeKind {
        self.kind
    }

    /// The file, below the output folder.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.path
    }

    /// The same for programs: a finding at the first line that differs. The file's text is added to `sources`.
    pub fn finding(&self, dir: &Path, sources: &mut Sources) -> Diagnostic {
        let path = super::place(dir, &self.path);
        let shown = path.display().to_string();
        let (name, text) = (self.path.clone(), self.found.clone());
        let file = sources.add(SourceFile { name, path, text, role: Role::Attachment });
        let message = format!("`{shown}` {}", self.kind.state());
        let finding = Diagnostic::error(OUTDATED, Span::new(file, self.same..self.same), message);
        finding.help("run `mcp-codegen generate` without `--check`, and commit what it writes")
    }

    /// From the text that is there to the text that should be, as a unified diff.
    #[must_use]
    pub fn diff(&self) -> &str {
        &self.diff
    }
}

/// Says what [`write`](super::write) would change in `dir`, and changes nothing.
///
/// # Errors
///
/// Fails where `write` would fail before it writes.
pub fn compare(files: &Files, dir: &Path) -> Result<Vec<Change>, Error> {
    let plan = plan(files, dir)?;
    let needed = plan.writes.iter().map(|write| (write.path, Some(write.text)));
    let stale = plan.stale.iter().map(|path| (path.as_str(), None));
    let mut changes = Vec::new();
    for (path, expected) in needed.chain(stale) {
        changes.extend(change(dir, path, expected)?);
    }
    if changes.is_empty() {
        // Beside other changes, the manifest would be noise: it follows from them.
        changes.extend(change(dir, MANIFEST, Some(&Manifest::of(files).to_text()))?);
    }
    changes.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(changes)
}

/// How the file at `path` differs from the text that it should have, if it does.
fn change(dir: &Path, path: &str, expected: Option<&str>) -> Result<Option<Change>, Error> {
    let found = match disk::look(dir, path)? {
        Found::File(found) => Some(String::from_utf8_lossy(&disk::with_unix_lines(&found)).into_owned()),
        Found::Absent | Found::Other => None,
    };
    let (kind, from, to) = match (&found, expected) {
        (Some(found), Some(expected)) if found == expected => return Ok(None),
        (None, None) => return Ok(None),
        (Some(_), Some(_)) => (ChangeKind::Outdated, format!("a/{path}"), format!("b/{path}")),
        (None, Some(_)) => (ChangeKind::Missing, NOTHING.to_owned(), format!("b/{path}")),
        (Some(_), None) => (ChangeKind::Stale, format!("a/{path}"), NOTHING.to_owned()),
    };
    let (old, new) = (found.unwrap_or_default(), expected.unwrap_or_default());
    let diff = unified(&old, new, (&from, &to));
    let same = old.split_inclusive('\n').zip(new.split_inclusive('\n')).take_while(|(old, new)| old == new);
    let same = same.map(|(line, _)| line.len()).sum();
    Ok(Some(Change { kind, path: path.to_owned(), diff, found: old, same }))
}

/// From one text of a file to another, as a unified diff.
#[must_use]
pub fn diff(name: &str, old: &str, new: &str) -> String {
    unified(old, new, (&format!("a/{name}"), &format!("b/{name}")))
}

fn unified(old: &str, new: &str, (from, to): (&str, &str)) -> String {
    TextDiff::from_lines(old, new).unified_diff().header(from, to).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn every_kind_of_change_is_found_and_none_is_made() {
        let dir = tempfile::tempdir().unwrap();
        let mut files = Files::default();
        files.insert("changed.rs", "old\n");
        files.insert("stale.rs", "gone\n");
        crate::output::write(&files, dir.path()).unwrap();
        assert_eq!(compare(&files, dir.path()).unwrap(), []);

        let mut files = Files::default();
        files.insert("changed.rs", "new\n");
        files.insert("missing.rs", "here\n");
        let changes = compare(&files, dir.path()).unwrap();
        let diffs: Vec<_> = changes.iter().map(|change| (change.kind(), change.diff())).collect();
        let expected = [
            (ChangeKind::Outdated, "--- a/changed.rs\n+++ b/changed.rs\n@@ -1 +1 @@\n-old\n+new\n"),
            (ChangeKind::Missing, "--- /dev/null\n+++ b/missing.rs\n@@ -0,0 +1 @@\n+here\n"),
            (ChangeKind::Stale, "--- a/stale.rs\n+++ /dev/null\n@@ -1 +0,0 @@\n-gone\n"),
        ];
        assert_eq!(diffs, expected);
        assert!(!dir.path().join("missing.rs").exists() && dir.path().join("stale.rs").exists());
    }

    #[test]
    fn a_missing_manifest_is_a_change() {
        let dir = tempfile::tempdir().unwrap();
        let mut files = Files::default();
        files.insert("mod.rs", "");
        crate::output::write(&files, dir.path()).unwrap();
        fs::remove_file(dir.path().join(MANIFEST)).unwrap();
        assert_eq!(compare(&files, dir.path()).unwrap()[0].path(), MANIFEST);
    }
}
