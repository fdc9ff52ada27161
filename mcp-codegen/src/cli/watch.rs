//! `--watch`: again at each change of a contract, until ctrl-C.
//!
//! What is watched are folders: editors put a new file in the place of the old one, and new files belong to a contract, too.
//! Whether anything changed is told by the texts, not by the news: news come in bursts, and of files that nobody reads.

use std::collections::BTreeSet;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use mcp_codegen::load;
use mcp_codegen::source::Sources;
use notify::{RecommendedWatcher, RecursiveMode, Watcher};

use super::{Outcome, console};
use crate::with_causes;

/// A burst of news is over when it is quiet for so long.
const QUIET: Duration = Duration::from_millis(10);

/// A burst that does not end is looked at after so long.
const PATIENCE: Duration = Duration::from_millis(100);

/// How often to look without news: at a contract that is gone, and in case news never come (some network file systems).
const LOOK: Duration = Duration::from_secs(1);

enum News {
    Changed,
    End,
}

/// Runs `work` now and at each change of the contract. What fails is told, and tried again at the next change.
pub(super) fn watch(specs: &Path, work: impl Fn() -> Result<(), Box<dyn Error>>) -> Result<Outcome, Box<dyn Error>> {
    let (sender, news) = mpsc::channel();
    let end = sender.clone();
    // Between two runs: a run that has begun goes to its end.
    ctrlc::set_handler(move || drop(end.send(News::End)))?;
    let watcher = notify::recommended_watcher(move |_| drop(sender.send(News::Changed)))?;
    let mut folders = Folders { watcher, watched: BTreeSet::new() };
    let mut known = None;
    loop {
        let now = folders.look(specs);
        if known.as_ref() != Some(&now) {
            let began = Instant::now();
            if let Err(error) = work() {
                console::talk(&format!("error: {}", with_causes(&*error)))?;
            }
            let first = known.replace(now).is_none();
            let hint = if first { "; ctrl-C ends it" } else { "" };
            console::talk(&format!("watching `{}` ({} ms){hint}", specs.display(), began.elapsed().as_millis()))?;
        }
        if is_over(&news) {
            return Ok(Outcome::Fine);
        }
    }
}

/// Waits for news, and for the end of the burst that they come in. Says whether it is time to end.
fn is_over(news: &Receiver<News>) -> bool {
    match news.recv_timeout(LOOK) {
        Ok(News::Changed) => {}
        Err(RecvTimeoutError::Timeout) => return false,
        Ok(News::End) | Err(RecvTimeoutError::Disconnected) => return true,
    }
    let latest = Instant::now() + PATIENCE;
    loop {
        match news.recv_timeout(QUIET) {
            Ok(News::Changed) if Instant::now() < latest => {}
            Ok(News::Changed) | Err(RecvTimeoutError::Timeout) => return false,
            Ok(News::End) | Err(RecvTimeoutError::Disconnected) => return true,
        }
    }
}

struct Folders {
    watcher: RecommendedWatcher,
    watched: BTreeSet<PathBuf>,
}

impl Folders {
    /// Reads the contract and watches all folders that it is in: what comes into a new one before it is watched is seen by
    /// reading again.
    fn look(&mut self, specs: &Path) -> Option<Vec<(PathBuf, String)>> {
        loop {
            let sources = load::load(specs).ok();
            let mut folders = folders(specs, sources.as_ref());
            folders.retain(|folder| folder.is_dir());
            self.watched.retain(|folder| folders.contains(folder));
            let mut is_new = false;
            for folder in folders {
                // Each time: another folder may have come in its place. One that cannot be watched is looked at anyway.
                let is_watched = self.watcher.watch(&folder, RecursiveMode::NonRecursive).is_ok();
                is_new |= self.watched.insert(folder) && is_watched;
            }
            if !is_new {
                return sources.as_ref().map(texts);
            }
        }
    }
}

/// The folders of the contract and of what it names, and the one around it, in which it can come back.
fn folders(specs: &Path, sources: Option<&Sources>) -> BTreeSet<PathBuf> {
    let around = |path: &Path| match path.parent() {
        Some(folder) if folder.as_os_str().is_empty() => PathBuf::from("."),
        Some(folder) => folder.to_owned(),
        None => path.to_owned(),
    };
    let mut folders = BTreeSet::from([around(specs)]);
    if let Some(sources) = sources {
        folders.extend(sources.folders().iter().cloned());
        folders.extend(sources.files().map(|(_, file)| around(&file.path)));
        folders.extend(sources.unreadable_paths().map(around));
    }
    folders
}

fn texts(sources: &Sources) -> Vec<(PathBuf, String)> {
    sources.files().map(|(_, file)| (file.path.clone(), file.text.clone())).collect()
}
