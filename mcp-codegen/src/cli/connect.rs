//! `connect`: what a client's configuration has to say about a server.
//!
//! The shapes and places are those of the clients' documentation in November 2026.

use std::env;
use std::error::Error;
use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

use clap::ValueEnum;
use mcp_codegen::client::{Endpoint, Program, Target};
use mcp_codegen::import::readable;
use serde_json::{Map, Value, json};

use super::{ConnectArgs, Outcome, console, server};

/// A client that people use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Client {
    Claude,
    ClaudeCode,
    Codex,
    CopilotCli,
    Cursor,
    Gemini,
    Vscode,
    Windsurf,
}

pub(super) fn run(args: &ConnectArgs) -> Result<Outcome, Box<dyn Error>> {
    let target = match args.server.target()? {
        Some(target) => absolute(target)?,
        None => Target::Stdio(package()?),
    };
    let name = match &args.name {
        Some(name) if is_name(name) => name.clone(),
        Some(name) => return Err(format!("`{name}` is no name: use letters, digits, `-` and `_`").into()),
        None => name_of(&target),
    };
    for (index, client) in args.client.iter().enumerate() {
        if index > 0 {
            console::data("\n")?;
        }
        console::talk(&format!("{}: {}", client.title(), client.place(&target)))?;
        if let (Client::Claude, Target::Http(endpoint)) = (client, &target)
            && !endpoint.headers.is_empty()
        {
            console::talk("note: it takes no headers there, and asks the server for a way to log in")?;
        }
        console::data(&client.entry(&name, &target)?)?;
    }
    Ok(Outcome::Fine)
}

impl Client {
    const fn title(self) -> &'static str {
        match self {
            Self::Claude => "Claude",
            Self::ClaudeCode => "Claude Code",
            Self::Codex => "Codex",
            Self::CopilotCli => "Copilot CLI",
            Self::Cursor => "Cursor",
            Self::Gemini => "Gemini CLI",
            Self::Vscode => "VS Code",
            Self::Windsurf => "Windsurf",
        }
    }

    /// Where the entry goes.
    const fn place(self, target: &Target) -> &'static str {
        match (self, target) {
            (Self::Claude, Target::Http(_)) => "Settings > Connectors > Add custom connector, with this URL",
            (Self::Claude, Target::Stdio(_)) => {
                "Settings > Developer > Edit Config, which opens `claude_desktop_config.json`; start the app anew afterwards"
            }
            (Self::ClaudeCode, _) => "`.mcp.json` in the project's folder",
            (Self::Codex, _) => "`~/.codex/config.toml`, or `.codex/config.toml` in a trusted project",
            (Self::CopilotCli, _) => "`~/.copilot/mcp-config.json`",
            (Self::Cursor, _) => "`.cursor/mcp.json` in the project's folder, or `~/.cursor/mcp.json`",
            (Self::Gemini, _) => "`.gemini/settings.json` in the project's folder, or `~/.gemini/settings.json`",
            (Self::Vscode, _) => "`.vscode/mcp.json` in the workspace, or `MCP: Open User Configuration`",
            (Self::Windsurf, _) => "`~/.codeium/windsurf/mcp_config.json`",
        }
    }

    /// What goes there.
    fn entry(self, name: &str, target: &Target) -> Result<String, Box<dyn Error>> {
        let server = match target {
            Target::Http(endpoint) if self == Self::Claude => return Ok(format!("{}\n", endpoint.url)),
            Target::Http(endpoint) => self.on_network(endpoint),
            Target::Stdio(program) => self.program(program)?,
        };
        if self == Self::Codex {
            return Ok(toml(name, &server));
        }
        let list = if self == Self::Vscode { "servers" } else { "mcpServers" };
        Ok(json(list, name, &server))
    }

    fn program(self, program: &Program) -> Result<Vec<(&'static str, Value)>, Box<dyn Error>> {
        let text = |word: &std::ffi::OsString| {
            word.to_str().map(str::to_owned).ok_or("a word of the command is not UTF-8, which no configuration can say")
        };
        let arguments: Vec<String> = program.arguments.iter().map(text).collect::<Result<_, _>>()?;
        let mut server = Vec::new();
        match self {
            Self::ClaudeCode | Self::Vscode => server.push(("type", "stdio".into())),
            Self::CopilotCli => server.push(("type", "local".into())),
            Self::Claude | Self::Codex | Self::Cursor | Self::Gemini | Self::Windsurf => {}
        }
        server.push(("command", text(&program.command)?.into()));
        server.push(("args", arguments.into()));
        if !program.env.is_empty() {
            server.push(("env", pairs(&program.env)));
        }
        if let Some(folder) = &program.folder {
            let folder = std::path::absolute(folder)?;
            match self {
                Self::Codex | Self::Gemini | Self::Vscode => {
                    server.push(("cwd", folder.display().to_string().into()));
                }
                Self::Claude | Self::ClaudeCode | Self::CopilotCli | Self::Cursor | Self::Windsurf => {
                    let title = self.title();
                    return Err(format!("{title} has no key for the folder of a program; leave `--cwd` out").into());
                }
            }
        }
        if self == Self::CopilotCli {
            server.push(("tools", json!(["*"])));
        }
        Ok(server)
    }

    fn on_network(self, endpoint: &Endpoint) -> Vec<(&'static str, Value)> {
        let mut server = Vec::new();
        if matches!(self, Self::ClaudeCode | Self::CopilotCli | Self::Vscode) {
            server.push(("type", "http".into()));
        }
        let key = match self {
            Self::Gemini => "httpUrl",
            Self::Windsurf => "serverUrl",
            Self::Claude | Self::ClaudeCode | Self::Codex | Self::CopilotCli | Self::Cursor | Self::Vscode => "url",
        };
        server.push((key, endpoint.url.as_str().into()));
        if !endpoint.headers.is_empty() {
            let key = if self == Self::Codex { "http_headers" } else { "headers" };
            server.push((key, pairs(&endpoint.headers)));
        }
        if self == Self::CopilotCli {
            server.push(("tools", json!(["*"])));
        }
        server
    }
}

