//! Typed Rust from the contract of an MCP server.
//!
//! # Layout
//!
//! The modules stand in the order in which data flows through them; ARCHITECTURE.md tells the whole story.

pub mod diagnostic;
pub mod source;

mod document;

mod contract;
mod pattern;
mod schema;

mod check;
mod ir;
mod lower;

mod emit;
mod format;

pub mod compile;
mod config;
pub mod load;
pub mod output;

pub use self::config::Config;
pub use self::output::Files;

use self::diagnostic::Diagnostics;
use self::source::Sources;

/// What one generation made.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Generated {
    /// The code: a tree of files, or with [`Config::single_file`] one.
    pub files: Files,
    /// What is odd about the contract, but stops nothing.
    pub warnings: Diagnostics,
    /// What the service is called: as the configuration says, or else the contract. Nothing, if neither does.
    pub name: Option<String>,
}

/// Generates the code of a contract.
///
/// # Errors
///
/// Gives all findings back if one of them is an error; then there is no code.
pub fn generate(sources: &Sources, config: &Config) -> Result<Generated, Diagnostics> {
    let mut found = Diagnostics::default();
    let documents = document::read(sources, &mut found);
    let contract = contract::read(&documents, sources, &mut found);
    let ir = lower::lower(&contract, sources, config, &mut found);
    let Some(checked) = check::check(ir, &mut found) else { return Err(found) };
    let modules = emit::emit(&checked, config);
    let files = if config.single_file { emit::single(&modules) } else { emit::tree(&modules) };
    let name = config.name.clone().or(contract.server.name.map(|name| name.value));
    Ok(Generated { files, warnings: found, name })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::Format;
    use crate::source::{Role, SourceFile};
    use std::path::PathBuf;

    fn sources(text: &str, role: Role) -> Sources {
        let mut sources = Sources::default();
        let name = "test".to_owned();
        sources.add(SourceFile { name, path: PathBuf::new(), text: text.to_owned(), role });
        sources
    }

    fn native(contract: &str, config: &Config) -> Files {
        let sources = sources(&format!("format = 1\n{contract}"), Role::Toml);
        match generate(&sources, config) {
            Ok(generated) => generated.files,
            Err(found) => panic!("{}", found.render(&sources, Format::Plain)),
        }
    }

    /// The errors about a contract.
    fn errors(contract: &str) -> String {
        let sources = sources(&format!("format = 1\n{contract}"), Role::Toml);
        generate(&sources, &Config::new()).unwrap_err().render(&sources, Format::Plain)
    }

    /// The type of the field `x` of a tool's arguments, and the line that finishes it, given the schema of `x`.
    fn field(schema: &str) -> (String, String) {
        let schema = format!(r#"{{"type":"object","properties":{{"x":{schema}}}}}"#);
        let answer = format!(r#"{{"tools":[{{"name":"t","inputSchema":{schema}}}]}}"#);
        let files = generate(&sources(&answer, Role::Json), &Config::new()).unwrap().files;
        let text = files.get("tools/t.rs").unwrap();
        let ty = text.lines().find_map(|line| line.trim().strip_prefix("pub x: ")).unwrap_or_default();
        let end = text.split_once("Ok(Self {").and_then(|(_, end)| end.split_once("rest")).unwrap().0;
        (ty.trim_end_matches(',').to_owned(), end.trim().trim_end_matches(',').to_owned())
    }

    #[test]
    fn schemas_become_types() {
        for (schema, ty, end) in [
            (r#"{"type":"string"}"#, "Option<String>", "x"),
            (r#"{"type":["string","null"]}"#, "Field<String>", "x: x.unwrap_or_default()"),
            (
                r#"{"anyOf":[{"type":"integer"},{"type":"null"}],"default":null}"#,
                "Field<i64>",
                "x: x.unwrap_or_default()",
            ),
            (r#"{"type":"integer","default":7}"#, "i64", "x: x.unwrap_or(7)"),
            (r#"{"type":"integer","default":"7"}"#, "Option<i64>", "x"),
            (r#"{"type":"integer","minimum":0,"maximum":18446744073709551615}"#, "Option<u64>", "x"),
            (r#"{"type":"number","default":1}"#, "f64", "x: x.unwrap_or(1.0)"),
            (r#"{"enum":["a","b"],"default":"b"}"#, "X", "x: x.unwrap_or(X::B)"),
            (r#"{"type":"array","items":{"type":"boolean"}}"#, "Option<Vec<bool>>", "x"),
            (r#"{"type":"object"}"#, "Option<Rest>", "x"),
            (r#"{"type":"object","additionalProperties":{"type":"number"}}"#, "Option<BTreeMap<String, f64>>", "x"),
            (r#"{"type":["string","integer"]}"#, "Option<X>", "x"),
            (r#"{"anyOf":[{"type":"string"},{"type":"string","enum":["a"]}]}"#, "Option<String>", "x"),
            (r#"{"oneOf":[{"type":"object"},{"type":"object"}]}"#, "Option<Value>", "x"),
            (r#"{"properties":{"a":{}}}"#, "Option<Value>", "x"),
            ("{}", "Option<Value>", "x"),
        ] {
            assert_eq!(field(schema), (ty.to_owned(), end.to_owned()), "{schema}");
        }
    }

    #[test]
    fn one_file_has_the_modules_of_the_tree() {
        let contract = "[[tools]]\nname = \"a\"\n[[prompts]]\nname = \"mod\"\n";
        let tree = native(contract, &Config::new());
        let paths: Vec<&str> = tree.iter().map(|(path, _)| path).collect();
        assert_eq!(paths, ["mod.rs", "prompts/mod_.rs", "tools/a.rs"]);
        let single = native(contract, &Config::new().single_file(true));
        let text = single.get("mod.rs").unwrap();
        assert!(["pub mod tools {", "pub mod a {", "pub mod mod_ {"].iter().all(|module| text.contains(module)));
    }

    #[test]
    fn the_root_exports_what_is_unambiguous() {
        let files =
            native("[[tools]]\nname = \"a\"\n[[tools]]\nname = \"tools\"\n[[prompts]]\nname = \"a\"\n", &Config::new());
        let root = files.get("mod.rs").unwrap();
        let exports: Vec<&str> = root.lines().filter(|line| line.starts_with("pub use")).collect();
        assert_eq!(exports, ["pub use self::tools::a::{self, A};", "pub use self::tools::tools::Tools;"]);
    }

    #[test]
    fn names_that_collide_show_both() {
        let shown = errors("[[tools]]\nname = \"get_a\"\n[[tools]]\nname = \"get-a\"\n");
        assert!(shown.contains("would both become the module `get_a`") && shown.contains("the first"), "{shown}");
    }

    #[test]
    fn a_name_that_stands_twice_is_one_error() {
        for kind in ["tools", "prompts"] {
            let shown = errors(&format!("[[{kind}]]\nname = \"a\"\n[[{kind}]]\nname = \"a\"\n"));
            assert!(shown.contains("error[E0201]") && !shown.contains("E0205"), "{shown}");
        }
        let shown = errors("[[resources]]\nname = \"a\"\nuri = \"x:a\"\n[[resources]]\nname = \"a\"\nuri = \"x:b\"\n");
        assert!(shown.contains("error[E0205]"), "{shown}");
    }

    #[test]
    fn twenty_thousand_values_are_an_enum() {
        let values: Vec<String> = (0..20_000).map(|number| format!("\"v{number}\"")).collect();
        let twice = format!("{{\"enum\":[{0},{0}]}}", values.join(","));
        assert_eq!(field(&twice).0, "Option<X>");
    }

    #[test]
    fn a_secret_is_not_shown() {
        let files = native(
            "[[tools]]\nname = \"a\"\n[tools.args]\nkey = { type = \"string\", secret = true }\n",
            &Config::new(),
        );
        let text = files.get("tools/a.rs").unwrap();
        assert!(
            text.contains(r#".field("key", &format_args!("(hidden)"))"#)
                && text.contains(r#"secrets: &["/properties/key"]"#)
        );
    }
}
