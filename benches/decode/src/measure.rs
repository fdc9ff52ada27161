//! One tool, measured.

use std::error::Error;
use std::hint::black_box;
use std::time::{Duration, Instant};

use jsonschema::Validator;
use serde_json::Value;

use crate::Case;

/// What one tool's arguments cost.
#[derive(Debug)]
pub(crate) struct Measured {
    pub(crate) case: &'static Case,
    /// How many texts were read.
    pub(crate) texts: usize,
    /// How many more there were that plain serde refuses: integers written `3.0`, mostly.
    pub(crate) refused_by_serde: usize,
    /// Nanoseconds for one text.
    pub(crate) ours: f64,
    /// `serde_json` into a `Value` and a validator, as a multiple of ours.
    pub(crate) validator: f64,
    /// The same, and the value made into the type: what a server does that way.
    pub(crate) typed: f64,
    /// Ours as a multiple of plain serde.
    pub(crate) over_serde: f64,
    /// Ours as a multiple of the same without constraints.
    pub(crate) over_bare: f64,
}

const ROUNDS: usize = 21;

/// So long each way reads in one round: long against the clock, short against a time slice.
const SLICE: Duration = Duration::from_micros(200);

/// Measures a tool; nothing, if there is no text for it.
///
/// # Errors
///
/// If one of the texts is not accepted as it should be.
pub(crate) fn case(case: &'static Case, texts: &[String]) -> Result<Option<Measured>, Box<dyn Error>> {
    let validator = jsonschema::options().should_validate_formats(false).build(&serde_json::from_str(case.schema)?)?;
    for text in texts {
        if !(case.ours)(text) || !(case.bare)(text) || validate(&validator, text).is_none() {
            return Err(format!("{}: {text} is valid, and one of the readers refuses it", case.name).into());
        }
    }
    let both: Vec<&str> = texts.iter().map(String::as_str).filter(|text| (case.twin)(text)).collect();
    if both.is_empty() {
        return Ok(None);
    }
    let by_validator = |text: &str| (case.judged)(&validator, text);
    let into_type = |text: &str| validate(&validator, text).is_some_and(case.typed);
    let ways: [&dyn Fn(&str) -> bool; 5] = [&case.ours, &by_validator, &case.twin, &case.bare, &into_type];
    let loops = ways.map(|way| loops(way, &both));
    let mut rounds = [const { Vec::new() }; 5];
    for _ in 0..ROUNDS {
        for ((way, loops), round) in ways.iter().zip(loops).zip(&mut rounds) {
            round.push(time(way, &both, loops));
        }
    }
    let ratio =
        |over: usize, under: usize| median(rounds[over].iter().zip(&rounds[under]).map(|(a, b)| a / b).collect());
    Ok(Some(Measured {
        case,
        texts: both.len(),
        refused_by_serde: texts.len() - both.len(),
        ours: median(rounds[0].clone()),
        validator: ratio(1, 0),
        typed: ratio(4, 0),
        over_serde: ratio(0, 2),
        over_bare: ratio(0, 3),
    }))
}

/// Lets each way read each text a few times, for a program that counts instructions.
///
/// # Errors
///
/// If the schema cannot be compiled.
pub(crate) fn once(case: &'static Case, texts: &[String], bare: bool) -> Result<(), Box<dyn Error>> {
    let validator = jsonschema::options().should_validate_formats(false).build(&serde_json::from_str(case.schema)?)?;
    let ours = if bare { case.bare } else { case.ours };
    for text in texts.iter().filter(|text| (case.twin)(text)) {
        for _ in 0..4 {
            black_box((ours(text), (case.judged)(&validator, text), (case.twin)(text)));
        }
    }
    Ok(())
}

/// The value, if the schema accepts it.
pub(crate) fn validate(validator: &Validator, text: &str) -> Option<Value> {
    serde_json::from_str(text).ok().filter(|value| validator.is_valid(value))
}

/// How often the texts are read to fill a slice.
fn loops(way: &dyn Fn(&str) -> bool, texts: &[&str]) -> u32 {
    let mut loops = 1;
    loop {
        let start = Instant::now();
        repeat(way, texts, loops);
        if start.elapsed() >= SLICE {
            return loops;
        }
        loops *= 2;
    }
}

/// The nanoseconds that one text takes.
fn time(way: &dyn Fn(&str) -> bool, texts: &[&str], loops: u32) -> f64 {
    let start = Instant::now();
    repeat(way, texts, loops);
    let whole = start.elapsed().as_secs_f64() * 1e9;
    whole / f64::from(loops) / f64::from(u32::try_from(texts.len()).unwrap_or(u32::MAX))
}

fn repeat(way: &dyn Fn(&str) -> bool, texts: &[&str], loops: u32) {
    for _ in 0..loops {
        for text in texts {
            black_box(way(black_box(text)));
        }
    }
}

/// The middle one.
pub(crate) fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}
