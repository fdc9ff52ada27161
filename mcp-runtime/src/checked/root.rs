//! A folder that paths of strangers cannot lead out of.

use std::fs::File;
use std::io;
use std::path::Path;

use cap_std::ambient_authority;
use cap_std::fs::Dir;

use super::RelativePath;

/// A folder under which paths that come from clients are opened, and nothing else is (feature `fs`).
///
/// Links are followed as long as they stay inside. One that leads out is refused, and so is one that is put in place while
/// the path is being opened: the system looks for each part in the folder that it holds open (`openat2` on Linux), so that
/// there is no moment between a check and its use. On Windows, the names of devices (`NUL`, `COM1`) are refused, too. The work is done
/// by [cap-std](cap_std).
///
/// ```
/// use std::io::Read;
/// use mcp_runtime::{RelativePath, RootDir, ToolError};
///
/// struct Notes {
///     root: RootDir,
/// }
///
/// impl Notes {
///     // what a handler with an argument of `format = "path"` does
///     fn read(&self, path: &RelativePath) -> Result<String, ToolError> {
///         let file = self.root.open(path).map_err(|_| ToolError::invalid_params(format!("there is no file {path}")))?;
///         let mut text = String::new();
///         file.take(1_000_000).read_to_string(&mut text).map_err(|_| ToolError::internal("unreadable"))?;
///         Ok(text)
///     }
/// }
///
/// # let folder = std::env::temp_dir().join(format!("mcp-runtime-notes-{}", std::process::id()));
/// # std::fs::create_dir_all(&folder)?;
/// # std::fs::write(folder.join("today.md"), "milk")?;
/// let notes = Notes { root: RootDir::open_folder(&folder)? };
/// assert_eq!(notes.read(&"today.md".parse()?).unwrap(), "milk");
/// assert!(notes.read(&"yesterday.md".parse()?).is_err());
/// # std::fs::remove_dir_all(&folder)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// All of it blocks for as long as the disk takes: a feature whose contract says `blocking = true` may wait.
#[derive(Debug)]
pub struct RootDir(Dir);

impl RootDir {
    /// Opens a folder of yours. It stays the same folder, also if another takes its place.
    ///
    /// # Errors
    ///
    /// If it is none, or cannot be opened.
    pub fn open_folder(path: impl AsRef<Path>) -> io::Result<Self> {
        Dir::open_ambient_dir(path, ambient_authority()).map(Self)
    }

    /// Opens a file inside, to read it.
    ///
    /// # Errors
    ///
    /// If there is none, if it cannot be read, or if a link leads out of the folder (the kind is `PermissionDenied`).
    pub fn open(&self, path: &RelativePath) -> io::Result<File> {
        self.0.open(path).map(cap_std::fs::File::into_std)
    }

    /// Makes a file inside, to write it. What is there already is emptied; the folder around it must be there.
    ///
    /// # Errors
    ///
    /// If it cannot be written, or if a link leads out of the folder (the kind is `PermissionDenied`).
    pub fn create(&self, path: &RelativePath) -> io::Result<File> {
        self.0.create(path).map(cap_std::fs::File::into_std)
    }

    /// The folder for all else: lists, removals, names. Nothing that it does leads out, either, whatever path it is given.
    #[must_use]
    pub fn dir(&self) -> &Dir {
        &self.0
    }
}
