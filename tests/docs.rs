//! The reference of the contract format says what the program does: its contracts generate, and its tables are true.

#[path = "docs/tables.rs"]
mod tables;

use std::collections::BTreeSet;
use std::path::Path;

use mcp_codegen::diagnostic::{Code, Format};
use mcp_codegen::source::{Role, SourceFile, Sources};
use mcp_codegen::{Config, Files, generate};
use serde_json::Value;

const REFERENCE: &str = include_str!("../specs/README.md");
const README: &str = include_str!("../README.md");

/// Where the keys of a section's tables stand in the schema for editors.
const PLACES: &[(&str, &str)] = &[
    ("File", "/properties"),
    ("Server", "/properties/server/properties"),
    ("Tools", "/properties/tools/items/properties"),
    ("Rules", "/properties/tools/items/properties/rules/properties"),
    ("Examples", "/properties/tools/items/properties/examples/items/properties"),
    ("Short schemas", "/definitions/short/properties"),
    ("The key rust", "/definitions/short/properties/rust/anyOf/0/properties"),
    ("Hints", "/properties/tools/items/properties/hints/additionalProperties/properties"),
    ("Resources", "/properties/resources/items/properties"),
    ("Resource templates", "/properties/resourceTemplates/items/properties"),
    ("Prompts", "/properties/prompts/items/properties"),
    ("Arguments", "/properties/prompts/items/properties/arguments/items/properties"),
    ("Messages", "/properties/prompts/items/properties/messages/items/properties"),
    ("Formats", "/properties/formats/additionalProperties/properties"),
    ("Asks", "/properties/asks/additionalProperties/properties"),
];

#[test]
fn every_contract_generates_without_a_warning() {
    let contracts: Vec<_> = contracts(REFERENCE).into_iter().chain(contracts(README)).collect();
    assert!(contracts.len() > 10, "only {} contracts were found", contracts.len());
    for (role, text) in contracts {
        generated(&text, role);
    }
}

/// The schema has the keys of the reader: what the tables list is what the reader takes, and nothing else.
#[test]
fn every_table_lists_the_keys_that_its_place_takes() {
    let schema: Value = serde_json::from_str(&mcp_codegen::contract_schema()).expect("JSON");
    let rows = rows("key");
    let listed = |section: &str| -> BTreeSet<&str> {
        rows.iter().filter(|row| row.section == section).flat_map(|row| words(&row.cells[0])).collect()
    };
    let common = listed("Every feature");
    for (section, pointer) in PLACES {
        let place = schema.pointer(pointer).and_then(Value::as_object).unwrap_or_else(|| panic!("{pointer}"));
        let mut expected: BTreeSet<&str> = place.keys().map(String::as_str).collect();
        if place.contains_key("annotations") {
            expected.retain(|key| !common.contains(key));
        }
        if *section == "Short schemas" {
            expected.retain(|key| !is_json_schema(&schema, key));
        }
        assert_eq!(listed(section), expected, "{section}");
    }
    let sections: BTreeSet<&str> = rows.iter().map(|row| row.section).collect();
    assert_eq!(sections, PLACES.iter().map(|(section, _)| *section).chain(["Every feature"]).collect());
}

/// Whether a word is one of JSON Schema, and means the same in a short schema; `required` does not.
fn is_json_schema(schema: &Value, word: &str) -> bool {
    let keywords = schema.pointer("/definitions/verbatim/properties").and_then(Value::as_object).expect("keywords");
    keywords.contains_key(word) && word != "required" || word == "x-mcp-header"
}

#[test]
fn every_code_is_listed_with_its_title() {
    let listed: Vec<_> = rows("code").into_iter().map(|row| (row.cells[0].clone(), row.cells[1].clone())).collect();
    let known: Vec<_> = Code::ALL.iter().map(|(code, title)| (code.to_string(), (*title).to_owned())).collect();
    assert_eq!(listed, known);
}

#[test]
fn every_lint_rule_is_listed_with_its_title_and_targets() {
    let listed: Vec<Vec<String>> = rows("rule").into_iter().map(|row| row.cells).collect();
    let known = mcp_codegen::lint::rules().map(|rule| {
        let targets = rule.clients.iter().map(|client| client.target.map_or("all", |target| target.name()));
        vec![format!("`{}`", rule.id), rule.title.to_owned(), targets.collect::<Vec<_>>().join(", ")]
    });
    assert_eq!(listed, known.collect::<Vec<_>>());
}

#[test]
fn every_kind_of_change_is_listed_with_its_title_and_category() {
    let listed: Vec<Vec<String>> = rows("change").into_iter().map(|row| row.cells).collect();
    let known = mcp_codegen::breaking::RULES
        .iter()
        .map(|rule| vec![format!("`{}`", rule.id), rule.title.to_owned(), rule.category().to_owned()]);
    assert_eq!(listed, known.collect::<Vec<_>>());
}

