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
}

/// The schemas of this run.
#[must_use]
pub fn schemas() -> Vec<Random> {
    let wanted = std::env::var("MCP_CODEGEN_RANDOM").ok();
    let wanted = wanted.as_deref().and_then(|text| text.split_once(':'));
    let wanted = wanted.and_then(|(seed, count)| Some((seed.parse().ok()?, count.parse().ok()?)));
    let (first, count): (u64, usize) = wanted.unwrap_or(DEFAULT);
    (first..).take(count).map(|seed| Random { seed, schema: schema::arguments(&mut Rng::with_seed(seed)) }).collect()
}

impl Random {
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
