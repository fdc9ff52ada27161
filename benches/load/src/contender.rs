//! Who takes part: how each is built, and how it is started.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The floor comes first: the others are measured against it. `again` is the floor, too: as far as its ratio is from 1, two
/// figures need not differ.
pub(crate) const NAMES: [&str; 7] = ["floor", "again", "ours", "rmcp", "tower-mcp", "typescript", "python"];

/// One server.
#[derive(Debug)]
pub(crate) struct Contender {
    pub(crate) name: &'static str,
    /// Requests are divided by this: the slow ones would take hours.
    pub(crate) slowness: u32,
    /// Whether its handler of `add` can be told to do more than add.
    pub(crate) has_manners: bool,
    program: PathBuf,
    arguments: Vec<String>,
}

impl Contender {
    /// Builds or finds a server.
    ///
    /// # Errors
    ///
    /// Says why it cannot take part.
    pub(crate) fn prepare(name: &'static str, build: bool) -> Result<Self, String> {
        let here = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let peers = here.join("peers");
        let has_manners = matches!(name, "floor" | "again" | "ours");
        let new = |slowness, program, arguments| Ok(Self { name, slowness, has_manners, program, arguments });
        match name {
            "floor" | "again" => new(1, cargo(&here.join("floor"), "bench-floor", build)?, vec![]),
            "ours" => new(1, cargo(&here.join("server"), "bench-server", build)?, vec![]),
            "rmcp" => new(4, cargo(&peers.join(name), "peer-rmcp", build)?, vec![]),
            "tower-mcp" => new(4, cargo(&peers.join(name), "peer-tower-mcp", build)?, vec![]),
            "typescript" => {
                let folder = peers.join(name);
                if build {
                    run(Command::new("npm")
                        .args(["ci", "--silent", "--no-audit", "--no-fund", "--prefix"])
                        .arg(&folder))?;
                }
                let server = present(folder.join("server.mjs"), &folder.join("node_modules"))?;
                new(10, PathBuf::from("node"), vec![server.to_string_lossy().into_owned()])
            }
            "python" => {
                let folder = peers.join(name);
                let python = folder.join(".venv/bin/python");
                if build {
                    run(Command::new("python3").args(["-m", "venv"]).arg(folder.join(".venv")))?;
                    let requirements = folder.join("requirements.txt");
                    run(Command::new(&python).args(["-m", "pip", "install", "-q", "-r"]).arg(requirements))?;
                }
                let server = present(folder.join("server.py"), &python)?;
                new(20, python, vec![server.to_string_lossy().into_owned()])
            }
            _ => Err("nobody knows it".to_owned()),
        }
    }

    /// The command that serves standard input and output.
    pub(crate) fn stdio(&self, manner: Option<&str>) -> Command {
        let mut command = Command::new(&self.program);
        command.args(&self.arguments).args(manner).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        command
    }

    /// The command that serves HTTP at a port of this machine, under `/mcp`.
    pub(crate) fn http(&self, port: u16, manner: Option<&str>) -> Command {
        let mut command = self.stdio(None);
        command.args(["--http", &port.to_string()]).args(manner).stdin(Stdio::null()).stdout(Stdio::null());
        command
    }
}

/// Builds the program of a package, and finds it where cargo puts it.
fn cargo(package: &Path, program: &str, build: bool) -> Result<PathBuf, String> {
    let manifest = package.join("Cargo.toml");
    let mut command = Command::new(env!("CARGO"));
    command.args(["build", "--release", "--quiet", "--message-format=json", "--manifest-path"]).arg(manifest);
    if !build {
        command.arg("--offline");
    }
    let output = command.stderr(Stdio::inherit()).output().map_err(|error| error.to_string())?;
    let messages = String::from_utf8_lossy(&output.stdout);
    let mut programs = messages
        .lines()
        .filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok())
        .filter_map(|message| message["executable"].as_str().map(PathBuf::from))
        .filter(|path| path.file_stem().is_some_and(|stem| stem == program));
    programs.next().ok_or_else(|| "it does not build".to_owned())
}

fn run(command: &mut Command) -> Result<(), String> {
    let status = command.stdin(Stdio::null()).status().map_err(|error| format!("{command:?}: {error}"))?;
    if status.success() { Ok(()) } else { Err(format!("{command:?} failed")) }
}

fn present(server: PathBuf, needed: &Path) -> Result<PathBuf, String> {
    if needed.exists() { Ok(server) } else { Err(format!("{} is not there", needed.display())) }
}
