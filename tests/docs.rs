//! The reference of the contract format says what the program does: its contracts generate, and its tables are true.

#[path = "docs/tables.rs"]
mod tables;

use std::path::Path;

use mcp_codegen::diagnostic::{Code, Format};
use mcp_codegen::source::{Role, SourceFile, Sources};
use mcp_codegen::{Config, Files, generate};

const REFERENCE: &str = include_str!("../specs/README.md");
const README: &str = include_str!("../README.md");

/// Where the keys of a section's table stand: a native contract with `KEY` in their place.
const PLACES: &[(&str, &str)] = &[
    ("File", r#"{"format":1,KEY}"#),
    ("Server", r#"{"format":1,"server":{"name":"s",KEY}}"#),
    ("Every feature", r#"{"format":1,"tools":[{"name":"t",KEY}]}"#),
    ("Tools", r#"{"format":1,"tools":[{"name":"t",KEY}]}"#),
    ("Rules", r#"{"format":1,"tools":[{"name":"t","args":{},"rules":{KEY}}]}"#),
    ("Examples", r#"{"format":1,"tools":[{"name":"t","examples":[{KEY}]}]}"#),
    ("Short schemas", r#"{"format":1,"tools":[{"name":"t","args":{"x":{KEY}}}]}"#),
    ("The key rust", r#"{"format":1,"tools":[{"name":"t","args":{"x":{"rust":{KEY}}}}]}"#),
    ("Hints", r#"{"format":1,"tools":[{"name":"t","hints":{"/properties":{KEY}}}]}"#),
    ("Resources", r#"{"format":1,"resources":[{"name":"r",KEY}]}"#),
    ("Resource templates", r#"{"format":1,"resourceTemplates":[{"name":"r",KEY}]}"#),
    ("Prompts", r#"{"format":1,"prompts":[{"name":"p",KEY}]}"#),
    ("Arguments", r#"{"format":1,"prompts":[{"name":"p","arguments":[{"name":"a",KEY}]}]}"#),
    ("Messages", r#"{"format":1,"prompts":[{"name":"p","messages":[{KEY}]}]}"#),
    ("Asks", r#"{"format":1,"asks":{"a":{KEY}}}"#),
];

#[test]
fn every_contract_generates_without_a_warning() {
    let contracts: Vec<_> = contracts(REFERENCE).into_iter().chain(contracts(README)).collect();
    assert!(contracts.len() > 10, "only {} contracts were found", contracts.len());
    for (role, text) in contracts {
        generated(&text, role);
    }
}

#[test]
fn every_key_is_known_where_its_table_says() {
    let mut count = 0;
    for row in rows("key") {
        let (_, place) =
            PLACES.iter().find(|(section, _)| *section == row.section).unwrap_or_else(|| panic!("{}", row.section));
        for key in words(&row.cells[0]) {
            assert!(is_known(place, key), "`{key}` of the section `{}` is unknown", row.section);
            count += 1;
        }
    }
    assert!(count > 60, "only {count} keys were found");
    assert!(PLACES.iter().all(|(_, place)| !is_known(place, "no such key")));
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

/// Whether a key is read in a place. Its value may be wrong there: then it was looked at, too.
fn is_known(place: &str, key: &str) -> bool {
    let text = place.replace("KEY", &format!("\"{key}\":\"x\""));
    let found = match generate(&sources(&text, Role::Json), &Config::new()) {
        Ok(generated) => generated.warnings,
        Err(found) => found,
    };
    found.sorted().iter().all(|finding| finding.code() != Code::UNKNOWN_KEY)
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
