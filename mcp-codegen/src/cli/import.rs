//! `import`: the contract of a running server, or of an HTTP API, written down.

use std::error::Error;
use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use clap::ColorChoice;
use mcp_codegen::client::{Client, Target};
use mcp_codegen::diagnostic::Diagnostics;
use mcp_codegen::import::{self, Imported, Offer};
use mcp_codegen::source::{Role, SourceFile, Sources};
use mcp_codegen::{Config, generate};

use super::console::{self, View, count};
use super::{ImportArgs, Outcome, openapi, server};

pub(super) fn run(args: &ImportArgs, color: ColorChoice) -> Result<Outcome, Box<dyn Error>> {
    if let Some(path) = &args.output {
        refuse_if_taken(path, args.force)?;
    }
    let view = View::for_people(color);
    let (imported, summary) = match &args.openapi.openapi {
        Some(file) => match openapi::import(&args.openapi, file, view)? {
            Some(imported) => imported,
            None => return Ok(Outcome::Findings),
        },
        None => from_server(args, view)?,
    };
    for left_out in &imported.left_out {
        console::talk(&format!("note: {left_out}"))?;
    }
    match &args.output {
        Some(path) => {
            write(path, &format!("{}{}", schema_line(path), imported.text), args.force)?;
            console::talk(&format!("wrote `{}`: {summary}", path.display()))?;
        }
        None => console::data(&imported.text)?,
    }
    check(&imported, args.output.as_deref(), view)
}

/// The contract of a server, and what is in it.
fn from_server(args: &ImportArgs, view: View) -> Result<(Imported, String), Box<dyn Error>> {
    if args.output.is_none() && args.server.has_words(&["-o", "--output"]) {
        console::talk("note: `-o` goes to the program: say it before `--stdio`, or put the command into quotes")?;
    }
    let target = args.server.target()?;
    let (client, offer) = args.server.offer(&target, view)?;
    Ok((import::from_offer(&offer, &[origin(&client, &target)]), summary(&offer)))
}

/// Where the contract comes from. What else stands on the command line or in the URL may be secret.
fn origin(client: &Client, target: &Target) -> String {
    format!("Imported from `{}`, which speaks MCP {}.", server::called(target), client.revision())
}

fn summary(offer: &Offer) -> String {
    let counts = [
        (offer.tools.len(), "tool"),
        (offer.resources.len(), "resource"),
        (offer.resource_templates.len(), "resource template"),
        (offer.prompts.len(), "prompt"),
    ];
    let counts: Vec<String> =
        counts.into_iter().filter(|(number, _)| *number > 0).map(|(number, what)| count(number, what)).collect();
    if counts.is_empty() { "the server offers nothing".to_owned() } else { counts.join(", ") }
}

/// Says what is wrong with the contract, as `check` would; of warnings only how many there are.
fn check(imported: &Imported, path: Option<&Path>, view: View) -> Result<Outcome, Box<dyn Error>> {
    let mut sources = Sources::default();
    let path = path.map_or_else(PathBuf::new, Path::to_owned);
    let name = "the imported contract".to_owned();
    sources.add(SourceFile { name, path, text: imported.text.clone(), role: Role::Toml });
    let status = view.work("checking the contract");
    let found = match generate(&sources, &Config::new().name("server")) {
        Ok(generated) => generated.warnings,
        Err(found) => found,
    };
    drop(status);
    if found.has_errors() {
        view.report(&found, &sources)?;
    } else if found.has_warnings() {
        console::talk(&format!("`mcp-codegen check` has {} about it", count(warnings(&found), "warning")))?;
    }
    Ok(view.outcome(&found))
}

fn warnings(found: &Diagnostics) -> usize {
    found.sorted().iter().filter(|finding| !finding.is_error()).count()
}

/// How editors find the schema of contracts, where it lies beside this one.
fn schema_line(path: &Path) -> &'static str {
    if path.with_file_name("mcp-codegen.schema.json").exists() { "#:schema ./mcp-codegen.schema.json\n" } else { "" }
}

/// What lies there may be somebody's work.
fn refuse_if_taken(path: &Path, force: bool) -> Result<(), Box<dyn Error>> {
    if path.extension().is_none_or(|ending| ending != "toml") {
        return Err(format!("`{}` does not end in `.toml`, which is what is written", path.display()).into());
    }
    if !force && path.exists() {
        return Err(format!("`{}` is there already; `--force` replaces it", path.display()).into());
    }
    Ok(())
}

fn write(path: &Path, text: &str, force: bool) -> io::Result<()> {
    let because =
        |error: io::Error| io::Error::new(error.kind(), format!("cannot write `{}`: {error}", path.display()));
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(because)?;
    }
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(force).create_new(!force);
    options.open(path).and_then(|mut file| file.write_all(text.as_bytes())).map_err(because)
}
