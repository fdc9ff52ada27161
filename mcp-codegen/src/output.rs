//! The files of one generation, in memory, and the only way from there to the disk.
//!
//! The output folder may hold other people's files. A manifest in it says which ones are ours, so that a file that we
//! did not write is never changed or removed.

#[cfg(feature = "cli")]
mod compare;
mod disk;
mod error;
mod manifest;
mod plan;
mod write;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

#[cfg(feature = "cli")]
pub use self::compare::{Change, ChangeKind, compare, diff};
pub(crate) use self::disk::write_if_changed;
pub use self::error::Error;
pub use self::manifest::MANIFEST;
pub use self::write::{Report, write};

/// Where a file of [`Files`] lies once it is written, spelled as the system spells paths.
#[must_use]
pub fn place(dir: &Path, path: &str) -> PathBuf {
    if cfg!(windows) { dir.join(path.replace('/', "\\")) } else { dir.join(path) }
}

/// Puts `text` at `path`, in one step and with its folders, unless it is there already; says whether it wrote.
///
/// # Errors
///
/// Fails where the file cannot be written; what was there is there still.
#[cfg(feature = "cli")]
pub fn put(path: &Path, text: &str) -> Result<bool, Error> {
    write_if_changed(path, text)
}

/// Gives the file at `path` another text: in one step, or, where it has several names, in its place. Where a link leads to
/// it, the link stays; so do its permissions.
///
/// # Errors
///
/// Fails where the file cannot be written or is read-only; what was there is there still.
#[cfg(feature = "cli")]
pub fn replace(path: &Path, text: &str) -> Result<(), Error> {
    let target = path.canonicalize().map_err(Error::io("read", path))?;
    disk::replace(&target, text)
}

/// Texts to be written, by their path below the output folder: relative, with `/` on every system.
///
/// Ordered by path, so that everything made from it is the same on every run.
///
/// ```
/// let mut files = mcp_codegen::Files::default();
/// files.insert("mod.rs", "pub mod tools;\n");
/// assert_eq!(files.get("mod.rs"), Some("pub mod tools;\n"));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Files {
    files: BTreeMap<String, String>,
}

impl Files {
    /// Adds a file; one that was there under the same path is replaced.
    pub fn insert(&mut self, path: impl Into<String>, text: impl Into<String>) {
        self.files.insert(path.into(), text.into());
    }

    /// The text of the file at `path`.
    #[must_use]
    pub fn get(&self, path: &str) -> Option<&str> {
        self.files.get(path).map(String::as_str)
    }

    /// All paths with their texts, sorted by path.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.files.iter().map(|(path, text)| (path.as_str(), text.as_str()))
    }

    /// How many files there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.files.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }
}
