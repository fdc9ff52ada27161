//! `import --openapi`: descriptions of HTTP APIs become contracts that `check` has nothing against.
//!
//! Descriptions of real size are not in this repository: `tests/openapi/run` fetches some from a package registry, and runs
//! the last test of this file on them.

use std::fs;
use std::path::PathBuf;

use support::generated_crate::GeneratedCrate;
use support::{Run, Sandbox, note};

fn description(name: &str) -> String {
    let path = support::workspace().join("tests/commands/descriptions").join(name);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// A folder with the descriptions of this test.
fn with_descriptions() -> Sandbox {
    let sandbox = Sandbox::new();
    for name in ["bookshop.yaml", "rooms.json", "parts/rooms.yaml"] {
        sandbox.write(&format!("api/{name}"), &description(name));
    }
    sandbox
}

fn import(sandbox: &Sandbox, file: &str, more: &[&str]) -> Run {
    sandbox.run(&[&["import", "--openapi", file], more].concat())
}

/// The names of the tools in a contract.
fn names(contract: &str) -> Vec<&str> {
    contract.lines().filter_map(|line| line.strip_prefix("name = \"")?.strip_suffix('"')).skip(1).collect()
}

fn snapshot(name: &str, text: &str) {
    let settings = (false, "../snapshots");
    insta::with_settings!({ prepend_module_to_snapshot => settings.0, snapshot_path => settings.1 }, {
        insta::assert_snapshot!(name, text);
    });
}

/// 3.0, in YAML: its own dialect of schemas, parameters of every place and style, bodies of every kind, security.
#[test]
fn every_choice_stands_in_the_contract() {
    let sandbox = with_descriptions();
    let run = import(&sandbox, "api/bookshop.yaml", &[]);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    snapshot("openapi-bookshop", &run.stdout);
    // twice the same, from a file or to one
    let written = import(&sandbox, "api/bookshop.yaml", &["-o", "specs/weather.toml", "--force"]);
    assert_eq!((written.code, written.stderr.as_str()), (Some(0), "wrote `specs/weather.toml`: 8 tools\n"));
    assert_eq!(sandbox.read("specs/weather.toml"), run.stdout);
    assert_eq!(sandbox.run(&["check", "specs"]).stderr, "the contract is valid\n");
}

/// 3.1, in JSON, with references to another file and back.
#[test]
fn files_beside_the_description_are_read_if_asked_for() {
    let sandbox = with_descriptions();
    let run = import(&sandbox, "api/rooms.json", &["--local-refs"]);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    snapshot("openapi-rooms", &run.stdout);
    let run = import(&sandbox, "api/rooms.json", &[]);
    assert_eq!((run.code, run.stdout.as_str()), (Some(1), ""));
    assert!(
        run.stderr.contains(" --> api/rooms.json:5:25\n") && run.stderr.ends_with("\n2 errors\n"),
        "{}",
        run.stderr
    );
    assert!(run.stderr.contains("`--local-refs` reads those beside the description"), "{}", run.stderr);
}

#[test]
fn operations_are_chosen_by_name_path_tag_and_method() {
    let sandbox = with_descriptions();
    let chosen = |more: &[&str]| {
        let run = import(&sandbox, "api/bookshop.yaml", more);
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        names(&run.stdout).into_iter().map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(chosen(&["--include", "covers"]), ["setCover", "sendCover"]);
    assert_eq!(chosen(&["--include", "/books/*", "--method", "PUT,post"]), ["books_add", "setCover", "sendCover"]);
    assert_eq!(chosen(&["--include", "*Book*", "--exclude", "list*"]), ["removeBook"]);
    let none = import(&sandbox, "api/bookshop.yaml", &["--include", "nothing"]);
    assert!(none.code == Some(0) && none.stderr.contains("no operation is wanted"), "{}", none.stderr);
    let short = import(&sandbox, "api/bookshop.yaml", &["--no-output"]);
    assert!(!short.stdout.contains("outputSchema"), "{}", short.stdout);
}

/// What a description that somebody sent may try.
#[test]
fn nothing_is_fetched_and_nothing_outside_is_read() {
    let sandbox = with_descriptions();
    sandbox.write("secret.yaml", "a: {type: string}\n");
    for reference in [
        "https://example.com/x.json#/a",
        "//example.com/x.json",
        "../secret.yaml#/a",
        "/etc/passwd",
        "a/../../secret.yaml",
    ] {
        let operation = format!("{{\"$ref\": \"{reference}\"}}");
        let text = format!("{{\"openapi\": \"3.1.0\", \"paths\": {{\"/a\": {operation}}}}}");
        sandbox.write("api/hostile.json", &text);
        let run = import(&sandbox, "api/hostile.json", &["--local-refs"]);
        assert_eq!((run.code, run.stdout.as_str()), (Some(1), ""), "{reference}");
        assert!(run.stderr.contains("error[openapi-reference]") && !run.stderr.contains("root:"), "{}", run.stderr);
    }
}

#[test]
fn what_is_no_description_is_said_to_be_none() {
    let sandbox = Sandbox::new();
    for (text, said) in [
        ("swagger: '2.0'\npaths: {}\n", "Swagger 2.0"),
        ("{\"openapi\": \"4.0.0\"}", "OpenAPI `4.0.0` is not known"),
        ("[1, 2]", "its root has no `openapi`"),
        ("a: b: c", "this is not YAML"),
        ("{\"openapi\": ", "error[E0101]"),
        ("", "the text holds no value"),
    ] {
        sandbox.write("api.yaml", text);
        let run = import(&sandbox, "api.yaml", &[]);
        assert!(run.code == Some(1) && run.stderr.contains(said), "{text}: {}", run.stderr);
    }
    let missing = import(&sandbox, "nowhere.yaml", &[]);
    assert!(missing.code == Some(2) && missing.stderr.contains("nowhere.yaml"), "{}", missing.stderr);
}

/// What a server alone decides is no argument, wherever in an `allOf` it is said to be required.
#[test]
fn what_is_only_read_is_not_asked_for() {
    let sandbox = Sandbox::new();
    sandbox.write(
        "api.yaml",
        "openapi: 3.0.0\npaths:\n  /a:\n    put:\n      requestBody:\n        required: true\n        content:\n          \
         application/json:\n            schema:\n              allOf:\n                - $ref: '#/components/schemas/Base'\n                \
         - {required: [id, name]}\ncomponents:\n  schemas:\n    Base: {type: object, properties: \
         {id: {type: integer, readOnly: true}, name: {type: string}}}\n",
    );
    let run = import(&sandbox, "api.yaml", &[]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let (_, args) = run.stdout.split_once("[tools.args]\n").expect("arguments");
    assert_eq!(args, "name = { type = \"string\", required = true }\n");
}

#[test]
fn findings_are_explained() {
    let sandbox = Sandbox::new();
    for rule in ["openapi-operation", "openapi-reference", "openapi-version", "handler-left"] {
        let run = sandbox.run(&["explain", rule]);
        assert!(run.code == Some(0) && run.stdout.starts_with(&format!("{rule}: ")), "{}", run.stderr);
    }
    assert!(sandbox.run(&["explain"]).stdout.contains("  handler-left "));
}

/// Nonsense in one place spoils one operation at most, and never the program.
#[test]
fn nonsense_is_left_out() {
    let schemas = [
        r##"{"$ref": "#/components/schemas/Loop"}"##,
        r#"{"type": "object", "properties": {"a": 1, "b": {"type": "strin"}, "c": {"enum": []}, "d": {"required": "yes"}}}"#,
        r#"{"type": "object", "properties": [], "required": [1, "a"], "allOf": {}, "items": 7, "minimum": "x", "maxLength": -1}"#,
        r##"{"allOf": [{"$ref": "#/components/schemas/Loop"}, {"type": "string"}]}"##,
        r#"{"type": "object", "properties": {"a": {"type": "string", "pattern": "(", "default": 3, "minLength": 1.5}}}"#,
        "true",
        "7",
    ];
    for schema in schemas {
        let media = format!(r#"{{"content": {{"application/json": {{"schema": {schema}}}}}}}"#);
        let text = format!(
            r##"{{"openapi": "3.0.0", "info": 7, "servers": {{}}, "security": 1, "paths": {{"/a": {{
                "parameters": {{}}, "summary": [], "delete": 1,
                "post": {{"tags": 1, "parameters": [{{"name": "p", "in": "query", "schema": {schema}}}, {{}}, {{"in": "path"}}],
                "requestBody": {media}, "responses": {{"200": {media}, "x": 1}}}}}}}},
                "components": {{"schemas": {{"Loop": {{"$ref": "#/components/schemas/Loop"}}}}}}}}"##
        );
        let sandbox = Sandbox::new();
        sandbox.write("api.json", &text);
        let run = import(&sandbox, "api.json", &["-o", "specs/weather.toml", "--force"]);
        assert_eq!(run.code, Some(0), "{schema}: {}", run.stderr);
        assert_eq!(names(&sandbox.read("specs/weather.toml")).len(), 0, "the only name is the tool's");
        assert_eq!(sandbox.run(&["check", "specs", "--name", "a"]).code, Some(0), "{schema}");
    }
}

