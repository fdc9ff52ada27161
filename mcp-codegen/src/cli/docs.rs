//! `docs`: the contract as a page for people.

use std::error::Error;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use mcp_codegen::docs::Docs;
use mcp_codegen::{Config, load, output};

use super::console::{self, View};
use super::{ContractArgs, Outcome, ReportArgs, contract};

/// Write the contract as a page for people
///
/// An HTML page stands alone: it has its style and its search with it, and loads nothing. The same contract gives the same
/// bytes.
#[derive(Debug, Args)]
pub(crate) struct DocsArgs {
    #[command(flatten)]
    contract: ContractArgs,

    /// File to write to: `.html` or `.md` says what it becomes [default: standard output, as Markdown]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// What to write, whatever the file is called
    #[arg(long = "as", value_name = "KIND", value_enum)]
    kind: Option<Kind>,

    #[command(flatten)]
    pub(super) report: ReportArgs,
}

/// What the page is written as.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Kind {
    Html,
    Markdown,
}

pub(super) fn run(args: &DocsArgs, view: View) -> Result<Outcome, Box<dyn Error>> {
    let kind = kind(args)?;
    let sources = load::load(&args.contract.specs)?;
    if let Some(path) = &args.output {
        console::refuse_contract(path)?;
    }
    let docs = match Docs::read(&sources, &contract::named(&args.contract, Config::new())) {
        Ok(docs) if view.outcome(&docs.warnings) == Outcome::Fine => docs,
        Ok(Docs { warnings: found, .. }) | Err(found) => {
            view.report(&found, &sources)?;
            return Ok(Outcome::Findings);
        }
    };
    let text = match kind {
        Kind::Html => docs.to_html()?,
        Kind::Markdown => docs.to_markdown()?,
    };
    match &args.output {
        Some(path) => console::told_writing(path, output::put(path, &text)?)?,
        None => console::data(&text)?,
    }
    Ok(Outcome::Fine)
}

fn kind(args: &DocsArgs) -> Result<Kind, String> {
    let ending = args.output.as_ref().and_then(|path| path.extension()).and_then(|ending| ending.to_str());
    match (args.kind, &args.output, ending) {
        (Some(kind), _, _) => Ok(kind),
        (None, None, _) | (None, _, Some("md" | "markdown")) => Ok(Kind::Markdown),
        (None, _, Some("html" | "htm")) => Ok(Kind::Html),
        (None, Some(path), _) => {
            Err(format!("`{}` does not say what to write: end it in `.html` or `.md`, or add `--as`", path.display()))
        }
    }
}
