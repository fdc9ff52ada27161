//! What users report of other generators and of clients, each by its id: what a contract's author sees of it here.

use std::fmt::Write as _;
use std::fs;

use support::{Run, Sandbox, WEATHER};

/// A native contract in TOML with these lines.
fn with(lines: &str) -> String {
    format!("format = 1\n[server]\nname = \"s\"\nversion = \"1\"\n{lines}")
}

/// A native contract in JSON, with a tool of this input schema.
fn with_schema(schema: &str) -> String {
    format!(
        r#"{{"format":1,"server":{{"name":"s"}},"tools":[{{"name":"t","description":"T","inputSchema":{schema}}}]}}"#
    )
}

fn run(file: &str, contract: &str, arguments: &[&str]) -> Run {
    let sandbox = Sandbox::new();
    sandbox.write(file, contract);
    sandbox.run(&[&[arguments[0], file], &arguments[1..]].concat())
}

fn lint(contract: &str, target: &str) -> Run {
    run(if contract.starts_with('{') { "c.json" } else { "c.toml" }, contract, &["lint", "--target", target])
}

/// What clients see of the contract's tools.
fn wire(contract: &str) -> String {
    let sandbox = Sandbox::new();
    sandbox.write("c.toml", contract);
    let run = sandbox.run(&["generate", "c.toml", "-o", "gen"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let entries = fs::read_dir(sandbox.path("gen/tools")).expect("tools");
    let code: String =
        entries.map(|entry| fs::read_to_string(entry.expect("an entry").path()).expect("code")).collect();
    code.lines().filter(|line| line.starts_with("pub const DEFINITION: &str = ")).collect()
}

/// All of `told` is in the text.
fn tells(run: &Run, told: &[&str]) {
    for told in told {
        assert!(run.stderr.contains(told), "{told}: {}", run.stderr);
    }
}

const ONE_OF_TWO: &str = r#"{"type":"object","properties":{"id":{"type":"string"},"slug":{"type":"string"}},"oneOf":[{"required":["id"]},{"required":["slug"]}]}"#;

#[test]
fn r01_r40_a_combinator_at_the_root_is_an_error_and_rules_need_none() {
    // VS Code takes it out without a word, and goes on
    for (target, weight) in [("claude", "error"), ("openai", "error"), ("vscode", "warning")] {
        let found = lint(&with_schema(ONE_OF_TWO), target);
        let told = format!("{weight}[root-combinator]: `oneOf` stands at the root of the input schema");
        tells(&found, &[&told, "--> c.json:1:"]);
        assert_eq!(found.code, Some(i32::from(weight == "error")), "{target}");
    }
    let rules = with(
        "[[tools]]\nname = \"t\"\ndescription = \"Find it.\"\nargs.id = { type = \"string\", description = \"i\" }\n\
         args.slug = { type = \"string\", description = \"s\" }\nrules.one_of = [[\"id\", \"slug\"]]\n",
    );
    let wire = wire(&rules);
    assert!(wire.contains("Find it. Give exactly one of `id` and `slug`."), "{wire}");
    assert!(!wire.contains("oneOf") && !wire.contains("anyOf") && !wire.contains("allOf"), "{wire}");
    assert_eq!(lint(&rules, "claude,openai,vscode").code, Some(0));
}

#[test]
fn r06_names_that_clients_refuse_are_errors_with_a_proposal() {
    let tool = |name: &str| with(&format!("[[tools]]\nname = \"{name}\"\ndescription = \"D\"\n"));
    tells(&lint(&tool("calendar.read"), "claude"), &["error[tool-name-characters]", "call it `calendar_read`"]);
    for (name, proposal) in [("Dockerfile scan", "Dockerfile_scan"), ("a/b", "a_b")] {
        let found = run("c.toml", &tool(name), &["check"]);
        assert_eq!(found.code, Some(1));
        tells(&found, &["error[E0202]", &format!("call it `{proposal}`")]);
    }
}

#[test]
fn r07_lengths_count_with_the_prefix_of_each_client() {
    let tool = format!("[[tools]]\nname = \"{}\"\ndescription = \"D\"\n", "x".repeat(58));
    let contract = with(&tool).replace("\"s\"", "\"enterprise-database\"");
    // `mcp__enterprise-database__` has 26 characters, `mcp_enterprise-database_` 24, the name alone 19.
    for (target, over) in [("claude", 20), ("cursor", 17), ("gemini", 19)] {
        tells(&lint(&contract, target), &["prefixed-name-length", &format!("shorten it by {over} characters")]);
    }
}

#[test]
fn r12_an_array_states_its_items() {
    let array = |items: &str| with(&format!("[[tools]]\nname = \"t\"\nargs.a = {{ type = \"array\"{items} }}\n"));
    let found = run("c.toml", &array(""), &["check"]);
    assert_eq!(found.code, Some(1));
    tells(&found, &["the array does not say what its items are", "c.toml:7:"]);
    assert!(wire(&array(", items = {}")).contains(r#""type":"array","items":{}"#));
}

#[test]
fn r13_r75_words_that_gemini_refuses_are_named_and_where_possible_not_written() {
    let short = with(
        "[[tools]]\nname = \"t\"\nargs.n = { type = \"integer\", exclusiveMinimum = 0 }\nargs.c = { const = \"a\" }\n",
    );
    let wire = wire(&short);
    assert!(wire.contains(r#""n":{"type":"integer","minimum":1}"#) && wire.contains(r#""enum":["a"]"#), "{wire}");
    assert!(!wire.contains("$schema"), "{wire}");
    let schema = r#"{"$schema":"http://json-schema.org/draft-07/schema#","type":"object","properties":{"a":{"type":"integer","exclusiveMinimum":0,"exclusiveMaximum":9},"b":{"const":1},"c":{"type":"array","items":{},"uniqueItems":true},"d":{"type":"object","properties":{},"propertyNames":{"minLength":1},"patternProperties":{"x":{}}},"e":{"type":["string","null"]}}}"#;
    let found = lint(&with_schema(schema), "gemini");
    let words = [
        "$schema",
        "exclusiveMinimum",
        "exclusiveMaximum",
        "const",
        "uniqueItems",
        "propertyNames",
        "patternProperties",
    ];
    for word in words {
        tells(&found, &[&format!("the input schema has `{word}`")]);
    }
    tells(&found, &["`e` has several types in one `type`"]);
}

#[test]
fn r14_references_are_written_out_but_for_recursion() {
    let used = "[[tools]]\nname = \"t\"\ndescription = \"D\"\nargs.q = { ref = \"Query\", description = \"q\" }\n";
    let flat = with(&format!("{used}[defs.Query]\nq = {{ type = \"string\", required = true }}\n"));
    let shown = wire(&flat);
    assert!(!shown.contains("$ref") && !shown.contains("$defs") && shown.contains(r#""required":["q"]"#), "{shown}");
    assert!(!lint(&flat, "copilot-cli,others").stderr.contains("[reference]"));
    let deep = with(&format!("{used}[defs.Query]\nand = {{ ref = \"Query\" }}\n"));
    assert!(wire(&deep).contains(r##""$ref":"#/$defs/Query""##));
    tells(&lint(&deep, "copilot-cli,others"), &["warning[reference]"]);
}

#[test]
fn r15_tools_are_counted_for_each_client() {
    let mut tools = String::new();
    for number in 0..130 {
        writeln!(tools, "[[tools]]\nname = \"t{number}\"\ndescription = \"D\"").unwrap();
    }
    for (target, over) in [("openai", 2), ("vscode", 2), ("cursor", 50), ("windsurf", 30)] {
        tells(
            &lint(&with(&tools), target),
            &["error[tool-count]: the server has 130 tools", &format!("{over} more than")],
        );
    }
}

#[test]
fn r36_a_cut_is_shown_where_it_falls() {
    let text = format!("{}END{}", "x".repeat(2045), "y".repeat(952));
    let found = lint(&with(&format!("[[tools]]\nname = \"t\"\ndescription = \"{text}\"\n")), "claude");
    tells(&found, &["warning[long-description]: the description of `t` has 3000 characters", "xEND`"]);
}

#[test]
fn r38_what_strict_mode_wants_is_named() {
    let schema = r#"{"type":"object","properties":{"a":{"type":"string","format":"uri","default":"x"},"o":{"type":"object","properties":{"b":{"type":"string"}}}}}"#;
    let found = lint(&with_schema(schema), "openai-strict");
    tells(
        &found,
        &["[strict-closed]", "[strict-format]: `a` has the format `uri`", "[strict-required]: `a` is not required"],
    );
    tells(&found, &["[strict-keyword]: the input schema has `default`"]);
}

#[test]
fn r52_no_schema_makes_the_generator_panic() {
    let schema = r#"{"type":"object","properties":{"a":{"not":{"type":"object"}},"b":{"if":{"type":"string"},"then":{"minLength":1},"else":{"minimum":1}}}}"#;
    let sandbox = Sandbox::new();
    sandbox.write("c.json", &with_schema(schema));
    let run = sandbox.run(&["generate", "c.json", "-o", "gen"]);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), "wrote 2 files, removed 0, 0 unchanged\n"));
}

#[test]
fn r53_a_fault_deep_inside_has_its_place() {
    let schema = "{\"type\":\"object\",\"properties\":{\"a\":{\"items\":{\"anyOf\":[{\"properties\":{\n\"b\":{\"type\":\"strnig\"}}}]}}}}";
    let found = run("c.json", &with_schema(schema), &["check"]);
    tells(&found, &["error[E0301]: unknown JSON Schema type `strnig`", " --> c.json:2:13", "did you mean `string`?"]);
}

#[test]
fn r56_what_has_not_changed_is_not_written() {
    let sandbox = Sandbox::new();
    assert_eq!(sandbox.run(&["generate", "specs", "-o", "gen"]).code, Some(0));
    let times = || {
        ["gen/mod.rs", "gen/tools/get_weather.rs", "gen/.mcp-codegen-manifest"]
            .map(|path| fs::metadata(sandbox.path(path)).unwrap().modified().unwrap())
    };
    let before = times();
    assert_eq!(sandbox.run(&["generate", "specs", "-o", "gen"]).stderr, "2 files unchanged\n");
    assert_eq!(times(), before);
}

#[test]
fn r67_a_header_that_clients_would_drop_a_tool_for_is_an_error() {
    let args = |args: &str| with(&format!("[[tools]]\nname = \"t\"\n{args}"));
    for wrong in [
        "args.a = { type = \"number\", x-mcp-header = \"A\" }\n",
        "args.a = { type = \"string\", x-mcp-header = \"A\" }\nargs.b = { type = \"string\", x-mcp-header = \"a\" }\n",
        "args.a = { type = \"string\", x-mcp-header = \"A B\" }\n",
    ] {
        let found = run("c.toml", &args(wrong), &["check"]);
        assert_eq!(found.code, Some(1), "{wrong}");
    }
}

#[test]
fn r71_a_required_name_without_property_is_told_with_the_nearest() {
    let schema = r#"{"type":"object","properties":{"note":{"type":"string","description":"n"}},"required":["notes"]}"#;
    let found = run("c.json", &with_schema(schema), &["check", "--deny-warnings"]);
    assert_eq!(found.code, Some(1));
    tells(&found, &["`notes` is required, but no property has that name", "did you mean `note`?"]);
    tells(&lint(&with_schema(schema), "vscode"), &["[undeclared-required]"]);
}

#[test]
fn r73_tools_and_arguments_want_descriptions() {
    let found = lint(&with("[[tools]]\nname = \"t\"\nargs.q = { type = \"string\" }\n"), "vscode");
    assert_eq!(found.code, Some(1));
    tells(&found, &["error[missing-description]", "warning[undescribed-argument]: `q` of `t` has no description"]);
    // what generators make of a name says nothing more than the name
    let titled = r#"{"type":"object","properties":{"max_results":{"type":"integer","title":"Max Results"},"q":{"type":"string","title":"Words to look for"}}}"#;
    tells(&lint(&with_schema(titled), "claude"), &["undescribed-argument]: `max_results` of `t` has no description"]);
}

#[test]
fn r74_what_strict_tools_cost_together_is_estimated() {
    let mut tools = String::new();
    for number in 0..13 {
        writeln!(tools, "[[tools]]\nname = \"t{number}\"\ndescription = \"D\"").unwrap();
        for argument in 0..=number {
            writeln!(tools, "args.a{argument} = {{ type = \"string\", pattern = \"^x+$\", description = \"a\" }}")
                .unwrap();
        }
    }
    let found = lint(&with(&tools), "claude-strict");
    tells(&found, &["[strict-grammar]", "91 optional properties together", "`t12` 13, `t11` 12"]);
}

#[test]
fn r78_changes_are_judged_by_direction() {
    let sandbox = Sandbox::new();
    let contract = |city: &str, units: &str, more: &str, hint: bool| {
        with(&format!(
            "[[tools]]\nname = \"t\"\ndescription = \"D\"\nannotations = {{ readOnlyHint = {hint} }}\nargs.city = {{ type = \"string\"{city} }}\n\
             args.units = {{ enum = [{units}] }}\noutput.x = {{ enum = [{more}], required = true }}\n"
        ))
    };
    sandbox.write("old.toml", &contract("", "\"a\", \"b\"", "\"x\"", true));
    sandbox.write("new.toml", &contract(", required = true", "\"a\"", "\"x\", \"y\"", false));
    let run = sandbox.run(&["breaking", "new.toml", "--against", "old.toml", "--format", "json"]);
    assert_eq!(run.code, Some(1));
    for code in ["argument-required", "argument-narrowed", "result-widened", "annotation-weakened"] {
        assert!(run.stdout.contains(&format!("\"code\":\"{code}\"")), "{code}: {}", run.stdout);
    }
    let back = sandbox.run(&["breaking", "old.toml", "--against", "new.toml"]);
    assert_eq!(back.code, Some(0), "{}", back.stderr);
}

#[cfg(unix)]
#[test]
fn r81_no_other_program_is_needed() {
    let sandbox = Sandbox::new();
    assert_eq!(sandbox.run(&["generate", "specs", "-o", "with"]).code, Some(0));
    let output = sandbox.command(&["generate", "specs", "-o", "without"]).env_clear().env("PATH", "/nowhere").output();
    assert_eq!(output.unwrap().status.code(), Some(0));
    for file in ["mod.rs", "tools/get_weather.rs"] {
        assert_eq!(sandbox.read(&format!("with/{file}")), sandbox.read(&format!("without/{file}")));
    }
}

#[test]
fn r58_code_says_which_contract_it_comes_from() {
    let sandbox = Sandbox::new();
    assert_eq!(sandbox.run(&["generate", "specs", "-o", "gen"]).code, Some(0));
    assert!(sandbox.read("gen/tools/get_weather.rs").contains(" from weather.toml. Do not edit"));
    assert_eq!(sandbox.run(&["generate", "specs", "-o", "gen", "--check"]).code, Some(0));
    sandbox.write("specs/weather.toml", &WEATHER.replace("current", "the"));
    assert_eq!(sandbox.run(&["generate", "specs", "-o", "gen", "--check"]).code, Some(1));
}

#[test]
fn r84_nothing_is_fetched_and_nothing_nests_without_end() {
    let fetched = with_schema(r#"{"type":"object","properties":{"a":{"$ref":"http://169.254.169.254/x"}}}"#);
    let found = run("c.json", &fetched, &["check"]);
    tells(&found, &["`http://169.254.169.254/x` refers to another document", "nothing is fetched"]);
    let nested = format!("{}{{}}{}", "{\"anyOf\":[".repeat(10_000), "]}".repeat(10_000));
    let deep = with_schema(&format!(r#"{{"type":"object","properties":{{"a":{nested}}}}}"#));
    let found = run("c.json", &deep, &["check"]);
    assert_eq!(found.code, Some(1));
    tells(&found, &["values are nested deeper than 128 levels"]);
}
