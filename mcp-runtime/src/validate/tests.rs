//! What a model reads, and what is mended, case by case.

use proptest::prelude::*;

use super::*;

const WEATHER: &str = r#"{
    "type": "object",
    "properties": {
        "city": { "type": "string", "minLength": 1 },
        "days": { "type": "integer", "minimum": 1, "maximum": 16 },
        "units": { "enum": ["metric", "imperial"] },
        "max_depth": { "type": "integer" },
        "exact": { "type": "boolean" },
        "tags": { "type": "array", "items": { "type": "string" } },
        "filter": { "type": "object", "properties": { "x": { "type": "number" } } },
        "note": { "type": ["string", "null"] },
        "id": { "anyOf": [{ "type": "integer" }, { "enum": ["all"] }] },
        "token": { "type": "string", "maxLength": 4 }
    },
    "required": ["city"],
    "additionalProperties": false
}"#;

fn explained(schema: &str, arguments: &str) -> String {
    let options = Options { secrets: &["/properties/token"], ..Options::default() };
    let text = judge(schema, arguments, &options).explain("t");
    text.strip_prefix("invalid arguments for `t`:\n").unwrap_or(&text).to_owned()
}

/// The repaired arguments, or why there are none.
fn repaired(schema: &str, arguments: &str) -> String {
    let judgement = judge(schema, arguments, &Options { repair: true, ..Options::default() });
    match judgement.repaired {
        Some(repaired) => {
            let repairs = repaired.repairs.iter().map(|repair| format!(" {}: {}", repair.pointer, repair.what));
            repaired.arguments + &repairs.collect::<String>()
        }
        None => judgement.explain("t"),
    }
}

#[test]
fn every_fault_is_named_with_its_place_and_what_was_meant() {
    let arguments = r#"{"days": "ten", "units": "Metric", "depth": 1, "tags": ["a", 2], "filter": {"x": "y"}}"#;
    assert_eq!(
        explained(WEATHER, arguments),
        "- /days: expected an integer, got \"ten\"\n\
         - /units: expected one of \"metric\", \"imperial\", got \"Metric\"; did you mean \"metric\"?\n\
         - /depth: unknown argument; did you mean `max_depth`?\n\
         - /tags/1: expected a string, got 2\n\
         - /filter/x: expected a number, got \"y\"\n\
         - /city: missing; send a string"
    );
}

