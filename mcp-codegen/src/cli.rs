//! What the user typed: argument structs only. Each command's work is in the file of its name.

mod breaking;
mod check;
mod console;
mod contract;
mod docs;
mod explain;
mod fmt;
mod generate;
mod init;
mod lint;
mod manual;
mod revision;
mod schema;
mod watch;

use std::error::Error;
use std::path::PathBuf;

use clap::{Args, ColorChoice, Parser, Subcommand, ValueEnum};
use mcp_codegen::lint::Target;

use self::console::View;

/// Typed Rust from the contract of an MCP server
#[derive(Debug, Parser)]
#[command(name = "mcp-codegen", version, max_term_width = 100, subcommand_required = true)]
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
    Init(InitArgs),
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

    /// The older contract: a file or a folder, or `git:REV` for this one as it was in that revision (`git:REV:PATH` for
    /// another, from the root of the repository)
    #[arg(long, value_name = "OLD")]
    against: String,

    #[command(flatten)]
    report: ReportArgs,
}

/// Explain a rule, with a wrong and a right example
#[derive(Debug, Args)]
pub(crate) struct ExplainArgs {
    /// The rule, such as `E0306` or `root-combinator`; without one, all are listed
    rule: Option<String>,
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

impl Cli {
    /// Runs the command. An error means that it could not do its work.
    pub(crate) fn run(&self) -> Result<Outcome, Box<dyn Error>> {
        match &self.command {
            Command::Generate(args) => generate::run(args, View::new(&args.report, self.color)),
            Command::Check(args) => check::run(args, View::new(&args.report, self.color)),
            Command::Lint(args) => lint::run(args, View::new(&args.report, self.color)),
            Command::Breaking(args) => breaking::run(args, View::new(&args.report, self.color)),
            Command::Explain(args) => explain::run(args),
            Command::Init(args) => init::run(args),
            Command::Docs(args) => docs::run(args, View::new(&args.report, self.color)),
            Command::Fmt(args) => fmt::run(args, View::new(&args.report, self.color)),
            Command::Schema(args) => schema::run(args),
            Command::Completions(args) => manual::completions(args),
            Command::Man(args) => manual::man(args),
        }
    }
}
