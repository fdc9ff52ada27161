//! What is written is read as what it was written from.

use std::path::PathBuf;

use super::write::write;
use super::{Draft, Feature, Imported, offer, proof};
use crate::contract::{self, Contract};
use crate::diagnostic::{Diagnostics, Format};
use crate::document::{self, Node};
use crate::source::{Role, SourceFile, Sources};

/// The draft of a recorded answer.
fn draft(answer: &str) -> Draft {
    let answer = offer::node(answer).unwrap();
    let list = |key| -> Vec<Feature> {
        let items = answer.get(key).and_then(Node::items).unwrap_or_default();
        items.iter().cloned().map(Feature::new).collect()
    };
    Draft {
        server: answer.get("server").cloned(),
        tools: list("tools"),
        resources: list("resources"),
        templates: list("resourceTemplates"),
        prompts: list("prompts"),
        notes: Vec::new(),
    }
}

/// What a text says, and what is wrong with it.
fn read(text: &str) -> (Contract, String) {
    let mut sources = Sources::default();
    sources.add(SourceFile {
        name: "t.toml".to_owned(),
        path: PathBuf::new(),
        text: text.to_owned(),
        role: Role::Toml,
    });
    let mut found = Diagnostics::default();
    let contract = contract::read(&document::read(&sources, &mut found), &sources, &mut found);
    let told = if found.has_errors() { found.render(&sources, Format::Plain) } else { String::new() };
    (contract, told)
}