#[test]
fn schemas_become_the_types_of_the_table() {
    for row in rows("short schema of `x`") {
        let (schema, expected) = (words(&row.cells[0])[0], words(&row.cells[1]));
        let contract = format!("[tools.args]\nx = {schema}\n[defs.Point]\nlat = {{ type = \"number\" }}\n");
        let code = tool(&contract);
        let field = code.lines().find_map(|line| line.trim().strip_prefix("pub x: "));
        assert_eq!(field.map(|ty| ty.trim_end_matches(',')), expected.first().copied(), "{schema}");
    }
}

#[test]
fn names_become_the_names_of_the_table() {
    for row in rows("in the contract") {
        let [wire, field, variant] = [0, 1, 2].map(|cell| words(&row.cells[cell])[0]);
        let code = tool(&format!("[tools.args]\n'{wire}' = {{ enum = ['{wire}', 'other'] }}\n"));
        assert!(code.contains(&format!("    pub {field}: Option<")), "the field of `{wire}`");
        assert!(code.contains(&format!("    {variant},\n")), "the variant of `{wire}`");
    }
}

#[test]
fn links_lead_somewhere() {
    for (text, folder) in [(REFERENCE, "specs"), (README, "")] {
        for link in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let anchor = |heading: &str| format!("#{}", heading.to_lowercase().replace(' ', "-"));
            let leads = match link {
                link if link.starts_with("https://") => true,
                link if link.starts_with('#') => headings(text).any(|heading| anchor(heading) == link),
                link => support::workspace().join(folder).join(link).exists(),
            };
            assert!(leads, "`{link}` leads nowhere");
        }
    }
}

/// A line of a table, with the section that it stands in.
struct Row {
    section: &'static str,
    cells: Vec<String>,
}

/// The lines of all tables in the reference whose first column is called `first`.
fn rows(first: &str) -> Vec<Row> {
    let (mut section, mut inside, mut rows) = ("", false, Vec::new());
    for line in REFERENCE.lines() {
        if let Some(heading) = heading(line) {
            section = heading;
        }
        let cells: Vec<_> = line.trim_matches('|').split(" | ").map(|cell| cell.trim().to_owned()).collect();
        let is_line = line.starts_with("| ") && !line.starts_with("| ---");
        if inside && is_line {
            rows.push(Row { section, cells });
        } else {
            inside = line.starts_with("| ---") && inside || is_line && cells[0] == first;
        }
    }
    assert!(!rows.is_empty(), "no table begins with `{first}`");
    rows
}

fn headings(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter_map(heading)
}

fn heading(line: &str) -> Option<&str> {
    line.starts_with('#').then(|| line.trim_start_matches('#')).and_then(|rest| rest.strip_prefix(' '))
}

/// What stands between backticks.
fn words(cell: &str) -> Vec<&str> {
    cell.split('`').skip(1).step_by(2).collect()
}

/// The blocks that are contracts.
fn contracts(text: &str) -> Vec<(Role, String)> {
    let mut lines = text.lines();
    let mut contracts = Vec::new();
    while let Some(line) = lines.next() {
        let role = match line.trim_start() {
            "```toml" => Role::Toml,
            "```json" => Role::Json,
            _ => continue,
        };
        let indent = line.len() - line.trim_start().len();
        let block = lines.by_ref().take_while(|line| line.trim() != "```");
        let block: Vec<_> = block.map(|line| line.get(indent..).unwrap_or_default()).collect();
        contracts.push((role, block.join("\n")));
    }
    contracts
}

/// The code of a tool.
fn tool(contract: &str) -> String {
    let files = generated(&format!("format = 1\n[[tools]]\nname = \"t\"\n{contract}"), Role::Toml);
    files.get("tools/t.rs").expect("the tool's file").to_owned()
}

fn generated(text: &str, role: Role) -> Files {
    let sources = sources(text, role);
    let (found, files) = match generate(&sources, &Config::new()) {
        Ok(generated) => (generated.warnings, Some(generated.files)),
        Err(found) => (found, None),
    };
    assert!(found.is_empty(), "{text}\n{}", found.render(&sources, Format::Plain));
    files.expect("code, where nothing was found")
}

/// A contract, and the one file that a contract in the reference names.
fn sources(text: &str, role: Role) -> Sources {
    let mut sources = Sources::default();
    for (name, text, role) in
        [("contract", text, role), ("in_a_file.schema.json", r#"{"type":"object"}"#, Role::Attachment)]
    {
        sources.add(SourceFile {
            name: name.to_owned(),
            path: Path::new(name).to_owned(),
            text: text.to_owned(),
            role,
        });
    }
    sources
}
