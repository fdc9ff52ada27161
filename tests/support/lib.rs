//! What several tests share: the compiled program and a folder to run it in.

#![expect(clippy::missing_panics_doc, reason = "a test that panics has failed, which is all that it is for")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

use serde_json::Value;
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
        Self { code: output.status.code(), stdout: text(output.stdout), stderr: text(output.stderr) }
    }
}

/// The compiled program. Cargo builds it for the tests of its own package only, so this asks for it, once.
pub fn program() -> &'static Path {
    static PROGRAM: OnceLock<PathBuf> = OnceLock::new();
    PROGRAM.get_or_init(|| {
        let mut cargo = Command::new(env!("CARGO"));
        cargo.args(["build", "--quiet", "--package", "mcp-codegen", "--message-format", "json"]);
        let built: Run = cargo.current_dir(env!("CARGO_MANIFEST_DIR")).output().expect("run cargo").into();
        assert_eq!(built.code, Some(0), "mcp-codegen does not build: {}", built.stderr);
        let messages = built.stdout.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
        let mut programs = messages.filter_map(|message| message["executable"].as_str().map(PathBuf::from));
        programs.next().expect("cargo names the program that it built")
    })
}
