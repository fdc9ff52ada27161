//! Single files: looking at one, and replacing one so that nobody ever sees half of it.

use std::borrow::Cow;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process;
use std::time::Duration;

use super::Error;

/// Ends the name of a text that is on its way to its place.
const STAGED: &str = ".mcp-codegen-tmp";

/// What stands at a path.
#[derive(Debug)]
pub(super) enum Found {
    Absent,
    File(Vec<u8>),
    /// A folder, a link, a device; or a path that leads through a file or a link.
    Other,
}

/// A text that is on the disk under a name of its own, ready to take its place. Dropped before, it leaves no trace.
#[derive(Debug)]
pub(super) struct Staged {
    temporary: PathBuf,
    target: PathBuf,
    committed: bool,
}

/// Looks at `path` below `dir`, without following links below `dir`: what a link points to is not ours.
pub(super) fn look(dir: &Path, path: &str) -> Result<Found, Error> {
    let target = super::place(dir, path);
    let mut ancestor = dir.to_owned();
    for folder in Path::new(path).parent().into_iter().flat_map(Path::components) {
        ancestor.push(folder);
        match metadata(&ancestor)? {
            None => return Ok(Found::Absent),
            Some(metadata) if metadata.is_dir() => {}
            Some(_) => return Ok(Found::Other),
        }
    }
    match metadata(&target)? {
        None => Ok(Found::Absent),
        Some(metadata) if metadata.is_file() => fs::read(&target).map(Found::File).map_err(Error::io("read", &target)),
        Some(_) => Ok(Found::Other),
    }
}

fn metadata(path: &Path) -> Result<Option<fs::Metadata>, Error> {
    match fs::symlink_metadata(path) {
        Ok(metadata) => Ok(Some(metadata)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(Error::io("read", path)(error)),
    }
}

/// Whether two texts are equal but for line endings: a checkout on Windows may have changed those.
pub(super) fn same_text(a: &[u8], b: &[u8]) -> bool {
    with_unix_lines(a) == with_unix_lines(b)
}

/// The text with `\n` as its only line ending.
pub(super) fn with_unix_lines(text: &[u8]) -> Cow<'_, [u8]> {
    if !text.contains(&b'\r') {
        return Cow::Borrowed(text);
    }
    let mut lines = Vec::with_capacity(text.len());
    for (index, &byte) in text.iter().enumerate() {
        if byte != b'\r' || text.get(index + 1) != Some(&b'\n') {
            lines.push(byte);
        }
    }
    Cow::Owned(lines)
}

/// Puts `text` at `path` unless it is there already; says whether it wrote.
pub(crate) fn write_if_changed(path: &Path, text: &str) -> Result<bool, Error> {
    match fs::read(path) {
        Ok(found) if same_text(&found, text.as_bytes()) => return Ok(false),
        Ok(_) => {}
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return Err(Error::io("read", path)(error)),
    }
    stage(path, text)?.commit()?;
    Ok(true)
}

/// Gives a file that is there another text. One that nobody may write stays as it is; one that has other names is written
/// where it is, so that all of them show the text.
#[cfg(feature = "cli")]
pub(super) fn replace(target: &Path, text: &str) -> Result<(), Error> {
    let found = fs::metadata(target).map_err(Error::io("read", target))?;
    if found.permissions().readonly() {
        let why = io::Error::new(io::ErrorKind::PermissionDenied, "it is read-only");
        return Err(Error::io("write", target)(why));
    }
    if names(&found) > 1 {
        return fs::write(target, text).map_err(Error::io("write", target));
    }
    let staged = stage(target, text)?;
    fs::set_permissions(&staged.temporary, found.permissions()).map_err(Error::io("write", target))?;
    staged.commit()
}

/// How many names a file has.
#[cfg(all(feature = "cli", unix))]
fn names(found: &fs::Metadata) -> u64 {
    std::os::unix::fs::MetadataExt::nlink(found)
}

#[cfg(all(feature = "cli", not(unix)))]
fn names(_: &fs::Metadata) -> u64 {
    1
}

/// Writes `text` beside `target`, whose folder is created if it is not there.
pub(super) fn stage(target: &Path, text: &str) -> Result<Staged, Error> {
    let name = target.file_name().unwrap_or_default().to_string_lossy();
    let temporary = target.with_file_name(format!(".{name}.{}{STAGED}", process::id()));
    // Made before the write, so that a write that fails halfway is cleaned up too.
    let staged = Staged { temporary, target: target.to_owned(), committed: false };
    let write = || fs::write(&staged.temporary, text);
    let written = match (write(), target.parent()) {
        // It is there for all files of a folder but the first.
        (Err(error), Some(folder)) if error.kind() == io::ErrorKind::NotFound => {
            fs::create_dir_all(folder).map_err(Error::io("create", folder))?;
            write()
        }
        (written, _) => written,
    };
    written.map_err(Error::io("write", target))?;
    Ok(staged)
}

impl Staged {
    /// Takes the place of what stands at the target, in one step.
    pub(super) fn commit(mut self) -> Result<(), Error> {
        fs::rename(&self.temporary, &self.target).map_err(Error::io("write", &self.target))?;
        self.committed = true;
        Ok(())
    }
}

impl Drop for Staged {
    fn drop(&mut self) {
        if !self.committed {
            // A leftover harms nobody: the result is of no use.
            let _ = fs::remove_file(&self.temporary);
        }
    }
}

/// Removes what killed runs have staged in `folder`: texts so old that no other run can still be writing them.
pub(super) fn sweep(folder: &Path) {
    const OLD: Duration = Duration::from_secs(60);
    let age = |path: &Path| fs::symlink_metadata(path).ok()?.modified().ok()?.elapsed().ok();
    // A leftover harms nobody, so one that cannot be seen or removed is passed over.
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let is_staged = entry.file_name().to_string_lossy().ends_with(STAGED);
        if is_staged && age(&entry.path()).is_some_and(|age| age > OLD) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::SystemTime;

    #[test]
    fn only_old_staged_texts_are_swept() {
        let dir = tempfile::tempdir().unwrap();
        for (name, age) in [("old.mcp-codegen-tmp", 120), ("new.mcp-codegen-tmp", 0), ("old.rs", 120)] {
            let file = fs::File::create(dir.path().join(name)).unwrap();
            file.set_modified(SystemTime::now() - Duration::from_secs(age)).unwrap();
        }
        sweep(dir.path());
        let left = ["old.mcp-codegen-tmp", "new.mcp-codegen-tmp", "old.rs"].map(|name| dir.path().join(name).exists());
        assert_eq!(left, [false, true, true]);
    }

    #[test]
    fn only_pairs_become_unix_line_endings() {
        assert_eq!(*with_unix_lines(b"a\r\nb\rc\r"), *b"a\nb\rc\r");
    }
}
