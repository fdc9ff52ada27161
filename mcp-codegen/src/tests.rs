//! Generation as a whole, from the text of a contract to code or findings.

use super::*;
use crate::diagnostic::Format;
use crate::source::{Role, SourceFile};
use std::path::{Path, PathBuf};

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
        (r#"{"anyOf":[{"type":"integer"},{"type":"null"}],"default":null}"#, "Field<i64>", "x: x.unwrap_or_default()"),
        (r#"{"type":"integer","default":7}"#, "i64", "x: x.unwrap_or(7)"),
        (r#"{"type":"integer","default":"7"}"#, "Option<i64>", "x"),
        (
            r#"{"type":"string","pattern":"^a","default":"ab"}"#,
            "String",
            r#"x: x.unwrap_or_else(|| String::from("ab"))"#,
        ),
        (r#"{"type":"string","pattern":"^a","default":"b"}"#, "Option<String>", "x"),
        (
            r#"{"type":"array","items":{"pattern":"^a","type":"string"},"default":["a","b"]}"#,
            "Option<Vec<String>>",
            "x",
        ),
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
fn a_type_that_holds_itself_is_boxed_by_whatever_way_it_is_named() {
    let x = r##""X":{"type":"object","properties":{"n":{"$ref":"#/$defs/X"}}}"##;
    let (a, b) = (r##""A":{"$ref":"#/$defs/B"}"##, r##""B":{"$ref":"#/$defs/X"}"##);
    for schema in [
        format!(r##"{{"$ref":"#/$defs/X","$defs":{{{x}}}}}"##),
        format!(r##"{{"$ref":"#/$defs/A","$defs":{{{a},{b},{x}}}}}"##),
        format!(r##"{{"type":"object","properties":{{"a":{{"$ref":"#/$defs/A"}}}},"$defs":{{{a},{b},{x}}}}}"##),
        format!(
            r##"{{"type":"object","properties":{{"x":{{"$ref":"#/$defs/X"}},"a":{{"$ref":"#/$defs/A"}}}},"$defs":{{{a},{b},{x}}}}}"##
        ),
    ] {
        let answer =
            format!(r#"{{"tools":[{{"name":"t","inputSchema":{{"type":"object"}},"outputSchema":{schema}}}]}}"#);
        let files = generate(&sources(&answer, Role::Json), &Config::new()).unwrap().files;
        let text = files.get("tools/t.rs").unwrap();
        assert_eq!(text.matches("pub n: ").count(), 1, "{schema}");
        assert!(text.contains("pub n: Option<Box<Self>>"), "{schema}: {text}");
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
fn a_secret_is_not_shown() {
    let files =
        native("[[tools]]\nname = \"a\"\n[tools.args]\nkey = { type = \"string\", secret = true }\n", &Config::new());
    let text = files.get("tools/a.rs").unwrap();
    assert!(
        text.contains(r#".field("key", &format_args!("(hidden)"))"#)
            && text.contains(r#"secrets: &["/properties/key"]"#)
    );
}

#[test]
fn options_that_are_not_rust_are_reported_and_not_emitted() {
    let sources = sources("format = 1\n[[tools]]\nname = \"a\"\n", Role::Toml);
    for config in [Config::new().derive("1 x"), Config::new().derive("A, B"), Config::new().runtime_path("a b")] {
        let found = generate(&sources, &config).unwrap_err();
        for format in [Format::Plain, Format::Json] {
            let shown = found.render(&sources, format);
            assert!(shown.contains("E0116") && shown.contains("not a path of Rust"), "{shown}");
        }
    }
}

#[test]
fn names_that_rust_refuses_are_reported_wherever_they_may_stand() {
    for contract in [
        "[[tools]]\nname = 't'\nrust = { name = 'a b' }",
        "[[tools]]\nname = 't'\nargs.a = { type = 'string', rust = { name = 'a b' } }",
        "[[tools]]\nname = 't'\nargs.a = { items = { enum = ['x'], rust = { name = 'a b' } } }",
        "[[tools]]\nname = 't'\ninputSchema = { type = 'object', properties = { a = {} } }\n\
         hints = { '/properties/a' = { rust = { name = 'a b' } } }",
        "[[resources]]\nname = 'r'\nuri = 'x:y'\nrust = { name = 'a b' }",
        "[[resourceTemplates]]\nname = 'r'\nuriTemplate = 'x:{a}'\nargs.a = { type = 'string', rust = { name = 'a b' } }",
        "[[prompts]]\nname = 'p'\narguments = [{ name = 'a', rust = { name = 'a b' } }]",
        "[defs.D]\ntype = 'string'\nrust = { name = 'a b' }",
        "[defs.D]\na = { type = 'string', rust = { name = 'a b' } }",
        "[asks.k]\nmessage = 'm'\nfields.a = { type = 'string', rust = { name = 'a b' } }",
    ] {
        let shown = errors(contract);
        assert!(shown.contains("E0206") && shown.contains("`a b` is not a Rust identifier"), "{contract}\n{shown}");
    }
}

#[test]
fn keys_that_do_nothing_are_reported() {
    for contract in [
        "[[tools]]\nname = 't'\nrust = { type = 'u8' }",
        "[[prompts]]\nname = 'p'\narguments = [{ name = 'a', rust = { derive = 'Hash' } }]",
        "[[prompts]]\nname = 'p'\nblocking = true",
        "[[prompts]]\nname = 'p'\nhints = {}",
        "[[resources]]\nname = 'r'\nuri = 'x:y'\nrepair = false",
        "[[resourceTemplates]]\nname = 'r'\nuriTemplate = 'x:{a}'\nargs.a = { type = 'string', required = true }",
        "[[resourceTemplates]]\nname = 'r'\nuriTemplate = 'x:{a}'\nargs.a = { type = 'string', default = 'x' }",
    ] {
        let shown = errors(contract);
        assert!(shown.contains("E0106") && shown.contains("` does nothing in a"), "{contract}\n{shown}");
    }
}

#[test]
fn content_has_a_limit() {
    let contract = |bytes: usize| format!("[[resources]]\nname = 'r'\nuri = 'x:r'\ntext = '{}'", "x".repeat(bytes));
    let shown = errors(&contract((8 << 20) + 1));
    assert!(shown.contains("E0117") && shown.contains("larger than 8 MiB"), "{}", &shown[..200]);
    assert!(native(&contract(1 << 20), &Config::new()).get("resources/r.rs").is_some_and(|code| code.len() > 1 << 20));
}

#[test]
fn a_secret_inside_a_field_is_not_shown() {
    for (schema, is_hidden) in [
        ("{ items = { type = 'string', secret = true } }", true),
        ("{ items = { ref = 'Token' } }", true),
        ("{ anyOf = [{ ref = 'Token' }, { type = 'boolean' }] }", true),
        ("{ type = 'object', additionalProperties = { ref = 'Token' } }", true),
        ("{ properties = { inner = { ref = 'Token' } } }", false),
    ] {
        let contract = format!(
            "[[tools]]\nname = 'a'\n[tools.args]\nkey = {schema}\nkeys = {{ type = 'string' }}\n\
             [defs.Token]\ntype = 'string'\nsecret = true"
        );
        let text = native(&contract, &Config::new()).get("tools/a.rs").unwrap().to_owned();
        assert_eq!(text.contains(r#".field("key", &format_args!("(hidden)"))"#), is_hidden, "{schema}\n{text}");
        assert!(text.contains("(hidden)") && !text.contains(r#".field("keys", &format_args!"#), "{schema}\n{text}");
    }
}

#[test]
fn what_is_null_and_read_as_absent_is_not_sent() {
    let features = r#""tools": [{"name": "t", "title": null, "inputSchema": {"type": "object"}, "outputSchema": null}],
        "resources": [{"uri": "x:y", "name": "r", "mimeType": null, "size": null}],
        "resourceTemplates": [{"uriTemplate": "x:{y}", "name": "v", "_meta": null, "icons": null}],
        "prompts": [{"name": "p", "description": null, "arguments": [{"name": "a", "title": null, "required": null}]},
            {"name": "q", "arguments": null}]"#;
    for text in [format!("{{{features}}}"), format!(r#"{{"format": 1, {features}}}"#)] {
        let sources = sources(&text, Role::Json);
        let generated = generate(&sources, &Config::new().single_file(true)).unwrap();
        let warnings = generated.warnings.sorted().len();
        assert_eq!(warnings, 10, "{}", generated.warnings.render(&sources, Format::Plain));
        let code = generated.files.get("mod.rs").unwrap();
        assert!(!code.contains("null"), "{code}");
    }
}

#[test]
fn each_mistake_is_found_once_and_with_help() {
    let specs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../specs/invalid");
    let mut entries: Vec<_> = std::fs::read_dir(specs).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    let mut wrong = Vec::new();
    for path in entries {
        let sources = load::load(&path).unwrap();
        let found = match generate(&sources, &Config::new()) {
            Ok(generated) => generated.warnings,
            Err(found) => found,
        };
        if found.sorted().len() != 1 || found.sorted()[0].help.is_none() {
            wrong.push(format!("{}:\n{}", path.display(), found.render(&sources, Format::Plain)));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_derive_that_a_type_has_already_is_left_out() {
    let config = Config::new().derive("::std::fmt::Debug").derive("serde::Serialize");
    let files = native(
        "[[tools]]\nname = 'a'\n[tools.args]\nkey = { type = 'string', secret = true }\n\
         unit = { enum = ['x', 'y'], rust = { derive = ['Hash', 'Ord', 'PartialOrd', 'serde::Serialize'] } }\n",
        &config,
    );
    let text = files.get("tools/a.rs").unwrap();
    let derives: Vec<&str> = text.lines().filter(|line| line.starts_with("#[derive")).collect();
    assert_eq!(
        derives,
        [
            "#[derive(Clone, PartialEq, serde::Serialize)]",
            "#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, Ord, PartialOrd)]"
        ]
    );
}

#[test]
fn integers_travel_as_text_where_that_can_be() {
    for contract in [
        "args.a = { type = 'string', wire = 'string' }",
        "args.a = { enum = [1, 2], wire = 'string' }",
        "args.a = { const = 1, required = true, wire = 'string' }",
        "args.a = { items = { type = 'integer', wire = 'string' } }",
        "args.a = { ref = 'D', wire = 'string' }\n[defs.D]\ntype = 'integer'",
        "args = {}\n[defs.D]\ntype = 'integer'\nwire = 'string'",
        "inputSchema = { type = 'object', properties = { a = { type = 'integer' } } }\n\
         hints = { '/properties/a' = { wire = 'string' } }",
    ] {
        let shown = errors(&format!("[[tools]]\nname = 't'\n{contract}"));
        assert!(shown.contains("E0312") && shown.contains("no property of type"), "{contract}\n{shown}");
    }
    for (contract, ty) in [
        ("args.a = { type = 'integer', wire = 'string' }", "Option<i64>"),
        ("args.a = { type = ['integer', 'null'], wire = 'string' }", "Field<i64>"),
        (
            "inputSchema = { type = 'object', properties = { a = { type = 'string' } } }\n\
             hints = { '/properties/a' = { wire = 'string' } }",
            "Option<i64>",
        ),
    ] {
        let files = native(&format!("[[tools]]\nname = 't'\n{contract}"), &Config::new());
        let text = files.get("tools/t.rs").unwrap();
        assert!(text.contains(&format!("pub a: {ty},")), "{contract}\n{text}");
    }
}

#[test]
fn on_a_property_a_rust_name_names_the_field_and_its_type_follows() {
    let files = native(
        "[[tools]]\nname = 't'\nargs.a = { enum = ['x', 'y'], required = true, rust = { name = 'unit_kind' } }\n\
         args.b = { required = true, items = { enum = ['v', 'w'], rust = { name = 'HTTPVerb' } } }\n\
         [defs.D]\nenum = ['p', 'q']\nrust = { name = 'Option', derive = 'Ord' }",
        &Config::new(),
    );
    let text = files.get("tools/t.rs").unwrap();
    for line in ["pub unit_kind: UnitKind,", "pub enum UnitKind {", "pub b: Vec<HTTPVerb>,", "pub enum HTTPVerb {"] {
        assert!(text.contains(line), "{line}\n{text}");
    }
    let text = files.get("types.rs").unwrap();
    assert!(text.contains("Hash, Ord)]\npub enum OptionType {"), "{text}");
}

#[test]
fn unions_look_through_references() {
    let defs = "[defs.Point]\nlat = { type = 'number' }\n[defs.Word]\ntype = 'string'\n[defs.Color]\nenum = ['red']\n\
                [defs.Square]\nkind = { const = 'square', required = true }\nside = { type = 'number' }\n\
                [defs.Circle]\nkind = { const = 'circle', required = true }\nnext = { ref = 'Circle' }";
    for (branches, lines) in [
        ("{ type = 'string' }, { ref = 'Point' }", &["pub x: Option<X>,", "Object(Point),", "String(String),"][..]),
        ("{ ref = 'Word' }, { ref = 'Point' }", &["pub x: Option<X>,", "String(String),"]),
        ("{ ref = 'Square' }, { ref = 'Circle' }", &["pub x: Option<X>,", "Square(Square),", "Circle(Circle),"]),
        ("{ ref = 'Color' }, { const = 'blue' }", &["pub x: Option<X>,", "Red,", "Blue,"]),
        ("{ ref = 'Word' }, { ref = 'Color' }", &["pub x: Option<String>,"]),
        ("{ ref = 'Point' }, { ref = 'Square' }", &["pub x: Option<Value>,"]),
    ] {
        for keyword in ["anyOf", "oneOf"] {
            let contract = format!("[[tools]]\nname = 't'\nargs.x = {{ {keyword} = [{branches}] }}\n{defs}");
            let files = native(&contract, &Config::new());
            let text = files.get("tools/t.rs").unwrap();
            assert!(lines.iter().all(|line| text.contains(line)), "{branches}\n{text}");
        }
    }
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

/// A tool whose types are its own, others', and each other's.
fn one_of_many(n: usize) -> String {
    format!(
        r#"
        [[tools]]
        name = "tool_{n}"
        [tools.args]
        place = {{ ref = "Place", required = true }}
        kind = {{ enum = ["a", "k{n}"] }}
        nested = {{ type = "object", properties = {{ deep_{n} = {{ type = "array", items = {{ type = "integer", maximum = {n} }} }} }} }}
        "#
    )
}

#[test]
fn a_tool_among_many_is_as_it_is_alone() {
    let defs = r#"
        [defs.Place]
        name = { type = "string", required = true }
        level = { enum = ["low", "high"] }
    "#;
    let all: String = (0..80).map(one_of_many).collect();
    let all = native(&format!("{defs}{all}"), &Config::new());
    for n in [0, 19, 20, 41, 79] {
        let alone = native(&format!("{defs}{}", one_of_many(n)), &Config::new());
        let name = format!("tools/tool_{n}.rs");
        assert!(alone.get(&name).is_some_and(|text| text.contains("super::super::types::Place")), "{name}");
        assert_eq!(all.get(&name), alone.get(&name));
        assert_eq!(all.get("types.rs"), alone.get("types.rs"));
    }
}

#[test]
fn faults_of_many_tools_come_in_their_order() {
    let tool =
        |n: usize| format!("[[tools]]\nname = \"t{n}\"\n[tools.args]\nx = {{ type = \"string\", minLenght = {n} }}\n");
    let told = errors(&(0..80).map(tool).collect::<String>());
    let places: Vec<usize> = (0..80).map(|n| told.find(&format!("minLenght = {n} ")).expect("each is told")).collect();
    assert!(places.is_sorted(), "{told}");
}

#[test]
fn twenty_thousand_values_are_an_enum() {
    let values: Vec<String> = (0..20_000).map(|number| format!("\"v{number}\"")).collect();
    let twice = format!("{{\"enum\":[{0},{0}]}}", values.join(","));
    assert_eq!(field(&twice).0, "Option<X>");
}

#[test]
fn a_validator_is_asked_only_where_decoding_leaves_something_open() {
    for (names, asks) in [
        ("true", false),
        (r#"{"type":"string"}"#, false),
        (r#"{"type":["string","null"],"minimum":3}"#, false),
        ("false", true),
        (r#"{"type":"integer"}"#, true),
        (r#"{"maxLength":3}"#, true),
        (r##"{"$ref":"#/properties/y"}"##, true),
    ] {
        let schema = format!(
            r#"{{"type":"object","properties":{{"x":{{"type":"object","propertyNames":{names}}},"y":{{"type":"string"}}}}}}"#
        );
        let answer = format!(r#"{{"tools":[{{"name":"t","inputSchema":{schema}}}]}}"#);
        let files = generate(&sources(&answer, Role::Json), &Config::new()).unwrap().files;
        assert_eq!(files.get("tools/t.rs").is_some_and(|code| code.contains("SCHEMA.check")), asks, "{names}");
    }
}

#[test]
fn formats_are_configured_by_names_and_types_that_exist() {
    let told = |config: Config| generate(&sources("format = 1\n", Role::Toml), &config).unwrap_err();
    let told = |config| told(config).render(&Sources::default(), Format::Plain);
    let unknown = told(Config::new().assert_format("date-tiem"));
    assert!(unknown.contains("E0116") && unknown.contains("did you mean `date-time`?"), "{unknown}");
    let broken = told(Config::new().format_type("uuid", "Uuid<", Via::FromStr));
    assert!(broken.contains("E0116") && broken.contains("which is not one of Rust"), "{broken}");
}
