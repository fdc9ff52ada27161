//! What lies beside the workspace and is not part of it: tests that need it are skipped where it is absent.

use std::path::{Path, PathBuf};

/// The path of something in the folder `shared` beside the workspace, if it is there.
#[must_use]
pub fn path(inside: &str) -> Option<PathBuf> {
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the tests are a folder of the workspace");
    let path = workspace.parent()?.join("shared").join(inside);
    path.exists().then_some(path)
}

/// Says that a test, or a part of one, did not run.
#[expect(clippy::print_stderr, reason = "whoever reads the log of the tests must know what was not tested")]
pub fn skip(what: &str, why: &str) {
    eprintln!("skipped {what}: {why}");
}
