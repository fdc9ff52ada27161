//! Writes the tools that are only listed, as a person would write them for these runtimes: a struct each, and a handler.

use std::fmt::Write;
use std::path::Path;
use std::{env, fs};

use serde_json::Value;

const CONTRACT: &str = "../../server/specs/tools.json";
/// The first four are written by hand.
const BY_HAND: usize = 4;

fn main() {
    println!("cargo::rerun-if-changed={CONTRACT}");
    println!("cargo::rerun-if-changed=../fillers.rs");
    let contract: Value = serde_json::from_str(&fs::read_to_string(CONTRACT).unwrap()).unwrap();
    let tools = &contract["tools"].as_array().unwrap()[BY_HAND..];
    let mut code = String::new();
    for tool in tools {
        structure(&type_name(tool), &tool["inputSchema"], &mut code);
    }
    if env::var("CARGO_PKG_NAME").unwrap() == "peer-rmcp" {
        code.push_str("#[tool_router(router = fillers)]\nimpl Bench {\n");
        for tool in tools {
            let (name, description, arguments) = (&tool["name"], &tool["description"], type_name(tool));
            let function = name.as_str().unwrap();
            writeln!(code, "#[tool(name = {name}, description = {description})]").unwrap();
            writeln!(code, "async fn {function}(&self, _: Parameters<{arguments}>) -> String {{ \"ok\".to_owned() }}").unwrap();
        }
        code.push_str("}\n");
    } else {
        code.push_str("pub fn fillers(mut router: McpRouter) -> McpRouter {\n");
        for tool in tools {
            let (name, description, arguments) = (&tool["name"], &tool["description"], type_name(tool));
            writeln!(code, "let tool = ToolBuilder::new({name}).description({description});").unwrap();
            writeln!(code, "let tool = tool.handler(|_: {arguments}| async {{ Ok(CallToolResult::text(\"ok\")) }});").unwrap();
            writeln!(code, "router = router.tool(tool.build());").unwrap();
        }
        code.push_str("router\n}\n");
    }
    fs::write(Path::new(&env::var("OUT_DIR").unwrap()).join("fillers.rs"), code).unwrap();
}

fn type_name(tool: &Value) -> String {
    camel(tool["name"].as_str().unwrap())
}

fn camel(name: &str) -> String {
    name.split('_').map(|word| word[..1].to_uppercase() + &word[1..]).collect()
}

const DERIVES: &str = "#[derive(Debug, serde::Deserialize, schemars::JsonSchema)]";

/// A struct for a schema, after the types that it needs.
fn structure(name: &str, schema: &Value, code: &mut String) {
    let required = schema["required"].as_array().cloned().unwrap_or_default();
    let mut fields = String::new();
    for (key, property) in schema["properties"].as_object().unwrap() {
        let kind = kind(&format!("{name}{}", camel(key)), property, code);
        if let Some(text) = property["description"].as_str() {
            writeln!(fields, "    /// {text}").unwrap();
        }
        if required.iter().any(|required| required == key) {
            writeln!(fields, "    pub {key}: {kind},").unwrap();
        } else {
            writeln!(fields, "    #[serde(default)]\n    pub {key}: Option<{kind}>,").unwrap();
        }
    }
    writeln!(code, "{DERIVES}\npub struct {name} {{\n{fields}}}").unwrap();
}

fn kind(name: &str, schema: &Value, code: &mut String) -> String {
    if let Some(values) = schema["enum"].as_array() {
        let variants: Vec<_> = values.iter().map(|value| camel(value.as_str().unwrap())).collect();
        let variants = variants.join(", ");
        writeln!(code, "{DERIVES}\n#[serde(rename_all = \"lowercase\")]\npub enum {name} {{ {variants} }}").unwrap();
        return name.to_owned();
    }
    match schema["type"].as_str().unwrap() {
        "array" => format!("Vec<{}>", kind(name, &schema["items"], code)),
        "boolean" => "bool".to_owned(),
        "integer" => "i64".to_owned(),
        "number" => "f64".to_owned(),
        "object" => {
            structure(name, schema, code);
            name.to_owned()
        }
        _ => "String".to_owned(),
    }
}
