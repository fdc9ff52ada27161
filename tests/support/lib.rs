//! What several tests share: compiled programs, a folder to run them in, and a client for servers.

#![expect(clippy::missing_panics_doc, reason = "a test that panics has failed, which is all that it is for")]

pub mod build;
pub mod equal;
pub mod memory;
pub mod messages;
#[cfg(unix)]
pub mod nginx;
pub mod official;
pub mod posted;
pub mod web;
pub mod wire;

pub mod generated_crate;
pub mod lists;
pub mod ordered;

use std::env;
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::LazyLock;

use tempfile::TempDir;

/// The contract that most tests start from.
pub const WEATHER: &str = include_str!("weather.toml");

/// A folder of its own for one test, with `specs/weather.toml` in it.
#[derive(Debug)]
pub struct Sandbox {
    dir: TempDir,
}

/// How a run of the program ended.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Run {
    /// The exit code; `None` for a run that was killed.
    pub code: Option<i32>,
    /// Data.
    pub stdout: String,
    /// Talk.
    pub stderr: String,
}

impl Sandbox {
    /// A fresh folder.
    #[must_use]
    pub fn new() -> Self {
        let sandbox = Self { dir: tempfile::tempdir().expect("a temporary folder") };
        sandbox.write("specs/weather.toml", WEATHER);
        sandbox
    }

    /// Where `path` lies.
    #[must_use]
    pub fn path(&self, path: &str) -> PathBuf {
        self.dir.path().join(path)
    }

    /// Puts a file there, with its folders.
    pub fn write(&self, path: &str, text: &str) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().expect("a file has a folder")).expect("create a folder");
        fs::write(path, text).expect("write a file");
    }

    /// The text of a file.
    #[must_use]
    pub fn read(&self, path: &str) -> String {
        fs::read_to_string(self.path(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
    }

    /// `mcp-codegen` in this folder, without color and with a terminal of a fixed width.
    #[must_use]
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(program());
        command.args(arguments).current_dir(self.dir.path()).env_remove("COLUMNS").env_remove("NO_COLOR");
        command
    }

    /// Runs `mcp-codegen` in this folder.
    #[must_use]
    pub fn run(&self, arguments: &[&str]) -> Run {
        self.command(arguments).output().expect("run mcp-codegen").into()
    }
}

impl Default for Sandbox {
    fn default() -> Self {
        Self::new()
    }
}

impl From<Output> for Run {
    fn from(output: Output) -> Self {
        let text = |bytes| String::from_utf8(bytes).expect("output is text");
        let stderr = text(output.stderr);
        // words for people, in which paths are spelled as the system spells them
        let stderr = if cfg!(windows) { stderr.replace('\\', "/") } else { stderr };
        Self { code: output.status.code(), stdout: text(output.stdout), stderr }
    }
}

/// The compiled `mcp-codegen`.
#[must_use]
pub fn program() -> &'static Path {
    static PROGRAM: LazyLock<PathBuf> = LazyLock::new(|| build::installed("mcp-codegen"));
    &PROGRAM
}

/// The compiled weather example.
#[must_use]
pub fn weather() -> &'static Path {
    static PROGRAM: LazyLock<PathBuf> = LazyLock::new(|| build::program("weather"));
    &PROGRAM
}

/// The compiled everything example.
#[must_use]
pub fn everything() -> &'static Path {
    static PROGRAM: LazyLock<PathBuf> = LazyLock::new(|| build::program("everything"));
    &PROGRAM
}

/// Whether a part of `tests/` that `.ci/run` installs is there. Under `CI` it must be.
#[must_use]
pub fn installed(part: &str) -> bool {
    if workspace().join("tests").join(part).exists() {
        return true;
    }
    let why = format!("tests/{part} is absent; `.ci/run` installs it");
    assert!(env::var_os("CI").is_none(), "{why}");
    note(&format!("skipped: {why}"));
    false
}

/// The root of the checkout.
#[must_use]
pub fn workspace() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the tests lie in the workspace")
}

/// The folder of shared test data beside the checkout. `None`, with a word about it, where it is absent.
#[must_use]
pub fn shared(part: &str) -> Option<PathBuf> {
    let path = workspace().join("../shared").join(part);
    if path.exists() {
        return Some(path);
    }
    note(&format!("skipped: ../shared/{part} is not here"));
    None
}

/// Tells whoever runs the tests something. Not with `eprintln!`, which is not heard from a test that passes.
pub fn note(text: &str) {
    let _ = writeln!(io::stderr(), "{text}");
}

/// The contracts in `specs/<kind>`, sorted: each file or folder is one.
#[must_use]
pub fn specs(kind: &str) -> Vec<PathBuf> {
    let folder = workspace().join("specs").join(kind);
    let entries = fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<_> = entries.map(|entry| entry.expect("a folder entry").path()).collect();
    paths.sort();
    paths
}

/// The name of a contract without its ending.
#[must_use]
pub fn stem(path: &Path) -> &str {
    path.file_stem().and_then(|stem| stem.to_str()).expect("a name in UTF-8")
}
