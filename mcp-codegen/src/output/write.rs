//! Brings a folder to what was generated: the only code that changes it.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::Path;

use super::manifest::{MANIFEST, Manifest};
use super::plan::{Plan, Write, plan};
use super::{Error, Files, disk};
use crate::workers;

/// What a write did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Report {
    /// Files whose text changed, sorted.
    pub written: Vec<String>,
    /// Those among `written` that somebody had changed by hand, and whose changes are lost.
    pub overwritten: Vec<String>,
    /// Files of ours that were no longer needed, sorted.
    pub removed: Vec<String>,
    /// Files that were ours and are no longer needed, but stay, because somebody changed them by hand.
    pub left: Vec<String>,
    /// How many files had the right text already.
    pub unchanged: usize,
}

/// Makes `dir` hold `files`.
///
/// Writes only what changes, each file in one step; removes files that it once wrote and that are no longer needed,
/// with the folders that this leaves empty. It knows its own files by the manifest in `dir` and touches no other.
///
/// # Errors
///
/// Fails without having written anything if a file that it did not write is in the way, or if a text cannot be put on
/// the disk. Only a disk that takes a text and then refuses to rename it can leave some files new and others old; the
/// next run mends that.
pub fn write(files: &Files, dir: &Path) -> Result<Report, Error> {
    let (manifest, plan) = workers::both(|| Manifest::of(files), || plan(files, dir));
    let plan = plan?;
    if !plan.writes.is_empty() {
        claim(&plan.owned.union(&manifest), dir)?;
        replace(&plan, dir)?;
    }
    for path in &plan.stale {
        remove(dir, path)?;
    }
    disk::write_if_changed(&dir.join(MANIFEST), &manifest.to_text())?;
    Ok(report(plan))
}

/// Notes what is about to be written, so that the next run knows these files as ours even if this one is killed.
fn claim(manifest: &Manifest, dir: &Path) -> Result<(), Error> {
    disk::write_if_changed(&dir.join(MANIFEST), &manifest.to_text()).map(drop)
}

/// Puts all texts on the disk before the first takes its place: a full disk then changes nothing.
fn replace(plan: &Plan<'_>, dir: &Path) -> Result<(), Error> {
    for folder in plan.writes.iter().filter_map(|write| Path::new(write.path).parent()).collect::<BTreeSet<_>>() {
        disk::sweep(&dir.join(folder));
    }
    let stage = |writes: &[Write<'_>]| {
        writes.iter().map(|write| disk::stage(&super::place(dir, write.path), write.text)).collect()
    };
    let staged = workers::map(&plan.writes, stage).into_iter().collect::<Result<Vec<_>, _>>()?;
    staged.into_iter().try_for_each(disk::Staged::commit)
}

/// Removes a file, and the folders between it and `dir` that are empty then.
fn remove(dir: &Path, path: &str) -> Result<(), Error> {
    let target = super::place(dir, path);
    match fs::remove_file(&target) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(Error::io("remove", &target)(error)),
        Ok(()) | Err(_) => {}
    }
    for folder in target.ancestors().skip(1).take_while(|folder| *folder != dir) {
        if fs::remove_dir(folder).is_err() {
            break; // It still holds something.
        }
    }
    Ok(())
}

fn report(plan: Plan<'_>) -> Report {
    let names = |edited_only: bool| {
        let writes = plan.writes.iter().filter(|write| write.edited || !edited_only);
        writes.map(|write| write.path.to_owned()).collect()
    };
    Report {
        written: names(false),
        overwritten: names(true),
        removed: plan.stale,
        left: plan.left,
        unchanged: plan.unchanged,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files(texts: &[(&str, &str)]) -> Files {
        let mut files = Files::default();
        for (path, text) in texts {
            files.insert(*path, *text);
        }
        files
    }

    #[test]
    fn a_second_write_changes_nothing() {
        let dir = tempfile::tempdir().unwrap();
        let files = files(&[("mod.rs", "a\n"), ("tools/echo.rs", "b\n")]);
        assert_eq!(write(&files, dir.path()).unwrap().written, ["mod.rs", "tools/echo.rs"]);
        let before = fs::metadata(dir.path().join("mod.rs")).unwrap().modified().unwrap();
        let expected = Report { unchanged: 2, ..Report::default() };
        assert_eq!(write(&files, dir.path()).unwrap(), expected);
        assert_eq!(fs::metadata(dir.path().join("mod.rs")).unwrap().modified().unwrap(), before);
    }

    #[test]
    fn stale_files_go_with_their_empty_folders() {
        let dir = tempfile::tempdir().unwrap();
        write(&files(&[("mod.rs", ""), ("tools/echo.rs", ""), ("prompts/hi.rs", "")]), dir.path()).unwrap();
        fs::write(dir.path().join("prompts/mine.txt"), "").unwrap();
        let report = write(&files(&[("mod.rs", "")]), dir.path()).unwrap();
        assert_eq!(report.removed, ["prompts/hi.rs", "tools/echo.rs"]);
        assert!(!dir.path().join("tools").exists() && dir.path().join("prompts/mine.txt").exists());
    }

    #[test]
    fn a_strangers_file_stops_the_run_before_it_writes() {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("mod.rs"), "mine").unwrap();
        let error = write(&files(&[("a.rs", ""), ("mod.rs", "ours")]), dir.path()).unwrap_err();
        assert!(error.is_obstructed() && error.to_string().contains("mod.rs` was not written by mcp-codegen"));
        assert!(!dir.path().join("a.rs").exists() && !dir.path().join(MANIFEST).exists());
    }

    #[test]
    fn a_file_where_the_folder_should_be_is_in_the_way() {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("gen"), "mine").unwrap();
        assert!(write(&files(&[("mod.rs", "")]), &dir.path().join("gen")).unwrap_err().is_obstructed());
    }

    #[test]
    fn an_edited_file_is_replaced_if_needed_and_left_if_not() {
        let dir = tempfile::tempdir().unwrap();
        write(&files(&[("a.rs", "1"), ("b.rs", "1")]), dir.path()).unwrap();
        fs::write(dir.path().join("a.rs"), "edited").unwrap();
        fs::write(dir.path().join("b.rs"), "edited").unwrap();
        let report = write(&files(&[("a.rs", "1")]), dir.path()).unwrap();
        assert_eq!((report.overwritten, report.left), (vec!["a.rs".to_owned()], vec!["b.rs".to_owned()]));
        assert_eq!(fs::read_to_string(dir.path().join("b.rs")).unwrap(), "edited");
    }

    #[test]
    fn windows_line_endings_are_no_difference() {
        let dir = tempfile::tempdir().unwrap();
        let files = files(&[("mod.rs", "a\nb\n")]);
        write(&files, dir.path()).unwrap();
        fs::write(dir.path().join("mod.rs"), "a\r\nb\r\n").unwrap();
        assert_eq!(write(&files, dir.path()).unwrap().unchanged, 1);
    }

    #[test]
    fn a_killed_run_leaves_nothing_that_the_next_takes_for_a_strangers() {
        let dir = tempfile::tempdir().unwrap();
        let (old, new) = (files(&[("a.rs", "1")]), files(&[("a.rs", "2"), ("b.rs", "2")]));
        write(&old, dir.path()).unwrap();
        claim(&Manifest::of(&old).union(&Manifest::of(&new)), dir.path()).unwrap();
        fs::write(dir.path().join("b.rs"), "2").unwrap(); // Killed here.
        assert_eq!(write(&files(&[("a.rs", "3")]), dir.path()).unwrap().removed, ["b.rs"]);
    }
}