/// Public descriptions of real size: imported, checked, generated and compiled whole.
#[test]
fn descriptions_of_real_apis_compile() {
    let Some(folder) = std::env::var_os("MCP_CODEGEN_OPENAPI").map(PathBuf::from) else {
        return note("skipped: `tests/openapi/run` fetches descriptions and names their folder in MCP_CODEGEN_OPENAPI");
    };
    let real = [
        ("github", "@octokit/openapi/generated/api.github.com.json", 1_000),
        ("readme", "@readme/oas-examples/3.1/json/readme.json", 50),
        ("star_trek", "@readme/oas-examples/3.0/yaml/star-trek.yaml", 100),
    ];
    let sandbox = Sandbox::new();
    let mut contracts = Vec::new();
    for (name, file, least) in real {
        let file = folder.join(file).display().to_string();
        let contract = format!("{name}.toml");
        let run = import(&sandbox, &file, &["-o", &contract]);
        assert!(run.code == Some(0) && !run.stderr.contains("openapi-operation"), "{name}: {}", run.stderr);
        let tools = names(&sandbox.read(&contract)).len();
        assert!(tools >= least, "{name} has {tools} tools");
        note(&format!("{name}: {tools} tools"));
        contracts.push(sandbox.path(&contract));
    }
    let code = GeneratedCrate::new("openapi", &contracts, contracts.len());
    // Types and borrows are checked; machine code of 27 MB of source would tell nothing more.
    code.cargo(&["check", "--quiet"]);
    note("imported, generated and compiled");
}

