//! `import --openapi`: a contract from the description of an HTTP API.

use std::error::Error;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use clap::Args;
use mcp_codegen::import::Imported;
use mcp_codegen::import::openapi::{Description, Options, from_openapi};

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

/// The contract of an API, and what is in it; nothing where there is a fault, which has been told.
pub(super) fn import(
    args: &OpenApiArgs,
    file: &Path,
    view: View,
) -> Result<Option<(Imported, String)>, Box<dyn Error>> {
    let mut options = Options::default();
    options.include.clone_from(&args.include);
    options.exclude.clone_from(&args.exclude);
    options.methods.clone_from(&args.method);
    options.without_output = args.no_output;
    let text = read(file)?;
    let folder = file.canonicalize()?.parent().map(Path::to_owned).unwrap_or_default();
    let within = |path: &Path| {
        // a link can lead out of the folder, which nobody asked for
        if path.canonicalize()?.starts_with(&folder) {
            return read(path);
        }
        Err(io::Error::other(format!(
            "`{}` leads out of the folder of the description, and is not read",
            path.display()
        )))
    };
    let read_beside: Option<&mcp_codegen::import::openapi::ReadFile<'_>> =
        if args.local_refs { Some(&within) } else { None };
    let status = view.work("reading the description");
    let watch = |done: usize, all: usize| status.say(|| format!("{done} of {}", console::count(all, "operation")));
    let description = Description { path: file.to_owned(), text, read: read_beside, watch: Some(&watch) };
    let made = from_openapi(description, &options);
    drop(status);
    view.report(&made.found, &made.sources)?;
    Ok(made.imported.map(|imported| (imported, console::count(made.tools, "tool"))))
}

fn read(path: &Path) -> io::Result<String> {
    let because = |error: io::Error| io::Error::new(error.kind(), format!("cannot read `{}`: {error}", path.display()));
    let found = fs::metadata(path).map_err(because)?;
    if found.len() > MAX_BYTES {
        return Err(io::Error::other(format!("`{}` is larger than {} MiB", path.display(), MAX_BYTES >> 20)));
    }
    fs::read_to_string(path).map_err(because)
}