#[test]
fn secrets_are_not_shown() {
    assert_eq!(
        explained(WEATHER, r#"{"city": "Oslo", "token": "hunter2"}"#),
        "- /token: expected a string of at most 4 characters, got (hidden)"
    );
    let nested = r#"{"properties": {"auth": {"type": "object", "properties": {"token": {"type": "string"}}}}}"#;
    let options = Options { secrets: &["/properties/auth/properties/token"], ..Options::default() };
    for arguments in [r#"{"auth": "{\"token\":\"hunter2\""}"#, r#"{"auth": {"token": 1732}}"#] {
        let text = judge(nested, arguments, &options).explain("t");
        assert!(text.contains("(hidden)") && !text.contains("hunter2") && !text.contains("1732"), "{text}");
    }
}

#[test]
fn the_alternative_that_was_meant_explains_the_fault() {
    let schema = r##"{
        "properties": { "shape": { "oneOf": [{ "$ref": "#/$defs/circle" }, { "$ref": "#/$defs/box" }, { "type": "null" }] } },
        "$defs": {
            "circle": { "type": "object", "properties": { "kind": { "const": "circle" }, "r": { "type": "number" } }, "required": ["kind", "r"] },
            "box": { "type": "object", "properties": { "kind": { "const": "box" }, "w": { "type": "number" } }, "required": ["kind", "w"] }
        }
    }"##;
    assert_eq!(explained(schema, r#"{"shape": {"kind": "box", "r": 1}}"#), "- /shape/w: missing; send a number");
    assert_eq!(
        explained(schema, r#"{"shape": {"kind": "boxx"}}"#),
        "- /shape/kind: expected one of \"circle\", \"box\", got \"boxx\"; did you mean \"box\"?"
    );
    assert_eq!(explained(schema, r#"{"shape": 1}"#), "- /shape: expected an object or null, got 1");
}

#[test]
fn a_report_is_short_whatever_came() {
    let many: Vec<String> = (0..1000).map(|n| format!("\"{}{n}\": 0", "k".repeat(300))).collect();
    let text = judge(WEATHER, &format!("{{{}}}", many.join(",")), &Options::default()).explain("t");
    assert!(text.len() < 2048 && text.ends_with("more"), "{text}");
    let long = format!("{{\"city\": \"Oslo\", \"days\": \"{}\"}}", "é".repeat(1000));
    assert!(explained(WEATHER, &long).chars().count() < 100);
}

#[test]
fn what_no_64_bits_hold_is_out_of_range() {
    let integer = r#"{"properties": {"n": {"type": "integer"}}}"#;
    assert!(explained(integer, r#"{"n": 9223372036854775808}"#).contains("out of range"));
    let unsigned = r#"{"properties": {"n": {"type": "integer", "maximum": 18446744073709551615}}}"#;
    assert!(judge(unsigned, r#"{"n": 9223372036854775808}"#, &Options::default()).faults.is_empty());
}

#[test]
fn a_key_that_came_twice_is_told() {
    assert_eq!(explained(WEATHER, r#"{"city": "a", "city": "b"}"#), "- /city: given twice; send it once");
}

#[test]
fn common_slips_are_mended() {
    for (arguments, mended) in [
        (r#"{"city":"Oslo","days":"5"}"#, r#"{"city":"Oslo","days":5} /days: read a number from text"#),
        (r#"{"city":"Oslo","exact":"true"}"#, r#"{"city":"Oslo","exact":true} /exact: read a boolean from text"#),
        (r#"{"city":1.50}"#, r#"{"city":"1.50"} /city: took a number's digits for text"#),
        (
            r#"{"city":"Oslo","tags":"[\"a\",1]"}"#,
            concat!(
                r#"{"city":"Oslo","tags":["a","1"]}"#,
                " /tags: read an array from its JSON text /tags/1: took a number's digits for text",
            ),
        ),
        (
            r#"{"city":"Oslo","filter":"{\"x\":\"1\"}"}"#,
            concat!(
                r#"{"city":"Oslo","filter":{"x":1}}"#,
                " /filter: read an object from its JSON text /filter/x: read a number from text",
            ),
        ),
        (r#"{"city":"Oslo","days":null}"#, r#"{"city":"Oslo"} /days: took null for an absent argument"#),
        (r#"{"city":"Oslo","id":"7"}"#, r#"{"city":"Oslo","id":7} /id: read a number from text"#),
        (r#""{\"city\":\"Oslo\"}""#, r#"{"city":"Oslo"} : read an object from its JSON text"#),
    ] {
        assert_eq!(repaired(WEATHER, arguments), mended);
    }
}

#[test]
fn what_leaves_a_doubt_is_not_mended() {
    for arguments in [
        r#"{"city":"Oslo","days":"5x"}"#,
        r#"{"city":"Oslo","days":" 5"}"#,
        r#"{"city":"Oslo","days":"5.5"}"#,
        r#"{"city":"Oslo","days":"50"}"#,
        r#"{"city":"Oslo","exact":"yes"}"#,
        r#"{"city":"Oslo","exact":1}"#,
        r#"{"city":null}"#,
        r#"{"city":true}"#,
        r#"{"city":"Oslo","depth":null}"#,
        r#"{"city":"Oslo","tags":"a"}"#,
        r#"{"city":"Oslo","note":5,"id":"none"}"#,
    ] {
        assert!(
            judge(WEATHER, arguments, &Options { repair: true, ..Options::default() }).repaired.is_none(),
            "{arguments}"
        );
    }
    let two_readings = r#"{"anyOf": [
        {"properties": {"a": {"type": "integer"}, "b": {"type": "string"}}},
        {"properties": {"a": {"type": "string"}, "b": {"type": "integer"}}}
    ]}"#;
    assert!(repaired(two_readings, r#"{"a": "5", "b": "6"}"#).starts_with("invalid"));
    assert!(repaired(two_readings, r#"{"a": "5", "b": "six"}"#).starts_with(r#"{"a":5,"b":"six"}"#));
}

#[test]
fn valid_arguments_are_left_alone() {
    for arguments in [r#"{"city":"[1]"}"#, r#"{"city":"5","note":null}"#, r#"{"city":"true","days":5.0}"#] {
        let judgement = judge(WEATHER, arguments, &Options { repair: true, ..Options::default() });
        assert!(judgement.faults.is_empty() && judgement.repaired.is_none(), "{arguments}");
    }
}

#[test]
fn no_arguments_are_an_empty_object() {
    let open = r#"{"type": "object"}"#;
    assert!(judge(open, "", &Options::default()).faults.is_empty());
    assert!(judge(open, "null", &Options::default()).repaired.is_none());
    assert_eq!(repaired(open, "null"), "{} : took null for no arguments");
    assert_eq!(repaired(open, r#""""#), "{} : took an empty string for no arguments");
}

#[test]
fn only_what_is_left_after_repair_is_told() {
    assert_eq!(
        repaired(WEATHER, r#"{"days":"5","filter":"{\"x\":1}"}"#),
        "invalid arguments for `t`:\n- /city: missing; send a string"
    );
}

#[test]
fn schemas_that_explode_or_never_end_are_given_up() {
    let endless = r##"{"$ref": "#"}"##;
    assert_eq!(explained(endless, "{}"), "- arguments: too deep or too intricate to be checked");
    let exponential = r##"{"anyOf": [
        {"type": "array", "items": {"$ref": "#"}}, {"type": "array", "items": {"$ref": "#"}, "maxItems": 9}
    ]}"##;
    let arguments = format!("{}1{}", "[".repeat(100), "]".repeat(100));
    let judgement = judge(exponential, &arguments, &Options { repair: true, ..Options::default() });
    assert!(!judgement.faults.is_empty());
}

fn arbitrary_json() -> impl Strategy<Value = String> {
    let words = [
        "type",
        "enum",
        "const",
        "properties",
        "required",
        "items",
        "prefixItems",
        "contains",
        "minContains",
        "anyOf",
        "oneOf",
        "allOf",
        "not",
        "if",
        "then",
        "$ref",
        "$defs",
        "#",
        "#/$defs/a",
        "a",
        "b",
        "minLength",
        "multipleOf",
        "minimum",
        "additionalProperties",
        "patternProperties",
        "propertyNames",
        "dependentSchemas",
        "uniqueItems",
        "string",
        "integer",
        "array",
        "object",
        "null",
        "^a",
        "{\\\"a\\\":1}",
        "[1]",
        "5",
        "",
    ];
    let word = prop::sample::select(words.to_vec()).prop_map(|word| format!("\"{word}\""));
    let scalar = prop::sample::select(vec!["null", "true", "false", "0", "1.0", "-5", "1e400", "0.01"]);
    let leaf = prop_oneof![word.clone(), scalar.prop_map(str::to_owned)];
    leaf.prop_recursive(6, 64, 5, move |inner| {
        let member = (word.clone(), inner.clone()).prop_map(|(key, value)| format!("{key}:{value}"));
        prop_oneof![
            1 => prop::collection::vec(inner, 0..5).prop_map(|items| format!("[{}]", items.join(","))),
            3 => prop::collection::vec(member, 0..5).prop_map(|members| format!("{{{}}}", members.join(","))),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn nothing_panics_and_what_is_mended_is_valid(schema in arbitrary_json(), arguments in arbitrary_json()) {
        let options = Options { repair: true, secrets: &["/properties/a"], ..Options::default() };
        let judgement = judge(&schema, &arguments, &options);
        prop_assert!(judgement.explain("t").len() < 2048);
        if let Some(repaired) = judgement.repaired {
            prop_assert!(judge(&schema, &repaired.arguments, &Options::default()).faults.is_empty());
        }
    }
}
