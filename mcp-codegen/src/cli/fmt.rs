//! `fmt`: one way to lay out contract files.

use std::error::Error;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use clap::Args;
use mcp_codegen::diagnostic::Diagnostics;
use mcp_codegen::source::{Role, SourceFile, Sources};
use mcp_codegen::{fmt, load, output};

use super::console::{self, View};
use super::{Format, Outcome, ReportArgs};

/// Lay out contract files in one way
///
/// Keys stay in their order, values as they are spelled, and every comment where it is: only blanks, line breaks and the
/// commas at the ends of arrays change. A file that would say something else afterwards is not written.
#[derive(Debug, Args)]
pub(crate) struct FmtArgs {
    /// Files and folders; `-` for standard input, which is written to standard output
    #[arg(value_name = "SPECS", required = true)]
    specs: Vec<PathBuf>,

    /// Write nothing; show a diff and exit with 1 if anything would change
    #[arg(long)]
    check: bool,

    #[command(flatten)]
    pub(super) report: ReportArgs,
}

pub(super) fn run(args: &FmtArgs, view: View) -> Result<Outcome, Box<dyn Error>> {
    if args.specs.iter().any(|path| path == Path::new("-")) {
        if args.specs.len() > 1 {
            return Err("`-` stands alone: standard input is one file".into());
        }
        return standard_input(args, view);
    }
    let mut sources = Sources::default();
    for path in &args.specs {
        for (_, file) in load::load(path)?.files().filter(|(_, file)| file.role.is_contract()) {
            sources.add(file.clone());
        }
    }
    let (mut faults, mut changed, mut is_whole) = (Diagnostics::default(), 0, true);
    for (id, file) in sources.files() {
        match fmt::format(&sources, id) {
            Ok(made) if made == file.text => {}
            Ok(made) => {
                changed += 1;
                if args.check && view.format != Format::Human {
                    faults.push(fmt::finding(&sources, id, &made));
                } else if args.check {
                    console::data(&output::diff(&file.path.display().to_string(), &file.text, &made))?;
                } else {
                    replace(&file.path, (&file.text, &made))?;
                }
            }
            Err(fmt::Error::Faulty(found)) => faults.extend(found),
            Err(error) => {
                is_whole = false;
                console::talk(&format!("error: `{}`: {error}", file.path.display()))?;
            }
        }
    }
    view.report(&faults, &sources)?;
    if view.format == Format::Human {
        told(args, (changed, sources.files().count()))?;
    }
    let is_fine = is_whole && view.outcome(&faults) == Outcome::Fine && !(args.check && changed > 0);
    Ok(if is_fine { Outcome::Fine } else { Outcome::Findings })
}

/// Writes a file, unless somebody else has done so meanwhile.
fn replace(path: &Path, (read, made): (&str, &str)) -> Result<(), Box<dyn Error>> {
    let because = |error| format!("cannot read `{}`: {error}", path.display());
    if std::fs::read_to_string(path).map_err(because)? != read {
        return Err(format!("`{}` was changed while it was laid out: run `fmt` again", path.display()).into());
    }
    Ok(output::replace(path, made)?)
}

fn told(args: &FmtArgs, (changed, all): (usize, usize)) -> io::Result<()> {
    let files = console::count(all, "file");
    match (changed, args.check) {
        (0, _) => console::talk(&format!("{files} laid out already")),
        (_, true) => {
            console::talk(&format!("{changed} of {files} would change"))?;
            console::talk("help: run `mcp-codegen fmt` without `--check`")
        }
        (_, false) => console::talk(&format!("laid out {changed} of {files}")),
    }
}

fn standard_input(args: &FmtArgs, view: View) -> Result<Outcome, Box<dyn Error>> {
    let mut text = String::new();
    io::stdin().lock().read_to_string(&mut text)?;
    // No text is both: JSON of a contract begins with a brace, or is an array of objects.
    let is_json = text.trim_start_matches('\u{feff}').trim_start().starts_with('{')
        || serde_json::from_str::<serde_json::Value>(&text).is_ok_and(|value| value.is_array());
    let role = if is_json { Role::Json } else { Role::Toml };
    let mut sources = Sources::default();
    let id =
        sources.add(SourceFile { name: "stdin".to_owned(), path: PathBuf::from("<stdin>"), text: text.clone(), role });
    match fmt::format(&sources, id) {
        Ok(made) if args.check && made == text => Ok(Outcome::Fine),
        Ok(made) if args.check && view.format != Format::Human => {
            let mut found = Diagnostics::default();
            found.push(fmt::finding(&sources, id, &made));
            view.report(&found, &sources)?;
            Ok(Outcome::Findings)
        }
        Ok(made) if args.check => {
            console::data(&output::diff("<stdin>", &text, &made))?;
            Ok(Outcome::Findings)
        }
        Ok(made) => {
            console::data(&made)?;
            Ok(Outcome::Fine)
        }
        Err(fmt::Error::Faulty(found)) => {
            view.report(&found, &sources)?;
            Ok(Outcome::Findings)
        }
        Err(error) => Err(error.into()),
    }
}
