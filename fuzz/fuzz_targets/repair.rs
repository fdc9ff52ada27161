//! Arguments of a tool, judged three times: by its generated decoder, by the walk that explains and mends, and by another
//! validator. All agree; what is valid is left alone, and what was mended is valid to all of them.

#![no_main]

use std::sync::LazyLock;

use jsonschema::Validator;
use libfuzzer_sys::fuzz_target;
use mcp_codegen_fuzz::api;
use mcp_runtime::codegen::{Decode, decode};
use mcp_runtime::validate::{Options, judge};
use serde_json::Value;

struct Tool {
    schema: String,
    validator: Validator,
    decodes: fn(&str) -> bool,
}

static TOOLS: LazyLock<Vec<Tool>> = LazyLock::new(|| {
    let decoders: [(&str, fn(&str) -> bool); 4] = [
        ("scalars", decodes::<api::scalars::Args>),
        ("lists", decodes::<api::lists::Args>),
        ("choices", decodes::<api::choices::Args>),
        ("open", decodes::<api::open::Args>),
    ];
    let contract: Value = serde_json::from_str(include_str!("../contract/shapes.json")).expect("JSON");
    let tools = contract["tools"].as_array().expect("tools").iter().zip(decoders);
    tools
        .map(|(tool, (name, decodes))| {
            assert_eq!(tool["name"], name);
            let schema = &tool["inputSchema"];
            let validator = jsonschema::draft202012::new(schema).expect("a schema");
            Tool { schema: schema.to_string(), validator, decodes }
        })
        .collect()
});

fn decodes<T: Decode>(text: &str) -> bool {
    decode::<T>(text).is_ok()
}

fuzz_target!(|text: &str| {
    let Some(first) = text.bytes().next().filter(u8::is_ascii) else { return };
    let (tool, arguments) = (&TOOLS[usize::from(first) % TOOLS.len()], &text[1..]);
    // what the two readers of JSON see differently is no argument's fault: the target `json` is about that
    let (Ok(value), Ok(_)) = (serde_json::from_str::<Value>(arguments), decode::<Value>(arguments)) else { return };
    if !value.is_object() || !is_exact(&value) {
        return;
    }
    let valid = tool.validator.is_valid(&value);
    assert_eq!((tool.decodes)(arguments), valid, "the decoder about {arguments}");
    let strict = judge(&tool.schema, arguments, &Options::default());
    assert_eq!(strict.faults.is_empty(), valid, "the walk about {arguments}: {:?}", strict.faults);
    let lenient = judge(&tool.schema, arguments, &Options { repair: true, ..Options::default() });
    let Some(repaired) = lenient.repaired else { return };
    assert!(!valid, "{arguments} needed no repair: {:?}", repaired.repairs);
    let mended: Value = serde_json::from_str(&repaired.arguments).expect("JSON");
    if is_exact(&mended) {
        assert!(tool.validator.is_valid(&mended), "{mended} was made of {arguments}");
        assert!((tool.decodes)(&repaired.arguments), "{mended} was made of {arguments}");
    }
});

/// Whether floats hold all numbers exactly enough: the other validator knows nothing else.
fn is_exact(value: &Value) -> bool {
    match value {
        Value::Number(number) => number.as_f64().is_some_and(|number| number.abs() < 1e15),
        Value::Array(items) => items.iter().all(is_exact),
        Value::Object(members) => members.values().all(is_exact),
        Value::Null | Value::Bool(_) | Value::String(_) => true,
    }
}