fn pairs(pairs: &[(String, String)]) -> Value {
    pairs.iter().map(|(key, value)| (key.clone(), Value::from(value.as_str()))).collect::<Map<_, _>>().into()
}

/// The entry with all that is around it, a key a line.
fn json(list: &str, name: &str, server: &[(&str, Value)]) -> String {
    let members: Vec<String> =
        server.iter().map(|(key, value)| format!("      \"{key}\": {}", readable(&value.to_string()))).collect();
    let (members, name) = (members.join(",\n"), Value::from(name));
    format!("{{\n  \"{list}\": {{\n    {name}: {{\n{members}\n    }}\n  }}\n}}\n")
}

/// The same for Codex, whose strings are those of JSON but for characters that nobody would use here.
fn toml(name: &str, server: &[(&str, Value)]) -> String {
    let quoted = |text: &str| Value::from(text).to_string().replace('\u{7f}', "\\u007f");
    let mut out = format!("[mcp_servers.{name}]\n");
    for (key, value) in server {
        let value = match value {
            Value::Object(members) => {
                let member = |(key, value): (&String, &Value)| {
                    format!("{} = {}", quoted(key), quoted(value.as_str().unwrap_or_default()))
                };
                format!("{{ {} }}", members.iter().map(member).collect::<Vec<_>>().join(", "))
            }
            Value::Array(items) => {
                let items: Vec<String> = items.iter().map(|item| quoted(item.as_str().unwrap_or_default())).collect();
                format!("[{}]", items.join(", "))
            }
            value => quoted(value.as_str().unwrap_or_default()),
        };
        // Writing to a `String` cannot fail.
        writeln!(out, "{key} = {value}").unwrap_or_default();
    }
    out
}

/// Clients start programs in folders of their own, so that a path must not depend on this one.
fn absolute(target: Target) -> Result<Target, Box<dyn Error>> {
    let Target::Stdio(mut program) = target else { return Ok(target) };
    let command = Path::new(&program.command);
    // A name alone is looked up in PATH.
    if command.components().count() > 1 {
        let path = program.folder.as_deref().map_or_else(|| command.to_owned(), |folder| folder.join(command));
        let path = std::path::absolute(path)?;
        if !path.exists() {
            let path = path.display();
            console::talk(&format!("note: `{path}` is not there; build it, or give the path where it will be"))?;
        }
        program.command = path.into();
    }
    Ok(Target::Stdio(program))
}

/// The program of the cargo package in this folder, as a release build makes it.
fn package() -> Result<Program, Box<dyn Error>> {
    let help = "give `--stdio COMMAND` or `--http URL`, or run this in the folder of a server's package";
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo).args(["metadata", "--no-deps", "--offline", "--format-version", "1"]).output();
    let metadata: Value = match output {
        Ok(output) if output.status.success() => serde_json::from_slice(&output.stdout)?,
        Ok(_) | Err(_) => return Err(format!("there is no server: {help}").into()),
    };
    let here = env::current_dir()?.join("Cargo.toml");
    let packages = metadata["packages"].as_array().map(Vec::as_slice).unwrap_or_default();
    let ours =
        packages.iter().find(|package| package["manifest_path"].as_str().is_some_and(|path| Path::new(path) == here));
    let targets = ours.and_then(|package| package["targets"].as_array()).map(Vec::as_slice).unwrap_or_default();
    let is_program = |target: &&Value| target["kind"].as_array().is_some_and(|kinds| kinds.contains(&"bin".into()));
    let programs: Vec<&str> = targets.iter().filter(is_program).filter_map(|target| target["name"].as_str()).collect();
    let folder = metadata["target_directory"].as_str().unwrap_or("target");
    match programs.as_slice() {
        [name] => {
            let path = Path::new(folder).join("release").join(name).with_extension(env::consts::EXE_EXTENSION);
            if !path.exists() {
                console::talk("note: the program is not built yet; run `cargo build --release`")?;
            }
            Ok(Program::new(path))
        }
        [] => Err(format!("there is no program in this folder: {help}").into()),
        names => Err(format!("this package has several programs ({}): {help}", names.join(", ")).into()),
    }
}

/// What people would call the server, in characters that every client takes.
fn name_of(target: &Target) -> String {
    let name: String = server::called(target).chars().map(|c| if is_name_character(c) { c } else { '-' }).collect();
    if is_name(&name) { name } else { "server".to_owned() }
}

/// What every client takes for the name of a server.
fn is_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(is_name_character)
}

const fn is_name_character(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_' || c == '-'
}