/// Writes a tool of these keys, which must come back, and gives its text without what every text has.
fn tool(keys: &str) -> String {
    let draft = draft(&format!(r#"{{"tools":[{{"name":"t",{keys}}}]}}"#));
    let written = write(&draft);
    let (contract, told) = read(&written.text);
    assert_eq!((told.as_str(), written.left_out.as_slice()), ("", [].as_slice()), "{}", written.text);
    let (read, wanted) = (&contract.tools[0].common.definition, &draft.tools[0].definition);
    assert!(proof::same(read, wanted), "{}\n{}", read.to_json(), wanted.to_json());
    written.text.replace("format = 1\n\n[[tools]]\nname = \"t\"\n", "")
}

fn written(answer: &str) -> Imported {
    write(&draft(answer))
}

#[test]
fn a_schema_in_the_portable_shape_becomes_a_short_form() {
    let schema = r#"{"type":"object","properties":{"a":{"type":"string","minLength":1},"u":{"type":"string","enum":["x","y"]},
        "o":{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"],"additionalProperties":false},
        "m":{"type":"object","properties":{},"additionalProperties":true}},"required":["a"],"additionalProperties":false}"#;
    assert_eq!(
        tool(&format!("\"inputSchema\":{schema},\"outputSchema\":{schema}")),
        "\n[tools.args]\n\
         a = { type = \"string\", minLength = 1, required = true }\n\
         u = { enum = [\"x\", \"y\"] }\n\
         o = { type = \"object\", properties = { n = { type = \"integer\", required = true } } }\n\
         m = { type = \"object\" }\n\
         \n[tools.output]\n\
         a = { type = \"string\", minLength = 1, required = true }\n\
         u = { enum = [\"x\", \"y\"] }\n\
         o = { type = \"object\", properties = { n = { type = \"integer\", required = true } } }\n\
         m = { type = \"object\" }\n"
    );
}

#[test]
fn no_arguments_are_said_by_nothing_and_open_ones_by_a_rule() {
    assert_eq!(tool(r#""inputSchema":{"properties":{},"additionalProperties":false,"type":"object"}"#), "");
    assert_eq!(
        tool(r#""inputSchema":{"type":"object","properties":{},"additionalProperties":true}"#),
        "args = {}\nrules = { additional = true }\n"
    );
}

/// Each says something that no short form expands to.
#[test]
fn whatever_a_short_form_does_not_say_exactly_is_written_out() {
    for schema in [
        r#"{"type":"object"}"#,
        r#"{"type":"object","properties":{"a":{"type":"string"}}}"#,
        r#"{"type":"object","properties":{"a":{"type":"string"}},"required":[],"additionalProperties":false}"#,
        r#"{"type":"object","properties":{"a":{},"b":{}},"required":["b","a"],"additionalProperties":false}"#,
        r#"{"type":"object","properties":{"a":{}},"required":["a","c"],"additionalProperties":false}"#,
        r#"{"type":"object","properties":{"a":{"type":"object"}},"additionalProperties":false}"#,
        r#"{"type":"object","properties":{"a":{"type":["string","null"]}},"additionalProperties":false}"#,
        r#"{"type":"object","properties":{"a":{"enum":["x"]}},"additionalProperties":false}"#,
        r#"{"type":"object","properties":{"a":{"type":"string","secret":true}},"additionalProperties":false}"#,
        r#"{"type":"object","properties":{"a":{"type":"string","unheard":1}},"additionalProperties":false}"#,
        r#"{"type":"object","properties":{"a":{"type":"integer","default":"x"}},"additionalProperties":false}"#,
        r##"{"type":"object","properties":{"a":{"$ref":"#/$defs/A"}},"$defs":{"A":{}},"additionalProperties":false}"##,
        r#"{"type":"object","title":"T","properties":{},"additionalProperties":false}"#,
    ] {
        let text = tool(&format!("\"inputSchema\":{schema}"));
        assert!(text.contains("inputSchema") && !text.contains("args"), "{text}");
    }
}

#[test]
fn tables_keep_the_order_of_keys_and_json_text_what_toml_has_no_word_for() {
    let long = "x".repeat(120);
    assert_eq!(
        tool(&format!(
            r#""inputSchema":{{"properties":{{"a":{{"description":"{long}","type":"string"}},"b c":{{"type":"number","maximum":1E3}}}},"type":"object"}}"#
        )),
        format!(
            "\n[tools.inputSchema]\nproperties.a.description = \"{long}\"\nproperties.a.type = \"string\"\n\
             properties.\"b c\" = {{ type = \"number\", maximum = 1E3 }}\ntype = \"object\"\n"
        )
    );
    for wordless in ["null", "18446744073709551616"] {
        let text = tool(&format!(r#""inputSchema":{{"type":"object","properties":{{"a":{{"default":{wordless}}}}}}}"#));
        assert!(text.starts_with("inputSchema = '{ \"type\""), "{text}");
    }
    let text = tool(&format!(r#""inputSchema":{{"default":null,"type":"object","title":"{long}'''\u007f\\u202e"}}"#));
    assert!(text.starts_with("inputSchema = '''\n{\n  \"default\": null,\n") && !text.contains('\u{202e}'), "{text}");
}

#[test]
fn deep_and_wide_schemas_are_json_text() {
    let deep = (0..100).fold("{}".to_owned(), |inner, _| format!(r#"{{"items":{inner}}}"#));
    let text = tool(&format!(r#""inputSchema":{{"type":"object","properties":{{"a":{deep}}}}}"#));
    assert!(text.starts_with("inputSchema = '''\n"), "{text}");
}

#[test]
fn texts_of_several_lines_stay_readable() {
    let text = tool(r#""description":"One.\n\nTwo \"quoted\".","inputSchema":{"type":"object"}"#);
    assert!(text.starts_with("description = \"\"\"\nOne.\n\nTwo \"quoted\".\"\"\"\n"), "{text}");
}

#[test]
fn what_a_contract_cannot_say_is_left_out_and_named() {
    let tool = r#"{"name":"t","timeout":7,"titel":"T","fine":[1],"title":null,"_meta":{"a":null,"b":1},"inputSchema":{"type":"object"}}"#;
    let prompt = r#"{"name":"p","arguments":[{"name":"a","required":null,"description":"long\nlines"}]}"#;
    let written = written(&format!(r#"{{"tools":[{tool}],"prompts":[{prompt}],"server":{{"name":"s","x":1}}}}"#));
    let (contract, told) = read(&written.text);
    assert_eq!(told, "");
    assert_eq!(
        contract.tools[0].common.definition.to_json(),
        r#"{"name":"t","_meta":{"b":1},"fine":[1],"inputSchema":{"type":"object"}}"#
    );
    assert_eq!(contract.prompts[0].arguments[0].description.as_ref().unwrap().value, "long\nlines");
    assert_eq!(
        written.left_out,
        [
            "left out of the server, since MCP does not know it: `x`",
            "`t`: left out: what is null in `_meta`, since TOML has no word for it",
            "`t`: left out: `timeout`, which a contract cannot say here (7)",
            "`t`: left out: `titel`, which a contract cannot say here (\"T\")",
        ]
    );
    for lost in &written.left_out {
        let words = lost.strip_prefix("`t`: ").unwrap_or(lost);
        assert!(written.text.contains(&format!("# {words}\n")), "{words}");
    }
}

/// What is wrong with a feature itself is for `check` to say.
#[test]
fn faulty_features_are_written_as_they_are() {
    let written = written(
        r#"{"tools":[{"name":"a b","icons":[],"inputSchema":{"type":"string"}},{"inputSchema":5}],"resources":[{"name":"r","uri":"no-scheme","mimeType":"a/b"}]}"#,
    );
    let told = read(&written.text).1;
    for part in ["E0107", "E0202", "E0305", "E0404"] {
        assert!(told.contains(part), "{part}: {told}");
    }
    assert!(written.text.contains("icons = []\n") && written.text.contains("mimeType = \"a/b\"\n"), "{}", written.text);
}

#[test]
fn notes_and_keys_of_ours_stand_where_they_belong() {
    let mut draft = draft(
        r#"{"tools":[{"name":"t","inputSchema":{"type":"object","properties":{"a":{"type":"string"}},"additionalProperties":false}}]}"#,
    );
    draft.notes = vec!["from afar".to_owned(), "a choice".to_owned()];
    draft.tools[0].notes = vec!["of two\nlines".to_owned()];
    draft.tools[0].own = vec![("timeout", offer::node("\"5s\"").unwrap())];
    assert_eq!(
        write(&draft).text,
        "# from afar\n#\n# a choice\n\nformat = 1\n\n# of two\n# lines\n[[tools]]\nname = \"t\"\ntimeout = \"5s\"\n\n\
         [tools.args]\na = { type = \"string\" }\n"
    );
}

#[test]
fn a_format_that_a_short_form_would_check_is_written_out() {
    for format in ["path", "url", "command-arg"] {
        let schema = |inside: &str| {
            format!(r#""inputSchema":{{"type":"object","properties":{{"a":{inside}}},"additionalProperties":false}}"#)
        };
        let plain = format!(r#"{{"type":"string","format":"{format}"}}"#);
        for inside in [plain.clone(), format!(r#"{{"type":"array","items":{plain}}}"#)] {
            let text = tool(&schema(&inside));
            assert!(text.contains("inputSchema") && !text.contains("args"), "{text}");
        }
    }
}
