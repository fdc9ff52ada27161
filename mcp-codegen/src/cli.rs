//! What the user typed: argument structs only. Each command's work is in the file of its name.

mod breaking;
mod call;
mod check;
mod connect;
mod console;
mod contract;
mod docs;
mod explain;
mod fmt;
mod generate;
mod import;
mod init;
mod lint;
mod manual;
mod mock;
mod openapi;
mod revision;
mod schema;
mod server;
mod status;
mod stubs;
mod watch;

use std::error::Error;
use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, ColorChoice, Parser, Subcommand, ValueEnum};
use mcp_codegen::lint::Target;

use self::console::View;
use self::server::{ConversationArgs, ServerArgs};

/// Typed Rust from the contract of an MCP server
#[derive(Debug, Parser)]
#[command(name = "mcp-codegen", bin_name = "mcp-codegen", version, max_term_width = 100, subcommand_required = true)]
pub(crate) struct Cli {
    #[command(subcommand)]
    command: Command,

    /// Color messages: `auto` does so on a terminal, unless `NO_COLOR` is set
    #[arg(long, global = true, value_name = "WHEN", default_value_t = ColorChoice::Auto, hide_possible_values = true, display_order = 100)]
    color: ColorChoice,
}

#[derive(Debug, Subcommand)]
enum Command {
    Generate(GenerateArgs),
    Check(CheckArgs),
    Lint(LintArgs),
    Breaking(BreakingArgs),
    Explain(ExplainArgs),
    Import(ImportArgs),
    Call(CallArgs),
    Connect(ConnectArgs),
    Init(InitArgs),
    Stubs(StubsArgs),
    Mock(MockArgs),
    Docs(docs::DocsArgs),
    Fmt(fmt::FmtArgs),
    Schema(schema::SchemaArgs),
    Completions(manual::CompletionsArgs),
    Man(manual::ManArgs),
}

/// Write the Rust code of a contract
///
/// Writes only files whose text changes, and removes files that it once wrote and that are no longer needed. It never
/// touches a file that it did not write: `.mcp-codegen-manifest` in the folder says which ones are its own.
#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch that somebody types")]
pub(crate) struct GenerateArgs {
    /// Folder to write to, such as `src/gen`
    #[arg(short, long, value_name = "DIR")]
    output: PathBuf,

    /// Write nothing; show a diff and exit with 1 if anything would change
    #[arg(long)]
    check: bool,

    /// Write again whenever the contract changes, until ctrl-C
    #[arg(long, conflicts_with = "check")]
    watch: bool,

    /// Give each trait method a default body that answers 'not implemented'
    #[arg(long)]
    default_stubs: bool,

    /// Write everything into one file, `mod.rs`
    #[arg(long)]
    single_file: bool,

    #[command(flatten)]
    contract: ContractArgs,

    #[command(flatten)]
    report: ReportArgs,
}

/// Validate a contract
///
/// Reports every fault at once and exits with 1 if there is an error. Warnings alone exit with 0.
#[derive(Debug, Args)]
pub(crate) struct CheckArgs {
    #[command(flatten)]
    contract: ContractArgs,

    #[command(flatten)]
    report: ReportArgs,
}

/// Report what clients and models would refuse, cut or read badly
///
/// Each rule names the clients that it hurts, and says what they do: `explain RULE` shows more, with the source. A rule is
/// silenced beside a feature, with a reason: `allow = { "RULE" = "why" }`. Exits with 1 if there is an error.
#[derive(Debug, Args)]
pub(crate) struct LintArgs {
    #[command(flatten)]
    contract: ContractArgs,

    /// For whom: claude, claude-strict, copilot-cli, cursor, gemini, gemini-raw, openai, openai-strict, others, vscode,
    /// windsurf [default: all but the strict and raw ones]
    #[arg(long, value_name = "TARGETS", value_delimiter = ',', value_parser = target)]
    target: Vec<Target>,

    /// Silence these rules everywhere
    #[arg(long, value_name = "RULES", value_delimiter = ',')]
    allow: Vec<String>,

    /// Say what each tool costs a model, in tokens
    #[arg(long)]
    tokens: bool,

    #[command(flatten)]
    report: ReportArgs,
}

