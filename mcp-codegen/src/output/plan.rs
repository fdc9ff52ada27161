//! What a write would do to a folder. Looks at everything first, so that a known obstacle stops the run before it
//! has changed anything.

use std::path::Path;

use super::disk::{self, Found};
use super::error::Obstacle;
use super::manifest::{self, MANIFEST, Manifest};
use super::{Error, Files};

/// The difference between the files and the folder.
#[derive(Debug, Default)]
pub(super) struct Plan<'a> {
    pub(super) writes: Vec<Write<'a>>,
    /// Ours, no longer needed, as we wrote them.
    pub(super) stale: Vec<String>,
    /// Ours, no longer needed, but changed since by somebody: left where they are.
    pub(super) left: Vec<String>,
    pub(super) unchanged: usize,
    /// The manifest as it stands in the folder.
    pub(super) owned: Manifest,
}

/// A file whose text must change.
#[derive(Debug)]
pub(super) struct Write<'a> {
    pub(super) path: &'a str,
    pub(super) text: &'a str,
    /// Whether somebody changed it since we wrote it.
    pub(super) edited: bool,
}

/// Compares `files` with what `dir` holds.
pub(super) fn plan<'a>(files: &'a Files, dir: &Path) -> Result<Plan<'a>, Error> {
    if dir.exists() && !dir.is_dir() {
        return Err(Error::obstructed(vec![Obstacle { path: dir.to_owned(), reason: "is not a folder" }]));
    }
    let mut obstacles = Vec::new();
    let mut plan = Plan { owned: read_manifest(dir, &mut obstacles)?, ..Plan::default() };
    for (path, text) in files.iter() {
        if let Some(reason) = plan.add_needed(dir, path, text)? {
            obstacles.push(Obstacle { path: super::place(dir, path), reason });
        }
    }
    plan.add_unneeded(files, dir)?;
    if obstacles.is_empty() { Ok(plan) } else { Err(Error::obstructed(obstacles)) }
}

fn read_manifest(dir: &Path, obstacles: &mut Vec<Obstacle>) -> Result<Manifest, Error> {
    Ok(match disk::look(dir, MANIFEST)? {
        Found::Absent => Manifest::default(),
        Found::File(text) => Manifest::parse(&String::from_utf8_lossy(&text)),
        Found::Other => {
            obstacles.push(Obstacle { path: dir.join(MANIFEST), reason: "is not a plain file" });
            Manifest::default()
        }
    })
}

impl<'a> Plan<'a> {
    /// Plans one file, or says why it cannot be written.
    fn add_needed(&mut self, dir: &Path, path: &'a str, text: &'a str) -> Result<Option<&'static str>, Error> {
        if !manifest::is_below(path) {
            return Ok(Some("is not below the output folder"));
        }
        match disk::look(dir, path)? {
            Found::Absent => self.writes.push(Write { path, text, edited: false }),
            Found::File(found) if disk::same_text(&found, text.as_bytes()) => self.unchanged += 1,
            Found::File(_) if !self.owned.owns(path) => return Ok(Some("was not written by mcp-codegen")),
            Found::File(found) => {
                let edited = !self.owned.wrote(path, &found);
                self.writes.push(Write { path, text, edited });
            }
            Found::Other => return Ok(Some("is not a plain file in a plain folder")),
        }
        Ok(None)
    }

    /// Plans what becomes of the files that are ours and not in `files`.
    fn add_unneeded(&mut self, files: &Files, dir: &Path) -> Result<(), Error> {
        let mut paths: Vec<&str> = self.owned.paths().filter(|path| files.get(path).is_none()).collect();
        paths.dedup();
        for path in paths {
            match disk::look(dir, path)? {
                Found::Absent | Found::Other => {}
                Found::File(found) if self.owned.wrote(path, &found) => self.stale.push(path.to_owned()),
                Found::File(_) => self.left.push(path.to_owned()),
            }
        }
        Ok(())
    }
}
