//! Generates each tool three times: as the generator does, the same without its constraints, and as types that derive
//! `Deserialize`. The table of all of them is what the program measures.

#[path = "build/bare.rs"]
mod bare;
#[path = "build/contracts.rs"]
mod contracts;
#[path = "build/twin.rs"]
mod twin;

use std::error::Error;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

use mcp_codegen::{Config, load};
use serde_json::{Value, json};

use self::contracts::Contract;

type Result<T> = std::result::Result<T, Box<dyn Error>>;

fn main() -> Result<()> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=build");
    println!("cargo::rerun-if-changed=specs");
    let out = PathBuf::from(env::var("OUT_DIR")?);
    let (mut modules, mut cases) = (String::new(), String::new());
    for (number, contract) in contracts::all()?.into_iter().enumerate() {
        let tools = renamed(&contract);
        let bare: Vec<Value> = tools.iter().map(bare::without_constraints).collect();
        let ours = generate(&out, &tools)?;
        fs::write(out.join(format!("ours{number}.rs")), &ours)?;
        fs::write(out.join(format!("bare{number}.rs")), generate(&out, &bare)?)?;
        fs::write(out.join(format!("twin{number}.rs")), twin::of(&ours)?)?;
        for kind in ["ours", "bare", "twin"] {
            let include = format!("include!(concat!(env!(\"OUT_DIR\"), \"/{kind}{number}.rs\"));");
            let allowed = "clippy::all, clippy::pedantic, dead_code, unreachable_pub";
            writeln!(modules, "#[allow({allowed}, reason = \"measured only\")] mod {kind}{number} {{ {include} }}")?;
        }
        for (place, (tool, bare)) in tools.iter().zip(&bare).enumerate() {
            let name = format!("{}/{}", contract.name, contract.tools[place]["name"].as_str().unwrap_or_default());
            let instances = contract.instances.display().to_string();
            let schema = tool["inputSchema"].to_string();
            let constrained = tool != bare;
            let guarded = is_guarded(&ours, place);
            let path = format!("{number}::tools::t{place}::Args");
            writeln!(
                cases,
                "Case {{ name: {name:?}, instances: {instances:?}, schema: {schema:?}, constrained: {constrained}, \
                 guarded: {guarded}, ours: ours::<ours{path}>, bare: ours::<bare{path}>, twin: serde::<twin{path}>, \
                 typed: typed::<twin{path}>, judged: judged::<twin{path}> }},"
            )?;
        }
    }
    let table = format!("{modules}\nstatic CASES: &[Case] = &[\n{cases}];\n");
    fs::write(out.join("cases.rs"), table)?;
    Ok(())
}

/// The tools under names that need no thought.
fn renamed(contract: &Contract) -> Vec<Value> {
    let renamed = |(number, tool): (usize, &Value)| {
        let mut tool = json!({"name": format!("t{number}"), "inputSchema": tool["inputSchema"]});
        if let Some(schema) = tool["inputSchema"].as_object_mut() {
            schema.entry("type").or_insert(json!("object"));
        }
        tool
    };
    contract.tools.iter().enumerate().map(renamed).collect()
}

fn generate(out: &Path, tools: &[Value]) -> Result<String> {
    let contract = out.join("contract.json");
    fs::write(&contract, json!({"tools": tools}).to_string())?;
    let config = Config::new().name("bench").single_file(true);
    let generated = mcp_codegen::generate(&load::load(&contract)?, &config);
    let generated = generated.map_err(|found| format!("{found:?}"))?;
    Ok(generated.files.iter().map(|(_, text)| text.to_owned()).collect())
}

/// Whether the decoder of a tool asks a validator first, because no type says all of its schema.
fn is_guarded(code: &str, tool: usize) -> bool {
    let start = code.find(&format!("pub mod t{tool} {{")).unwrap_or(code.len());
    let end = code.find(&format!("pub mod t{} {{", tool + 1)).unwrap_or(code.len());
    code[start..end.max(start)].contains("SCHEMA.check(r)")
}
