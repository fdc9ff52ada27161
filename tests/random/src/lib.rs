//! Schemas that nobody wrote, and values near them: the same for the same seed, on every machine.
//!
//! `MCP_CODEGEN_RANDOM=SEED:COUNT` asks for others, or for more of them, where the code is generated and where it is
//! judged. Every schema is one that a careful author could write: whatever the generator refuses is a finding.

mod schema;
mod value;

use fastrand::Rng;
use serde_json::{Value, json};

/// The schemas of a test run: few enough that their code compiles while one waits.
const DEFAULT: (u64, usize) = (2026, 160);

/// A schema of a tool's arguments.
#[derive(Clone, Debug)]
pub struct Random {
    /// It makes the same schema and the same values again.
    pub seed: u64,
    /// The schema, whose root is an object.
    pub schema: Value,
    /// A schema for results, of some: the same, or that of the argument `value`, whose root can be anything.
    pub output: Option<Value>,
}

/// The schemas of this run.
#[must_use]
pub fn schemas() -> Vec<Random> {
    let wanted = std::env::var("MCP_CODEGEN_RANDOM").ok();
    let wanted = wanted.as_deref().and_then(|text| text.split_once(':'));
    let wanted = wanted.and_then(|(seed, count)| Some((seed.parse().ok()?, count.parse().ok()?)));
    let (first, count): (u64, usize) = wanted.unwrap_or(DEFAULT);
    (first..).take(count).map(Random::new).collect()
}

impl Random {
    fn new(seed: u64) -> Self {
        let schema = schema::arguments(&mut Rng::with_seed(seed));
        let output = match seed % 3 {
            0 => Some(schema.clone()),
            1 => of_value(&schema),
            _ => None,
        };
        Self { seed, schema, output }
    }

    /// A result as JSON text, made of arguments.
    #[must_use]
    pub fn result(&self, arguments: &str) -> Option<String> {
        if self.output.as_ref() == Some(&self.schema) {
            return Some(arguments.to_owned());
        }
        Some(serde_json::from_str::<Value>(arguments).ok()?.get("value")?.to_string())
    }

    /// Arguments as JSON text: some fit, some nearly do, some do not at all.
    #[must_use]
    pub fn arguments(&self, count: usize) -> Vec<String> {
        let mut rng = Rng::with_seed(!self.seed);
        let mut all: Vec<String> = (0..count).map(|_| value::text(&mut rng, &self.schema)).collect();
        all.push(json!({}).to_string());
        all.sort();
        all.dedup();
        all
    }
}

/// The schema of the argument `value` as a whole one.
fn of_value(schema: &Value) -> Option<Value> {
    let mut value = schema.pointer("/properties/value")?.clone();
    let keywords = value.as_object_mut()?;
    for keyword in ["$schema", "$defs", "definitions"] {
        if let Some(shared) = schema.get(keyword) {
            keywords.insert(keyword.to_owned(), shared.clone());
        }
    }
    Some(value)
}
