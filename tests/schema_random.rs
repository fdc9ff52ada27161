//! Random schemas and values near them: generation never fails, its code compiles, and it judges every value as an
//! independent validator does. What it accepts it writes again as it was, and the report on refused arguments agrees.
//!
//! `MCP_CODEGEN_RANDOM=SEED:COUNT cargo test -p mcp-codegen-tests --test schema_random` tries others.

use std::collections::BTreeMap;

use jsonschema::Validator;
use mcp_codegen_judge::{Judged, RANDOM, RANDOM_REFUSED};
use mcp_runtime::validate::{Options, judge};
use serde_json::Value;
use support::{equal, note};

/// Values for each schema.
const VALUES: usize = 50;

#[test]
fn generated_code_and_a_validator_agree() {
    let tables: BTreeMap<u64, &Judged> = RANDOM.iter().map(|judged| (judged.place.1 as u64, judged)).collect();
    let refused = RANDOM_REFUSED.iter().map(|refused| format!("{} refused: {}", refused.place.1, refused.reason));
    let mut wrong: Vec<String> = refused.collect();
    let (mut values, mut valid, schemas) = (0, 0, mcp_codegen_random::schemas());
    for random in &schemas {
        let Some(judged) = tables.get(&random.seed) else { continue };
        let told = |fault| format!("{}: {fault} | {}", random.seed, random.schema);
        let input = Case::new(judged, &random.schema);
        let output = random.output.as_ref().map(|output| Case::new(judged, output));
        let texts = random.arguments(VALUES).into_iter();
        for text in texts.filter(|text| !input.is_beyond_the_validator(text)) {
            values += 1;
            valid += usize::from(input.accepts(&text));
            let output = output.as_ref().and_then(|case| case.result(&random.result(&text)?));
            wrong.extend([input.arguments(&text), input.report(&text), output].into_iter().flatten().map(told));
        }
    }
    note(&format!("{} schemas, {values} values, {valid} of them valid, {} wrong", schemas.len(), wrong.len()));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// One schema, as generated code and for others to judge by.
struct Case<'r> {
    judged: &'r Judged,
    schema: String,
    validator: Validator,
}

/// Each says what is wrong, if anything is.
impl<'r> Case<'r> {
    fn new(judged: &'r Judged, schema: &Value) -> Self {
        let validator = jsonschema::options().offline().should_validate_formats(false).build(schema);
        let validator = validator.unwrap_or_else(|fault| panic!("{fault} | {schema}"));
        Self { judged, schema: schema.to_string(), validator }
    }

    /// The validator divides floats, which do not hold this number.
    fn is_beyond_the_validator(&self, text: &str) -> bool {
        text.contains("9007199254740993") && ["1.5", "0.5", "0.25"].iter().any(|step| self.schema.contains(step))
    }

    fn accepts(&self, text: &str) -> bool {
        self.validator.is_valid(&value(text))
    }

    /// The verdict of generated code on arguments, and what it writes again.
    fn arguments(&self, text: &str) -> Option<String> {
        match ((self.judged.input)(text), self.accepts(text)) {
            (Ok(written), true) => altered(text, &written),
            (Ok(_), false) => Some(format!("accepted {text}")),
            (Err(_), false) => None,
            (Err(fault), true) => Some(format!("refused {text} ({fault})")),
        }
    }

    /// A result. Its type may hold more than the schema accepts, as results are checked beside; and keywords about
    /// objects or arrays alone make the type one of those.
    fn result(&self, text: &str) -> Option<String> {
        let written = self.judged.output?(text).ok()?;
        let altered = if self.accepts(text) { altered(text, &written) } else { None };
        altered.or_else(|| self.report(&written)).map(|fault| format!("as a result, {fault}"))
    }

    /// The report that a model would get.
    fn report(&self, text: &str) -> Option<String> {
        let options = Options { patterns: Some(&self.judged.tool.patterns), ..Options::default() };
        let judgement = judge(&self.schema, text, &options);
        let agrees = judgement.faults.is_empty() == self.accepts(text);
        (!agrees).then(|| format!("reported {:?} of {text}", judgement.explain("t")))
    }
}

fn altered(read: &str, written: &str) -> Option<String> {
    (!equal::is_kept(&value(read), &value(written))).then(|| format!("{read} became {written}"))
}

fn value(text: &str) -> Value {
    serde_json::from_str(text).expect("JSON text")
}