/// Report what changed since an older contract, and whom it hurts
///
/// By direction: what a server takes may widen, what it gives may narrow. A change that breaks a client is an error, one
/// that may is a warning, any other a note. Schemas are compared by what they accept; where that cannot be told, it is said.
/// Exits with 1 if a client would break.
#[derive(Debug, Args)]
pub(crate) struct BreakingArgs {
    #[command(flatten)]
    contract: ContractArgs,

    /// The older contract: a file or a folder; `git:REV` for this one as it was in that revision (`git:REV:PATH` for
    /// another, from the root of the repository); or a running server, as `https://HOST/PATH` or `'stdio:COMMAND ARGS'`
    #[arg(long, value_name = "OLD")]
    against: String,

    /// Accept these kinds of change, such as `arguments-closed`: say in the commit why they are meant
    #[arg(long, value_name = "CHANGES", value_delimiter = ',')]
    allow: Vec<String>,

    #[command(flatten)]
    conversation: ConversationArgs,

    #[command(flatten)]
    report: ReportArgs,
}

/// Explain a rule, with a wrong and a right example
#[derive(Debug, Args)]
pub(crate) struct ExplainArgs {
    /// The rule, such as `E0306` or `root-combinator`; without one, all are listed
    rule: Option<String>,
}

/// Write down the contract of a running server, or of an HTTP API
///
/// The contract is TOML, in the shortest form that says exactly what the server listed; of an API it has a tool for each
/// operation, and a comment wherever a choice was made. It goes to standard output, or into a file. Exits with 1 if `check`
/// would find an error in it.
#[derive(Debug, Args)]
pub(crate) struct ImportArgs {
    #[command(flatten)]
    server: ServerArgs,

    #[command(flatten)]
    openapi: openapi::OpenApiArgs,

    /// File to write, such as `specs/server.toml`
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Replace the file if it is there
    #[arg(long, requires = "output")]
    force: bool,
}

/// Call a tool of a running server
///
/// Shows what the tool answers: text as it is, structured data as JSON, anything else by its type and size. Exits with 1
/// if the tool says that it failed.
#[derive(Debug, Args)]
pub(crate) struct CallArgs {
    /// Name of the tool
    tool: String,

    /// The arguments: a JSON object, `-` to read one from standard input, or pairs such as `city=Oslo days=3`
    #[arg(value_name = "ARGS")]
    arguments: Vec<String>,

    #[command(flatten)]
    server: ServerArgs,

    /// How to show the answer: for people, or as the JSON that the server sent
    #[arg(long, value_name = "FORMAT", default_value_t, value_enum)]
    format: CallFormat,
}

/// Show how to tell a client about a server
///
/// Prints the entry for the configuration file of each client, and where that file lies; no file is touched. Without a
/// server it is the program of the cargo package in this folder.
#[derive(Debug, Args)]
pub(crate) struct ConnectArgs {
    /// For whom: claude (the desktop app), claude-code, codex, copilot-cli, cursor, gemini, vscode, windsurf
    #[arg(long, value_name = "CLIENTS", value_delimiter = ',', required = true, hide_possible_values = true)]
    client: Vec<connect::Client>,

    /// What the client calls the server [default: the name of the program or host]
    #[arg(long)]
    name: Option<String>,

    #[command(flatten)]
    server: server::Optional,
}

/// Start a new project: a server that builds, runs and passes its tests
#[derive(Debug, Args)]
pub(crate) struct InitArgs {
    /// Folder of the project; new or empty
    #[arg(value_name = "DIR")]
    dir: PathBuf,

    /// Name of the package and of the server [default: made from the folder's name]
    #[arg(long)]
    name: Option<String>,

    /// Use the mcp-runtime in this folder, and the mcp-codegen beside it, instead of the published ones
    #[arg(long, value_name = "PATH")]
    runtime_path: Option<PathBuf>,
}

/// Write a starting impl for each feature that the crate does not implement
///
/// Reads the crate, from `src/main.rs` or `src/lib.rs` on, and writes a file for each missing feature, and `mod.rs` beside
/// them if there is none. A file that is there is never overwritten; only a `mod.rs` of this command's own gets new lines at
/// its end. An impl whose feature is no longer in the contract is told, and stays. What macros implement is not seen.
#[derive(Debug, Args)]
pub(crate) struct StubsArgs {
    /// Folder to write to, such as `src/handlers`
    #[arg(short, long, value_name = "DIR")]
    output: PathBuf,

