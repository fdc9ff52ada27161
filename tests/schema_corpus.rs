//! Schemas of published servers, with values that a validator judged: generated code judges them alike, and what it
//! accepts it writes again as it was.
//!
//! The type of a result may hold more than its schema accepts: a server checks its results beside, and so it is here.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use mcp_codegen_judge::{CORPUS, CORPUS_REFUSED, Judged, cases};
use mcp_runtime::codegen::Fault;
use mcp_runtime::validate::{Options, judge as check};
use serde::Deserialize;
use serde_json::value::RawValue;
use support::{equal, note};

/// A value for the schema of a tool.
#[derive(Deserialize)]
struct Instance {
    tool: String,
    which: Which,
    instance: Box<RawValue>,
    valid: bool,
}

#[derive(Clone, Copy, Deserialize, PartialEq, Eq, PartialOrd, Ord)]
#[serde(rename_all = "lowercase")]
enum Which {
    Input,
    Output,
}

#[test]
fn values_are_judged_as_a_validator_judges_them() {
    if cases::servers().is_empty() {
        return note("skipped: the schemas of published servers are not beside the workspace");
    }
    let tables: BTreeMap<(&str, usize), &Judged> = CORPUS.iter().map(|judged| (judged.place, judged)).collect();
    let mut wrong: Vec<String> =
        CORPUS_REFUSED.iter().map(|refused| format!("{:?} refused: {}", refused.place, refused.reason)).collect();
    let (mut schemas, mut broken, mut values) = (BTreeSet::new(), BTreeSet::new(), 0);
    for (server, answer) in cases::servers() {
        let path = cases::shared().join(format!("corpus/instances/{server}.jsonl"));
        for line in fs::read_to_string(path).expect("every server has instances").lines() {
            let instance: Instance = serde_json::from_str(line).expect("a line is an instance");
            let tools = answer["tools"].as_array().expect("tools are a list");
            let index =
                tools.iter().position(|tool| tool["name"] == instance.tool.as_str()).expect("the tool is there");
            let Some(judged) = tables.get(&(server.as_str(), index)) else { continue };
            let schema = (instance.which, server.clone(), instance.tool.clone());
            values += 1;
            let output_schema = tools[index]["outputSchema"].to_string();
            if let Some(fault) = judge(judged, &instance, &output_schema) {
                wrong.push(format!("{server} {} {}: {fault}", instance.tool, name(instance.which)));
                broken.insert(schema.clone());
            }
            schemas.insert(schema);
        }
    }
    for which in [Which::Input, Which::Output] {
        let count = |set: &BTreeSet<(Which, String, String)>| set.iter().filter(|schema| schema.0 == which).count();
        let (all, wrong) = (count(&schemas), count(&broken));
        note(&format!("{}: {} of {all} schemas right", name(which), all - wrong));
    }
    note(&format!("{values} values, {} wrong", wrong.len()));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn judge(judged: &Judged, instance: &Instance, output_schema: &str) -> Option<String> {
    let text = instance.instance.get();
    let decode = match instance.which {
        Which::Input => judged.input,
        Which::Output => judged.output.expect("a tool with an output schema has an output"),
    };
    let checked = |written: String| {
        let options = Options { patterns: Some(&judged.tool.patterns), ..Options::default() };
        let is_fine = instance.which == Which::Input || check(output_schema, &written, &options).faults.is_empty();
        if is_fine { Ok(written) } else { Err(Fault::new("the check of results refuses it")) }
    };
    match (decode(text).and_then(checked), instance.valid) {
        (Ok(again), true) => (!is_kept(text, &again)).then(|| format!("{text} became {again}")),
        (Ok(_), false) => Some(format!("accepted {text}")),
        (Err(_), false) => None,
        (Err(fault), true) => Some(format!("refused {text} ({fault})")),
    }
}

fn is_kept(read: &str, written: &str) -> bool {
    let value = |text| serde_json::from_str(text).expect("JSON text");
    equal::is_kept(&value(read), &value(written))
}

fn name(which: Which) -> &'static str {
    match which {
        Which::Input => "input",
        Which::Output => "output",
    }
}
