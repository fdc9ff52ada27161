//! The figures as a table.
#![expect(clippy::print_stdout, reason = "a program that tells what it measured")]

use crate::measure::{Measured, median};

/// So many of the worst are named.
const WORST: usize = 12;

/// Prints each tool, then what all of them say together.
pub(crate) fn print(measured: &[Measured], left_out: &[&str]) {
    println!(
        "{:<52} {:>5} {:>8} {:>9} {:>7} {:>7} {:>7}",
        "tool", "texts", "ns/text", "validator", "+type", "serde", "bare"
    );
    for one in measured {
        line(one);
    }
    let texts: usize = measured.iter().map(|one| one.texts).sum();
    let refused: usize = measured.iter().map(|one| one.refused_by_serde).sum();
    let guarded = measured.iter().filter(|one| one.case.guarded).count();
    println!("\n{} tools, {texts} texts; {refused} more that plain serde refuses", measured.len());
    println!("left out, for plain serde reads none of their texts, or there are none: {}", left_out.join(", "));
    println!("{guarded} of the tools have a schema that no type says: they ask a validator, too (*)\n");
    summary("serde_json + validator / ours", measured.iter().map(|one| one.validator).collect(), 5);
    summary("the same + from_value / ours", measured.iter().map(|one| one.typed).collect(), 5);
    summary("ours / plain serde", measured.iter().map(|one| one.over_serde).collect(), 95);
    let constrained = measured.iter().filter(|one| one.case.constrained && !one.case.guarded);
    summary("with constraints / without", constrained.map(|one| one.over_bare).collect(), 95);
    worst("slowest beside the validator", measured, |one| one.validator);
    worst("slowest beside plain serde", measured, |one| -one.over_serde);
    worst("slowest beside itself without constraints", measured, |one| -one.over_bare);
}

fn line(one: &Measured) {
    let name = format!("{}{}", one.case.name, if one.case.guarded { " *" } else { "" });
    println!(
        "{name:<52} {:>5} {:>8.0} {:>9.2} {:>7.2} {:>7.2} {:>7.2}",
        one.texts, one.ours, one.validator, one.typed, one.over_serde, one.over_bare
    );
}

/// The median, and where the worst twentieth begins.
fn summary(what: &str, mut ratios: Vec<f64>, percent: usize) {
    ratios.sort_by(f64::total_cmp);
    let place = ratios.len().saturating_sub(1) * percent / 100;
    let at = ratios.get(place).copied().unwrap_or(f64::NAN);
    println!(
        "{what:<32} median {:>6.2}   worst twentieth from {at:>6.2}   of {}",
        median(ratios.clone()),
        ratios.len()
    );
}

fn worst(what: &str, measured: &[Measured], order: impl Fn(&Measured) -> f64) {
    println!("\n{what}");
    let mut sorted: Vec<&Measured> = measured.iter().collect();
    sorted.sort_by(|a, b| order(a).total_cmp(&order(b)));
    sorted.into_iter().take(WORST).for_each(line);
}
