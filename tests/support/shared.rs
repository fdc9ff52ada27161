//! What lies beside the workspace and is not part of it: tests that need it are skipped where it is absent.

use std::path::PathBuf;

use crate::workspace;

/// The path of something in the folder `shared` beside the workspace, if it is there.
#[must_use]
pub fn path(inside: &str) -> Option<PathBuf> {
    let path = workspace().parent()?.join("shared").join(inside);
    path.exists().then_some(path)
}

/// Says that a test, or a part of one, did not run.
pub fn skip(what: &str, why: &str) {
    note(&format!("skipped {what}: {why}"));
}

/// Tells whoever reads the log of the tests something.
#[expect(clippy::print_stderr, reason = "a log is what a test's standard error is for")]
pub fn note(text: &str) {
    eprintln!("{text}");
}