#[cfg(unix)]
#[test]
fn a_link_does_not_lead_out_of_the_folder() {
    let sandbox = Sandbox::new();
    sandbox.write("outside.json", r#"{"type":"string","description":"OUTSIDE"}"#);
    let parameter = r#"{"name":"x","in":"query","schema":{"$ref":"link.json"}}"#;
    let operation = format!(r#"{{"get":{{"operationId":"o","parameters":[{parameter}]}}}}"#);
    let info = r#"{"title":"x","version":"1"}"#;
    sandbox.write("api/a.json", &format!(r#"{{"openapi":"3.1.0","info":{info},"paths":{{"/a":{operation}}}}}"#));
    std::os::unix::fs::symlink("../outside.json", sandbox.path("api/link.json")).expect("a link");
    let run = import(&sandbox, "api/a.json", &["--local-refs"]);
    assert!(run.code == Some(1) && !run.stdout.contains("OUTSIDE"), "{}", run.stdout);
    assert!(run.stderr.contains("leads out of the folder"), "{}", run.stderr);
}

#[test]
fn nothing_is_left_out_without_a_word() {
    let sandbox = Sandbox::new();
    let paths = [
        r#""/u/{id}/{id}":{"get":{"operationId":"a","responses":{}}}"#,
        r#""nolead":{"get":{"operationId":"b"}}"#,
        r#""/d":{"get":{"operationId":"c","parameters":{"a":1}}}"#,
        r#""/f":{"get":[1],"summary":"F","x-own":1}"#,
        r#""/g":{"query":{"operationId":"q"},"GET":{"operationId":"up"}}"#,
    ];
    let info = r#"{"title":"x","version":"1"}"#;
    let paths = paths.join(",\n");
    sandbox.write("api/a.json", &format!("{{\"openapi\":\"3.0.3\",\"info\":{info},\"paths\":{{\n{paths}\n}}}}"));
    let run = import(&sandbox, "api/a.json", &[]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    for word in ["`nolead` is left out", "they are no list", "`get` of `/f`", "`query` of `/g`", "`GET` of `/g`"] {
        assert!(run.stderr.contains(word), "{word}: {}", run.stderr);
    }
    assert!(
        !run.stderr.contains("`x-own`") && run.stderr.matches("warning[openapi-operation]").count() == 5,
        "{}",
        run.stderr
    );
    assert!(run.stdout.contains("id = { type = \"string\", required = true }"), "{}", run.stdout);
    assert!(run.stdout.contains("id (not declared, taken as text)"), "{}", run.stdout);
}

/// Whoever has only the contract can see each choice, and what was lost.
#[test]
fn choices_among_answers_and_what_is_left_out_stand_in_the_contract() {
    let sandbox = Sandbox::new();
    let object = |name: &str| {
        format!(
            r#"{{"content":{{"application/json":{{"schema":{{"type":"object","properties":{{"{name}":{{"type":"integer"}}}}}}}}}}}}"#
        )
    };
    let schema = |schema: &str| format!(r#""requestBody":{{"content":{{"application/json":{{"schema":{schema}}}}}}}"#);
    let step = schema(r#"{"type":"object","properties":{"n":{"type":"number","multipleOf":0}}}"#);
    let circle = schema(r##"{"$ref":"#/components/schemas/Loop"}"##);
    let paths = [
        format!(
            r#""/a":{{"put":{{"operationId":"a","responses":{{"201":{},"200":{},"202":{{}},"404":{{}}}}}}}}"#,
            object("made"),
            object("found")
        ),
        format!(r#""/b":{{"post":{{"operationId":"b",{step},"responses":{{}}}}}}"#),
        format!(r#""/c":{{"post":{{"operationId":"c",{circle},"responses":{{}}}}}}"#),
    ];
    let schemas = r##"{"Loop":{"$ref":"#/components/schemas/Loop"}}"##;
    let info = r#"{"title":"x","version":"1"}"#;
    let paths = paths.join(",");
    let text =
        format!(r#"{{"openapi":"3.1.0","info":{info},"paths":{{{paths}}},"components":{{"schemas":{schemas}}}}}"#);
    sandbox.write("api.json", &text);
    let run = import(&sandbox, "api.json", &[]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let contract = run.stdout;
    let choice = "# `outputSchema` is what it answers with 200; it may also answer 201, 202.\n";
    assert!(contract.contains(choice) && contract.contains("found = ") && !contract.contains("made = "), "{contract}");
    assert!(contract.contains("\n# `multipleOf`.\n") && contract.contains("n = { type = \"number\" }"), "{contract}");
    let left_out = "# `POST /c` is left out: ";
    assert!(contract.contains(left_out) && contract.contains("leads back to itself"), "{contract}");
    assert_eq!(names(&contract), ["a", "b"]);
}
