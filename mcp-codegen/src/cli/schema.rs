//! `schema`: the JSON Schema of the contract format, for editors.

use std::error::Error;
use std::path::PathBuf;

use clap::Args;
use mcp_codegen::{contract_schema, output};

use super::{Outcome, console};

/// Write the JSON Schema of the contract format, for editors
///
/// Editors complete and check a contract that names the file: a TOML one in its first line, by `#:schema
/// ./mcp-codegen.schema.json`, a JSON one by `"$schema"`. Write it again after an update of this program.
#[derive(Debug, Args)]
pub(crate) struct SchemaArgs {
    /// File to write to, such as `specs/mcp-codegen.schema.json` [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

pub(super) fn run(args: &SchemaArgs) -> Result<Outcome, Box<dyn Error>> {
    let text = contract_schema();
    if let Some(path) = args.output.as_ref().filter(|path| !path.to_string_lossy().ends_with(".schema.json")) {
        console::refuse_contract(path)?;
    }
    match &args.output {
        Some(path) => console::told_writing(path, output::put(path, &text)?)?,
        None => console::data(&text)?,
    }
    Ok(Outcome::Fine)
}
