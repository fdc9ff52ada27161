//! `generate`: writes the code of a contract into a folder, or says how the folder differs from it.

use std::error::Error;
use std::path::Path;

use clap::ColorChoice;
use mcp_codegen::output::{self, ChangeKind, Report};
use mcp_codegen::{Config, Files};

use super::{GenerateArgs, Outcome, console, contract};

pub(super) fn run(args: &GenerateArgs, color: ColorChoice) -> Result<Outcome, Box<dyn Error>> {
    let Some(files) = contract::generate(&args.contract, config(args), color)? else {
        return Ok(Outcome::Findings);
    };
    if args.check { compare(&files, &args.output) } else { write(&files, &args.output) }
}

fn config(args: &GenerateArgs) -> Config {
    Config::new().default_stubs(args.default_stubs).single_file(args.single_file)
}

fn write(files: &Files, dir: &Path) -> Result<Outcome, Box<dyn Error>> {
    let report = output::write(files, dir)?;
    for path in &report.overwritten {
        console::talk(&format!("warning: `{}` had been edited; it is replaced", dir.join(path).display()))?;
    }
    for path in &report.left {
        console::talk(&format!("warning: `{}` is no longer needed, but edited; it stays", dir.join(path).display()))?;
    }
    console::talk(&summary(&report))?;
    Ok(Outcome::Fine)
}

fn compare(files: &Files, dir: &Path) -> Result<Outcome, Box<dyn Error>> {
    let changes = output::compare(files, dir)?;
    if changes.is_empty() {
        console::talk(&format!("{} up to date", console::count(files.len(), "file")))?;
        return Ok(Outcome::Fine);
    }
    for change in &changes {
        console::data(change.diff())?;
        let state = match change.kind() {
            ChangeKind::Missing => "is missing",
            ChangeKind::Outdated => "is not what the contract says",
            ChangeKind::Stale => "is no longer needed",
        };
        console::talk(&format!("`{}` {state}", dir.join(change.path()).display()))?;
    }
    console::talk("help: run `mcp-codegen generate` without `--check`, and commit what it writes")?;
    Ok(Outcome::Findings)
}

fn summary(report: &Report) -> String {
    let (written, removed) = (report.written.len(), report.removed.len());
    if written + removed == 0 {
        return format!("{} unchanged", console::count(report.unchanged, "file"));
    }
    format!("wrote {}, removed {removed}, {} unchanged", console::count(written, "file"), report.unchanged)
}
