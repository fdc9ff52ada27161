//! The arguments and results of the four tools that are called.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Debug, Deserialize, JsonSchema)]
pub struct AddArguments {
    /// First addend
    pub a: i64,
    /// Second addend
    pub b: i64,
}

#[derive(Debug, Deserialize, JsonSchema)]
pub struct EchoArguments {
    /// Text to return
    pub text: String,
}

#[derive(Debug, Deserialize, JsonSchema)]
pub struct BulkArguments {
    /// Records
    pub items: Vec<Item>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[expect(dead_code, reason = "a handler would want them; here they are only read")]
pub struct Item {
    pub id: i64,
    pub name: String,
    pub tags: Vec<String>,
    pub score: f64,
}

#[derive(Debug, Deserialize, JsonSchema)]
pub struct WeatherArguments {
    /// City name
    pub city: String,
    /// Number of days
    #[serde(default = "one")]
    #[schemars(range(min = 1, max = 16))]
    pub days: i32,
    /// Unit system
    #[serde(default)]
    pub units: Units,
}

#[derive(Debug, Default, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Units {
    #[default]
    Metric,
    Imperial,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct Weather {
    city: String,
    days: i32,
    units: Units,
    forecast: Vec<Day>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct Day {
    day: i32,
    high: f64,
    low: f64,
    summary: String,
}

fn one() -> i32 {
    1
}

/// The range is in the schema, but nothing in these runtimes enforces it.
pub fn weather(arguments: WeatherArguments) -> Result<Weather, String> {
    let WeatherArguments { city, days, units } = arguments;
    if !(1..=16).contains(&days) {
        return Err(format!("days must be between 1 and 16, got {days}"));
    }
    let day = |day| Day { day, high: 20.0 + f64::from(day), low: 10.0 + f64::from(day), summary: "clear".to_owned() };
    Ok(Weather { city, days, units, forecast: (0..days).map(day).collect() })
}
