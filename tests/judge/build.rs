//! Generates the code that is judged, and a table of it.

#[path = "src/cases.rs"]
mod cases;

use std::error::Error;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

use mcp_codegen::diagnostic::Diagnostics;
use mcp_codegen::{Config, load};
use serde_json::{Value, json};

type Result<T> = std::result::Result<T, Box<dyn Error>>;

fn main() -> Result<()> {
    println!("cargo::rerun-if-changed=src/cases.rs");
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed={}", cases::shared().display());
    let out = PathBuf::from(env::var("OUT_DIR")?);
    let mut judged = String::new();

    let suite = cases::suite().into_iter().map(|group| {
        let tool = json!({"name": "t", "inputSchema": cases::arguments(&group.schema)});
        ((group.file, group.index), tool)
    });
    module(&out, "suite", suite.collect(), &mut judged)?;

    let servers = if env::var_os("CARGO_FEATURE_CORPUS").is_some() { cases::servers() } else { Vec::new() };
    let tools = servers.into_iter().flat_map(|(server, answer)| {
        let tools = answer["tools"].as_array().cloned().unwrap_or_default();
        tools.into_iter().enumerate().map(move |(index, tool)| ((server.clone(), index), tool)).collect::<Vec<_>>()
    });
    module(&out, "corpus", tools.collect(), &mut judged)?;
    fs::write(out.join("judged.rs"), judged)?;
    Ok(())
}

/// Where a tool comes from.
type Place = (String, usize);

/// Adds the code of some tools, and the tables of what was generated and what was refused.
fn module(out: &Path, name: &str, tools: Vec<(Place, Value)>, judged: &mut String) -> Result<()> {
    let (mut accepted, mut table, mut refused) = (Vec::new(), String::new(), String::new());
    for ((file, index), mut tool) in tools {
        let number = accepted.len();
        tool["name"] = json!(format!("t{number}"));
        if let Err(reason) = generate(out, std::slice::from_ref(&tool), name)? {
            writeln!(refused, "Refused {{ place: ({file:?}, {index}), reason: {reason:?} }},")?;
            continue;
        }
        let output = match tool.get("outputSchema") {
            Some(schema) if !schema.is_null() => format!("Some(again::<{name}::tools::t{number}::Output>)"),
            Some(_) | None => "None".to_owned(),
        };
        let input = format!("again::<{name}::tools::t{number}::Args>");
        writeln!(table, "Judged {{ place: ({file:?}, {index}), input: {input}, output: {output} }},")?;
        accepted.push(tool);
    }
    let code = if accepted.is_empty() { String::new() } else { generate(out, &accepted, name)?? };
    fs::write(out.join(format!("{name}.rs")), code)?;
    let upper = name.to_uppercase();
    write!(
        judged,
        "#[allow(unreachable_pub, reason = \"generated code is public wherever it stands\")]\n\
         mod {name} {{ include!(concat!(env!(\"OUT_DIR\"), \"/{name}.rs\")); }}\n\
         /// What was generated of the {name}.\n\
         pub static {upper}: &[Judged] = &[\n{table}];\n\
         /// What the generator refused of the {name}.\n\
         pub static {upper}_REFUSED: &[Refused] = &[\n{refused}];\n",
    )?;
    Ok(())
}

/// The code of a server with these tools, or the first fault.
fn generate(out: &Path, tools: &[Value], name: &str) -> Result<std::result::Result<String, String>> {
    let contract = out.join(format!("{name}.json"));
    fs::write(&contract, serde_json::to_string(&json!({"tools": tools}))?)?;
    let sources = load::load(&contract)?;
    let config = Config::new().name(name).single_file(true);
    let generated = match mcp_codegen::generate(&sources, &config) {
        Ok(generated) => generated,
        Err(found) => return Ok(Err(first_error(&found))),
    };
    let text = generated.files.iter().map(|(_, text)| text.to_owned()).next();
    Ok(text.ok_or_else(|| "nothing was generated".to_owned()))
}

fn first_error(found: &Diagnostics) -> String {
    let errors = found.sorted().into_iter().filter(|finding| finding.is_error());
    errors.map(|finding| finding.message().to_owned()).next().unwrap_or_default()
}
