//! Why files could not be written.

use std::error::Error as StdError;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// Why nothing, or not everything, was written.
#[derive(Debug)]
pub struct Error {
    kind: Kind,
}

#[derive(Debug)]
enum Kind {
    Io { action: &'static str, path: PathBuf, source: io::Error },
    Obstructed(Vec<Obstacle>),
}

/// Something at a path that we need, and that is not ours to replace.
#[derive(Debug)]
pub(super) struct Obstacle {
    pub(super) path: PathBuf,
    pub(super) reason: &'static str,
}

impl Error {
    /// Wraps a failure of the file system; made to be used with `map_err`.
    pub(super) fn io(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        move |source| Self { kind: Kind::Io { action, path: path.to_owned(), source } }
    }

    pub(super) fn obstructed(obstacles: Vec<Obstacle>) -> Self {
        Self { kind: Kind::Obstructed(obstacles) }
    }

    /// Whether files that mcp-codegen did not write are in the way. Then nothing was written.
    #[must_use]
    pub fn is_obstructed(&self) -> bool {
        matches!(self.kind, Kind::Obstructed(_))
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            Kind::Io { action, path, .. } => write!(f, "cannot {action} `{}`", path.display()),
            Kind::Obstructed(obstacles) => {
                f.write_str("files in the way, nothing was written")?;
                for Obstacle { path, reason } in obstacles {
                    write!(f, "\n  `{}` {reason}", path.display())?;
                }
                f.write_str("\nhelp: move them away, or choose another folder")
            }
        }
    }
}

impl StdError for Error {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        match &self.kind {
            Kind::Io { source, .. } => Some(source),
            Kind::Obstructed(_) => None,
        }
    }
}