    /// Type that gets the impls [default: the one that has most of them, or that is given to `service`]
    #[arg(long, value_name = "PATH")]
    handler: Option<String>,

    /// Module of the generated code [default: the one that takes it up]
    #[arg(long, value_name = "PATH")]
    api: Option<String>,

    /// Root of the crate [default: src/main.rs or src/lib.rs of the package around the folder]
    #[arg(long, value_name = "FILE")]
    root: Option<PathBuf>,

    #[command(flatten)]
    contract: ContractArgs,

    #[command(flatten)]
    report: ReportArgs,
}

/// Serve a contract from its examples, before there is code
///
/// Arguments are validated as the generated server would. A call like that of an example gets its output, any other that of
/// the nearest example; where there is none, a value is made that the output schema accepts. Static resources and prompts
/// are as they are. Each call, read and prompt is told on standard error. Exits with 1 if the contract has an error.
#[derive(Debug, Args)]
pub(crate) struct MockArgs {
    /// Serve over HTTP on this address, such as `127.0.0.1:8080`, and not on standard input and output
    #[arg(long, value_name = "ADDRESS")]
    http: Option<String>,

    /// Serve only the features in these groups of the contract
    #[arg(long, value_name = "GROUPS", value_delimiter = ',')]
    only: Vec<String>,

    /// Do not tell requests
    #[arg(short, long)]
    quiet: bool,

    #[command(flatten)]
    contract: ContractArgs,

    #[command(flatten)]
    report: ReportArgs,
}

/// What every command takes that reads a contract.
#[derive(Debug, Args)]
struct ContractArgs {
    /// The contract: a TOML or JSON file, or a folder of them
    #[arg(value_name = "SPECS")]
    specs: PathBuf,

    /// Name of a server whose contract states none
    #[arg(long)]
    name: Option<String>,
}

/// What every command takes that reports findings.
#[derive(Debug, Args)]
struct ReportArgs {
    /// How to write findings: for people, one JSON object a line, as GitHub annotations, or as a SARIF log
    #[arg(long, value_name = "FORMAT", default_value_t, value_enum)]
    format: Format,

    /// Exit with 1 for warnings, too
    #[arg(long)]
    deny_warnings: bool,
}

/// How findings are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum Format {
    #[default]
    Human,
    Json,
    Github,
    Sarif,
}

/// How the answer of a tool is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum CallFormat {
    #[default]
    Human,
    Json,
}

/// What a command that ran to its end has to say to its caller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    Fine,
    Findings,
}

fn target(name: &str) -> Result<Target, String> {
    let names = || Target::ALL.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ");
    Target::named(name).ok_or_else(|| format!("expected one of {}", names()))
}

/// The words of the command line, with an end after each command that is one word: what follows it is ours again.
pub(crate) fn arguments(words: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let mut words = words.peekable();
    let mut arguments = Vec::new();
    while let Some(word) = words.next() {
        let names_a_program = word == "--stdio";
        arguments.push(word);
        if names_a_program && let Some(command) = words.next_if(server::is_command_line) {
            arguments.push(command);
            if words.peek().is_some_and(|word| word != "--") {
                arguments.push("--".into());
            }
        }
    }
    arguments
}

impl Cli {
    /// Runs the command. An error means that it could not do its work.
    pub(crate) fn run(&self) -> Result<Outcome, Box<dyn Error>> {
        match &self.command {
            Command::Generate(args) => generate::run(args, View::new(&args.report, self.color)),
            Command::Check(args) => check::run(args, View::new(&args.report, self.color)),
            Command::Lint(args) => lint::run(args, View::new(&args.report, self.color)),
            Command::Breaking(args) => breaking::run(args, View::new(&args.report, self.color)),
            Command::Explain(args) => explain::run(args),
            Command::Import(args) => import::run(args, self.color),
            Command::Call(args) => call::run(args),
            Command::Connect(args) => connect::run(args),
            Command::Init(args) => init::run(args),
            Command::Stubs(args) => stubs::run(args, View::new(&args.report, self.color)),
            Command::Mock(args) => mock::run(args, View::new(&args.report, self.color)),
            Command::Docs(args) => docs::run(args, View::new(&args.report, self.color)),
            Command::Fmt(args) => fmt::run(args, View::new(&args.report, self.color)),
            Command::Schema(args) => schema::run(args),
            Command::Completions(args) => manual::completions(args),
            Command::Man(args) => manual::man(args),
        }
    }
}
