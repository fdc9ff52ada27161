//! Which files of a folder we once wrote, and what we wrote into them.
//!
//! One line for each file, as `sha256sum` prints and checks them. The same path may stand twice: while files are being
//! written, the manifest holds their old and their new hash, so that a run that is killed leaves no file that the next
//! run would take for somebody else's.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Component, Path};

use sha2::{Digest, Sha256};

use super::Files;
use super::disk;
use crate::workers;

/// The manifest's name in the output folder.
pub const MANIFEST: &str = ".mcp-codegen-manifest";

const HEADER: &str =
    "# The files that mcp-codegen wrote here and may replace or remove. Commit it together with them.\n";

/// Paths and hashes, sorted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Manifest {
    entries: BTreeSet<(String, String)>,
}

impl Manifest {
    /// What the manifest says when exactly `files` have been written.
    pub(super) fn of(files: &Files) -> Self {
        let files: Vec<(&str, &str)> = files.iter().collect();
        let entries = workers::map(&files, |files| {
            files.iter().map(|(path, text)| ((*path).to_owned(), hash(text.as_bytes()))).collect()
        });
        Self { entries: entries.into_iter().collect() }
    }

    /// Reads a manifest. Lines that say nothing about a file below the folder are skipped: a merge leaves such lines,
    /// and a path that leads out of the folder must never be removed.
    pub(super) fn parse(text: &str) -> Self {
        let entry = |line: &str| {
            let (hash, path) = line.split_once("  ")?;
            let is_hash = hash.len() == 64 && hash.bytes().all(|byte| byte.is_ascii_hexdigit());
            (is_hash && is_below(path)).then(|| (path.to_owned(), hash.to_owned()))
        };
        Self { entries: text.lines().filter_map(entry).collect() }
    }

    /// All that either of the two says.
    pub(super) fn union(&self, other: &Self) -> Self {
        Self { entries: self.entries.union(&other.entries).cloned().collect() }
    }

    /// Whether the file at `path` is ours.
    pub(super) fn owns(&self, path: &str) -> bool {
        self.entries.range((path.to_owned(), String::new())..).next().is_some_and(|(owned, _)| owned == path)
    }

    /// Whether `content` is what we wrote at `path`.
    pub(super) fn wrote(&self, path: &str, content: &[u8]) -> bool {
        self.entries.contains(&(path.to_owned(), hash(content)))
    }

    /// The paths of our files, sorted; one that stands twice comes twice.
    pub(super) fn paths(&self) -> impl Iterator<Item = &str> {
        self.entries.iter().map(|(path, _)| path.as_str())
    }

    pub(super) fn to_text(&self) -> String {
        let lines = self.entries.iter().map(|(path, hash)| format!("{hash}  {path}\n"));
        std::iter::once(HEADER.to_owned()).chain(lines).collect()
    }
}

/// Whether `path` can only mean a file below the folder that it is joined to.
pub(super) fn is_below(path: &str) -> bool {
    !path.is_empty() && Path::new(path).components().all(|component| matches!(component, Component::Normal(_)))
}

/// SHA-256 of a text, the same whatever its line endings are on this machine.
fn hash(content: &[u8]) -> String {
    let mut hex = String::with_capacity(64);
    for byte in Sha256::digest(disk::with_unix_lines(content)) {
        let _ = write!(hex, "{byte:02x}"); // Writing to a `String` cannot fail.
    }
    hex
}

#[cfg(test)]
mod tests {
    use super::*;

    fn manifest(path: &str, text: &str) -> Manifest {
        let mut files = Files::default();
        files.insert(path, text);
        Manifest::of(&files)
    }

    #[test]
    fn text_reads_back() {
        let both = manifest("a.rs", "one").union(&manifest("a.rs", "two"));
        assert_eq!(Manifest::parse(&both.to_text()), both);
        assert!(both.wrote("a.rs", b"one") && both.wrote("a.rs", b"two") && !both.wrote("a.rs", b"three"));
    }

    #[test]
    fn line_endings_do_not_change_the_hash() {
        assert!(manifest("a.rs", "one\ntwo\n").wrote("a.rs", b"one\r\ntwo\r\n"));
    }

    #[test]
    fn both_sides_of_a_merge_conflict_count() {
        let ours = manifest("a.rs", "one").to_text();
        let theirs = manifest("b.rs", "two").to_text();
        let merged = Manifest::parse(&format!("<<<<<<< HEAD\n{ours}=======\n{theirs}>>>>>>> other\n"));
        assert!(merged.owns("a.rs") && merged.owns("b.rs"));
    }

    #[test]
    fn paths_that_lead_out_of_the_folder_are_not_ours() {
        let hash = hash(b"");
        for path in ["../a.rs", "/etc/a.rs", "tools/../../a.rs", ""] {
            assert_eq!(Manifest::parse(&format!("{hash}  {path}\n")), Manifest::default(), "{path}");
        }
    }
}
