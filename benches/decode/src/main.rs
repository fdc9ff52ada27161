//! What decoding and checking arguments costs: generated code beside `serde_json` and a validator, and beside types that
//! derive `Deserialize` and check nothing.
//!
//! One thread, one process. A tool is measured in rounds; in each round every way reads the same texts, one way after the
//! other, so that what disturbs the machine disturbs all of them. A ratio is the median over the rounds.

mod measure;
mod report;
mod twin_types;

use std::collections::BTreeMap;
use std::error::Error;
use std::fs;
use std::hint::black_box;

use jsonschema::Validator;
use mcp_runtime::codegen::{self, Decode};
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

/// A tool, and the ways to read its arguments.
#[derive(Debug)]
struct Case {
    /// The server and the tool.
    name: &'static str,
    /// The file with values for it.
    instances: &'static str,
    schema: &'static str,
    /// Whether the schema constrains more than types can say.
    constrained: bool,
    /// Whether generated code asks a validator, too.
    guarded: bool,
    ours: Read,
    /// The same schema without its constraints.
    bare: Read,
    /// Plain serde.
    twin: Read,
    /// Plain serde from a tree that is there already.
    typed: fn(Value) -> bool,
    /// `serde_json` and the validator. One function for each tool, so that a profile tells them apart.
    judged: fn(&Validator, &str) -> bool,
}

/// Reads a text, drops what was read, and says whether it could be read.
type Read = fn(&str) -> bool;

fn ours<T: Decode>(text: &str) -> bool {
    black_box(codegen::decode::<T>(text)).is_ok()
}

fn serde<T: for<'t> Deserialize<'t>>(text: &str) -> bool {
    black_box(serde_json::from_str::<T>(text)).is_ok()
}

fn typed<T: for<'t> Deserialize<'t>>(value: Value) -> bool {
    black_box(serde_json::from_value::<T>(value)).is_ok()
}

#[expect(clippy::extra_unused_type_parameters, reason = "it makes one function for each tool")]
fn judged<T>(validator: &Validator, text: &str) -> bool {
    black_box(measure::validate(validator, text)).is_some()
}

include!(concat!(env!("OUT_DIR"), "/cases.rs"));

/// A line of a file of values.
#[derive(Deserialize)]
struct Line {
    tool: String,
    which: String,
    instance: Box<RawValue>,
    valid: bool,
}

fn main() -> Result<(), Box<dyn Error>> {
    let only = std::env::args().nth(1).unwrap_or_default();
    let option = std::env::args().nth(2).unwrap_or_default();
    let counted = match option.as_str() {
        "--once" => Some(false),
        "--once-bare" => Some(true),
        _ => None,
    };
    let mut files = BTreeMap::new();
    let (mut measured, mut left_out) = (Vec::new(), Vec::new());
    for case in CASES.iter().filter(|case| case.name.contains(&only)) {
        if !files.contains_key(case.instances) {
            files.insert(case.instances, values(case.instances)?);
        }
        let tool = case.name.split_once('/').map_or(case.name, |(_, tool)| tool);
        let texts = files[case.instances].get(tool).map(Vec::as_slice).unwrap_or_default();
        if let Some(bare) = counted {
            measure::once(case, texts, bare)?;
        } else {
            match measure::case(case, texts)? {
                Some(figures) => measured.push(figures),
                None => left_out.push(case.name),
            }
        }
    }
    if counted.is_some() {
        return Ok(());
    }
    report::print(&measured, &left_out);
    Ok(())
}

/// The valid arguments in a file, by tool.
fn values(path: &str) -> Result<BTreeMap<String, Vec<String>>, Box<dyn Error>> {
    let mut values = BTreeMap::<_, Vec<String>>::new();
    for line in fs::read_to_string(path).map_err(|error| format!("{path}: {error}"))?.lines() {
        let line: Line = serde_json::from_str(line)?;
        if line.valid && line.which == "input" {
            values.entry(line.tool).or_default().push(line.instance.get().to_owned());
        }
    }
    Ok(values)
}
