//! The table: medians over the rounds, and the ratios to the floor of the same round.

use std::collections::BTreeMap;
use std::fmt;

use serde_json::{Value, json};

use crate::flood::Flood;
use crate::process::Figures;
use crate::subject::SILENT;

/// All that was measured, in the order of the measuring.
#[derive(Debug, Default)]
pub(crate) struct Report {
    subjects: Vec<&'static str>,
    contenders: Vec<&'static str>,
    /// By subject and contender: by round.
    figures: BTreeMap<(&'static str, &'static str), BTreeMap<usize, Figures>>,
    floods: Vec<(&'static str, Flood)>,
    failures: Vec<String>,
}

impl Report {
    pub(crate) fn add(
        &mut self,
        (subject, contender): (&'static str, &'static str),
        round: usize,
        figures: Result<Figures, String>,
    ) {
        if !self.subjects.contains(&subject) {
            self.subjects.push(subject);
        }
        if !self.contenders.contains(&contender) {
            self.contenders.push(contender);
        }
        match figures {
            Ok(figures) => {
                self.figures.entry((subject, contender)).or_default().insert(round, figures);
            }
            Err(why) => self.failures.push(format!("{contender}, {subject}: {why}")),
        }
    }

    pub(crate) fn flood(&mut self, contender: &'static str, flood: Result<Flood, String>) {
        match flood {
            Ok(flood) => self.floods.push((contender, flood)),
            Err(why) => self.failures.push(format!("{contender}, {SILENT}: {why}")),
        }
    }

    /// Whether a server failed somewhere.
    pub(crate) fn has_failures(&self) -> bool {
        !self.failures.is_empty()
    }

    /// Everything, for programs.
    pub(crate) fn figures(&self) -> Value {
        let line = |(&(subject, contender), rounds): (&(&str, &str), &BTreeMap<usize, Figures>)| json!({ "subject": subject, "contender": contender, "rounds": rounds.values().collect::<Vec<_>>() });
        json!({ "figures": self.figures.iter().map(line).collect::<Value>(), "floods": self.floods })
    }

    /// The median of a figure, and of its ratio to the floor's.
    fn of(
        &self,
        subject: &'static str,
        contender: &'static str,
        figure: fn(&Figures) -> f64,
    ) -> Option<(f64, Option<f64>)> {
        let rounds = self.figures.get(&(subject, contender))?;
        let floor = self.figures.get(&(subject, "floor"));
        let ratio = |(round, own): (&usize, &Figures)| Some(figure(own) / figure(floor?.get(round)?));
        let ratios: Vec<f64> = rounds.iter().filter_map(ratio).collect();
        Some((median(rounds.values().map(figure).collect())?, median(ratios)))
    }
}

fn median(mut values: Vec<f64>) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied()
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        type Column = (&'static str, fn(&Figures) -> f64);
        let tables: [Column; 4] = [
            ("Processor time, µs per request", |figures| figures.cpu),
            ("Time that passed, client included, µs per request", |figures| figures.wall),
            ("From start to the first answer, ms", |figures| figures.cold),
            ("The most memory, MiB", |figures| figures.memory),
        ];
        for (title, figure) in tables {
            writeln!(f, "## {title}\n")?;
            writeln!(f, "| | {} |", self.contenders.join(" | "))?;
            writeln!(f, "| --- |{}", " --- |".repeat(self.contenders.len()))?;
            for subject in &self.subjects {
                write!(f, "| {subject} |")?;
                for contender in &self.contenders {
                    match self.of(subject, contender, figure) {
                        Some((value, Some(ratio))) if *contender != "floor" => {
                            write!(f, " {} [{ratio:.2}] |", short(value))?;
                        }
                        Some((value, _)) => write!(f, " {} |", short(value))?,
                        None => write!(f, " – |")?,
                    }
                }
                writeln!(f)?;
            }
            writeln!(f)?;
        }
        if !self.floods.is_empty() {
            writeln!(f, "## A client that writes for four seconds and reads nothing\n")?;
            writeln!(f, "| | requests taken | growth, MiB | answered in, s | lost |\n| --- | --- | --- | --- | --- |")?;
            for (contender, Flood { taken, growth, drained, lost }) in &self.floods {
                writeln!(f, "| {contender} | {taken} | {} | {} | {lost} |", short(*growth), short(*drained))?;
            }
            writeln!(f)?;
        }
        self.failures.iter().try_for_each(|failure| writeln!(f, "failed: {failure}"))
    }
}

/// Three digits.
fn short(value: f64) -> String {
    let digits = [10.0, 100.0].into_iter().filter(|limit| value < *limit).count();
    format!("{value:.digits$}")
}
