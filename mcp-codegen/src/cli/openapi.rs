//! `import --openapi`: a contract from the description of an HTTP API.

use std::error::Error;
use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use clap::{Args, ColorChoice};
use mcp_codegen::diagnostic::Diagnostics;
use mcp_codegen::import::Imported;
use mcp_codegen::import::openapi::{Description, Options, from_openapi};
use mcp_codegen::source::{Role, SourceFile, Sources};
use mcp_codegen::{Config, generate};

use super::Outcome;
use super::console::{self, View};

/// Larger files are no description.
const MAX_BYTES: u64 = 256 << 20;

/// What `import` takes for descriptions.
#[derive(Debug, Args)]
pub(super) struct OpenApiArgs {
    /// Read the description of an HTTP API, in OpenAPI 3.0 or 3.1, as JSON or YAML: each operation becomes a tool
    #[arg(long, value_name = "FILE", group = "TargetArgs")]
    pub(super) openapi: Option<PathBuf>,

    /// Take only operations whose `operationId`, path or tag is one of these; `*` stands for any characters
    #[arg(long, value_name = "GLOBS", value_delimiter = ',', requires = "openapi")]
    include: Vec<String>,

    /// Leave such operations out
    #[arg(long, value_name = "GLOBS", value_delimiter = ',', requires = "openapi")]
    exclude: Vec<String>,

    /// Take only operations of these methods, such as `get,put`
    #[arg(long, value_name = "METHODS", value_delimiter = ',', requires = "openapi")]
    method: Vec<String>,

    /// Follow references to files in the folder of the description
    #[arg(long, requires = "openapi")]
    local_refs: bool,

    /// Say nothing of results: their schemas are long, and models read them all
    #[arg(long, requires = "openapi")]
    no_output: bool,
}

/// Where the contract goes.
#[derive(Clone, Copy, Debug)]
pub(super) struct To<'a> {
    pub(super) output: Option<&'a Path>,
    pub(super) force: bool,
}

pub(super) fn run(args: &OpenApiArgs, file: &Path, to: To<'_>, color: ColorChoice) -> Result<Outcome, Box<dyn Error>> {
    if let Some(path) = to.output {
        refuse_if_taken(path, to.force)?;
    }
    let mut options = Options::default();
    options.include.clone_from(&args.include);
    options.exclude.clone_from(&args.exclude);
    options.methods.clone_from(&args.method);
    options.without_output = args.no_output;
    let text = read(file)?;
    let read_beside: Option<&mcp_codegen::import::openapi::ReadFile<'_>> =
        if args.local_refs { Some(&read) } else { None };
    let made = from_openapi(Description { path: file.to_owned(), text, read: read_beside }, &options);
    let view = View::for_people(color);
    view.report(&made.found, &made.sources)?;
    let Some(imported) = made.imported else { return Ok(Outcome::Findings) };
    for left_out in &imported.left_out {
        console::talk(&format!("note: {left_out}"))?;
    }
    match to.output {
        Some(path) => {
            write(path, &imported.text, to.force)?;
            console::talk(&format!("wrote `{}`: {}", path.display(), console::count(made.tools, "tool")))?;
        }
        None => console::data(&imported.text)?,
    }
    check(&imported, to.output, view)
}

fn read(path: &Path) -> io::Result<String> {
    let because = |error: io::Error| io::Error::new(error.kind(), format!("cannot read `{}`: {error}", path.display()));
    let found = fs::metadata(path).map_err(because)?;
    if found.len() > MAX_BYTES {
        return Err(io::Error::other(format!("`{}` is larger than {} MiB", path.display(), MAX_BYTES >> 20)));
    }
    fs::read_to_string(path).map_err(because)
}

/// Says what is wrong with the contract, as `check` would; of warnings only how many there are.
fn check(imported: &Imported, path: Option<&Path>, view: View) -> Result<Outcome, Box<dyn Error>> {
    let mut sources = Sources::default();
    let path = path.map_or_else(PathBuf::new, Path::to_owned);
    let name = "the imported contract".to_owned();
    sources.add(SourceFile { name, path, text: imported.text.clone(), role: Role::Toml });
    let found = match generate(&sources, &Config::new().name("server")) {
        Ok(generated) => generated.warnings,
        Err(found) => found,
    };
    if found.has_errors() {
        view.report(&found, &sources)?;
    } else if found.has_warnings() {
        console::talk(&format!("`mcp-codegen check` has {} about it", console::count(warnings(&found), "warning")))?;
    }
    Ok(view.outcome(&found))
}

fn warnings(found: &Diagnostics) -> usize {
    found.sorted().iter().filter(|finding| !finding.is_error()).count()
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
