//! Generates the code that is judged, and a table of it.

#[path = "src/cases.rs"]
#[expect(dead_code, unreachable_pub, reason = "the library shows it to the tests")]
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
    println!("cargo::rerun-if-env-changed=MCP_CODEGEN_RANDOM");
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed={}", cases::shared().display());
    let out = PathBuf::from(env::var("OUT_DIR")?);
    let mut judged = String::new();

    let suite = cases::suite().into_iter().map(|group| {
        let tool = json!({"name": "t", "inputSchema": cases::arguments(&group.schema)});
        ((group.file, group.index), tool)
    });
    let mut table = Table::default();
    table.add(&out, "suite", suite.collect())?;
    judged.push_str(&table.finish("SUITE")?);

    let formats = cases::formats().into_iter().map(|group| {
        let tool = json!({"name": "t", "inputSchema": cases::arguments(&group.schema)});
        ((group.file, group.index), tool)
    });
    let mut table = Table { asserts_formats: true, ..Table::default() };
    table.add(&out, "formats", formats.collect())?;
    judged.push_str(&table.finish("FORMATS")?);

    let schemas = mcp_codegen_random::schemas().into_iter().map(|random| {
        let mut tool = json!({"name": "t", "inputSchema": random.schema});
        if let Some(output) = random.output {
            tool["outputSchema"] = output;
        }
        Ok(((String::new(), usize::try_from(random.seed)?), tool))
    });
    let mut table = Table::default();
    table.add(&out, "random", schemas.collect::<Result<_>>()?)?;
    judged.push_str(&table.finish("RANDOM")?);

    let servers = if env::var_os("CARGO_FEATURE_CORPUS").is_some() { cases::servers() } else { Vec::new() };
    let mut table = Table::default();
    for (number, (server, answer)) in servers.into_iter().enumerate() {
        let tools = answer["tools"].as_array().cloned().unwrap_or_default();
        let tools = tools.into_iter().enumerate().map(|(index, tool)| ((server.clone(), index), tool));
        table.add(&out, &format!("server{number}"), tools.collect())?;
    }
    judged.push_str(&table.finish("CORPUS")?);
    fs::write(out.join("judged.rs"), judged)?;
    Ok(())
}

/// What random names and types bring about.
const LINTS: &str =
    "#[allow(clippy::upper_case_acronyms, clippy::zero_sized_map_values, reason = \"nobody chose them\")]";

/// Where a tool comes from.
type Place = (String, usize);

/// What was generated and what was refused, as Rust.
#[derive(Default)]
struct Table {
    asserts_formats: bool,
    modules: String,
    judged: String,
    refused: String,
}

impl Table {
    /// Generates some tools as one server.
    fn add(&mut self, out: &Path, name: &str, tools: Vec<(Place, Value)>) -> Result<()> {
        let mut accepted = Vec::new();
        for ((file, index), mut tool) in tools {
            let number = accepted.len();
            tool["name"] = json!(format!("t{number}"));
            if let Err(reason) = self.generate(out, std::slice::from_ref(&tool), name)? {
                writeln!(self.refused, "Refused {{ place: ({file:?}, {index}), reason: {reason:?} }},")?;
                continue;
            }
            let output = match tool.get("outputSchema") {
                Some(schema) if !schema.is_null() => format!("Some(again::<{name}::tools::t{number}::Output>)"),
                Some(_) | None => "None".to_owned(),
            };
            let input = format!("again::<{name}::tools::t{number}::Args>");
            let place = format!("({file:?}, {index}), tool: &{name}::tools::t{number}::TOOL");
            writeln!(self.judged, "Judged {{ place: {place}, input: {input}, output: {output} }},")?;
            accepted.push(tool);
        }
        if accepted.is_empty() {
            return Ok(());
        }
        fs::write(out.join(format!("{name}.rs")), self.generate(out, &accepted, name)??)?;
        let include = format!("include!(concat!(env!(\"OUT_DIR\"), \"/{name}.rs\"));");
        writeln!(self.modules, "{LINTS}\nmod {name} {{ {include} }}")?;
        Ok(())
    }

    /// The code of a server with these tools, or the first fault.
    fn generate(&self, out: &Path, tools: &[Value], name: &str) -> Result<std::result::Result<String, String>> {
        let contract = out.join(format!("{name}.json"));
        fs::write(&contract, serde_json::to_string(&json!({"tools": tools}))?)?;
        let sources = load::load(&contract)?;
        let config = Config::new().name(name).single_file(true).assert_formats(self.asserts_formats);
        let generated = match mcp_codegen::generate(&sources, &config) {
            Ok(generated) => generated,
            Err(found) => return Ok(Err(first_error(&found))),
        };
        let text = generated.files.iter().map(|(_, text)| text.to_owned()).next();
        Ok(text.ok_or_else(|| "nothing was generated".to_owned()))
    }

    fn finish(self, name: &str) -> Result<String> {
        let Self { modules, judged, refused, .. } = self;
        let mut text = modules;
        write!(
            text,
            "/// What was generated.\npub static {name}: &[Judged] = &[\n{judged}];\n\
             /// What the generator refused.\npub static {name}_REFUSED: &[Refused] = &[\n{refused}];\n",
        )?;
        Ok(text)
    }
}

fn first_error(found: &Diagnostics) -> String {
    let errors = found.sorted().into_iter().filter(|finding| finding.is_error());
    errors.map(|finding| finding.message().to_owned()).next().unwrap_or_default()
}
