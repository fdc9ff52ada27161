//! Findings for programs: JSON, GitHub's annotations, and SARIF as its specification has it.

use serde_json::{Value, json};
use support::{Sandbox, WEATHER};

/// A contract with an error in it.
fn faulty() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("specs/weather.toml", &WEATHER.replace("description", "descripton"));
    sandbox
}

/// What of SARIF 2.1.0 we write, with the types and required keys that its specification gives them, and nothing else.
fn structure() -> Value {
    let object = |required: &[&str], properties: Value| json!({ "type": "object", "required": required, "properties": properties, "additionalProperties": false });
    let list = |items: Value| json!({ "type": "array", "items": items });
    let number = json!({ "type": "integer", "minimum": 1 });
    let message = object(&["text"], json!({ "text": { "type": "string" } }));
    let region = json!({ "startLine": number, "startColumn": number, "endLine": number, "endColumn": number });
    let artifact = object(&["uri"], json!({ "uri": { "type": "string", "pattern": "^[A-Za-z0-9._~/:%-]+$" } }));
    let place = object(&["artifactLocation"], json!({ "artifactLocation": artifact, "region": object(&[], region) }));
    let location = object(&[], json!({ "physicalLocation": place, "message": message }));
    let result = object(
        &["message"],
        json!({
            "ruleId": { "type": "string" },
            "ruleIndex": { "type": "integer", "minimum": 0 },
            "level": { "enum": ["none", "note", "warning", "error"] },
            "message": message,
            "locations": list(location.clone()),
            "relatedLocations": list(location),
        }),
    );
    let rule = object(&["id"], json!({ "id": { "type": "string" }, "shortDescription": message, "help": message }));
    let text = json!({ "type": "string" });
    let driver = object(
        &["name"],
        json!({ "name": text, "semanticVersion": text, "informationUri": text, "rules": list(rule) }),
    );
    let kinds = json!({ "enum": ["utf16CodeUnits", "unicodeCodePoints"] });
    let tool = object(&["driver"], json!({ "driver": driver }));
    let run = object(&["tool"], json!({ "tool": tool, "columnKind": kinds, "results": list(result) }));
    object(&["version", "runs"], json!({ "$schema": text, "version": { "const": "2.1.0" }, "runs": list(run) }))
}

/// The log, whose structure is right, and whose results name their rules.
fn checked(text: &str) -> Value {
    let log: Value = serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"));
    let validator = jsonschema::validator_for(&structure()).expect("a schema");
    let faults: Vec<_> = validator.iter_errors(&log).map(|fault| fault.to_string()).collect();
    assert_eq!(faults, Vec::<String>::new(), "{text}");
    let run = &log["runs"][0];
    for result in run["results"].as_array().expect("a list") {
        let index = usize::try_from(result["ruleIndex"].as_u64().expect("a number")).expect("a small one");
        assert_eq!(run["tool"]["driver"]["rules"][index]["id"], result["ruleId"]);
    }
    log
}

#[test]
fn sarif_has_the_structure_of_its_specification() {
    let run = faulty().run(&["check", "specs", "--format", "sarif"]);
    assert_eq!((run.code, run.stderr.as_str()), (Some(1), ""));
    let log = checked(&run.stdout);
    let result = &log["runs"][0]["results"][0];
    assert_eq!((&result["ruleId"], &result["level"]), (&"E0106".into(), &"error".into()));
    let place = &result["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], "specs/weather.toml");
    assert_eq!((&place["region"]["startLine"], &place["region"]["startColumn"]), (&9.into(), &1.into()));
    let rule = &log["runs"][0]["tool"]["driver"]["rules"][0];
    assert_eq!((&rule["id"], &rule["shortDescription"]["text"]), (&"E0106".into(), &"a key that nothing reads".into()));
    assert!(result["message"]["text"].as_str().unwrap().ends_with("help: did you mean `description`?"), "{result}");
}

#[test]
fn sarif_of_nothing_is_a_log_of_no_results() {
    let run = Sandbox::new().run(&["check", "specs", "--format", "sarif"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert_eq!(checked(&run.stdout)["runs"][0]["results"], Value::Array(Vec::new()));
}

#[test]
fn code_that_is_outdated_is_a_finding_at_the_line_that_differs() {
    let sandbox = Sandbox::new();
    assert_eq!(sandbox.run(&["generate", "specs", "-o", "gen"]).code, Some(0));
    let path = "gen/tools/get_weather.rs";
    let text = sandbox.read(path);
    let third = text.lines().nth(2).unwrap();
    sandbox.write(path, &text.replacen(third, "edited", 1));
    let shown = if cfg!(windows) { r"gen\\tools\\get_weather.rs" } else { path };
    let message = format!(r#""message":"`{shown}` is not what the contract says","severity":"error""#);
    for (format, expected) in [
        ("json", message.as_str()),
        ("github", "::error file=gen/tools/get_weather.rs,line=3,col=1,"),
        ("sarif", r#""startLine": 3,"#),
    ] {
        let run = sandbox.run(&["generate", "specs", "-o", "gen", "--check", "--format", format]);
        assert_eq!((run.code, run.stderr.as_str()), (Some(1), ""));
        assert!(run.stdout.contains(expected), "{}", run.stdout);
    }
}

#[test]
fn warnings_are_denied_where_that_is_asked_for() {
    let sandbox = Sandbox::new();
    let warned = format!("{WEATHER}\n[[tools]]\nname = \"echo\"\nx-mine = 1\n");
    sandbox.write("specs/weather.toml", &warned);
    let plain = sandbox.run(&["generate", "specs", "-o", "gen"]);
    assert!(plain.code == Some(0) && plain.stderr.contains("1 warning\n"), "{}", plain.stderr);
    let denied = sandbox.run(&["generate", "specs", "-o", "other", "--deny-warnings"]);
    assert_eq!((denied.code, sandbox.path("other").exists()), (Some(1), false), "{}", denied.stderr);
}
