//! `generate`: writes the code of a contract into a folder, or says how the folder differs from it.

use std::error::Error;
use std::path::Path;

use mcp_codegen::diagnostic::Diagnostics;
use mcp_codegen::output::{self, Report};
use mcp_codegen::{Config, Files};

use super::console::{self, View};
use super::contract::Read;
use super::{Format, GenerateArgs, Outcome, contract, watch};

pub(super) fn run(args: &GenerateArgs, view: View) -> Result<Outcome, Box<dyn Error>> {
    if args.watch {
        return watch::watch(&args.contract.specs, || once(args, view).map(drop));
    }
    once(args, view)
}

fn once(args: &GenerateArgs, view: View) -> Result<Outcome, Box<dyn Error>> {
    let read = contract::generate(&args.contract, config(args), view)?;
    let Some(generated) = read.made.as_ref().filter(|_| view.outcome(&read.found) == Outcome::Fine) else {
        return read.report(view);
    };
    if args.check {
        return compare(&read, &generated.files, (&args.output, view));
    }
    read.report(view)?;
    write(&generated.files, &args.output)
}

fn config(args: &GenerateArgs) -> Config {
    Config::new().default_stubs(args.default_stubs).single_file(args.single_file)
}

fn write(files: &Files, dir: &Path) -> Result<Outcome, Box<dyn Error>> {
    let report = output::write(files, dir)?;
    for path in &report.overwritten {
        console::talk(&format!("warning: `{}` had been edited; it is replaced", output::place(dir, path).display()))?;
    }
    for path in &report.left {
        console::talk(&format!(
            "warning: `{}` is no longer needed, but edited; it stays",
            output::place(dir, path).display()
        ))?;
    }
    console::talk(&summary(&report))?;
    Ok(Outcome::Fine)
}

fn compare<T>(read: &Read<T>, files: &Files, (dir, view): (&Path, View)) -> Result<Outcome, Box<dyn Error>> {
    let changes = output::compare(files, dir)?;
    if view.format != Format::Human {
        let mut sources = read.sources.clone();
        let mut found: Diagnostics = read.found.clone();
        for change in &changes {
            found.push(change.finding(dir, &mut sources));
        }
        view.report(&found, &sources)?;
        return Ok(view.outcome(&found));
    }
    read.report(view)?;
    if changes.is_empty() {
        console::talk(&format!("{} up to date", console::count(files.len(), "file")))?;
        return Ok(Outcome::Fine);
    }
    for change in &changes {
        console::data(change.diff())?;
        console::talk(&format!("`{}` {}", output::place(dir, change.path()).display(), change.kind().state()))?;
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
