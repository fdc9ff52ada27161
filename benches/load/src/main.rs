//! Drives servers side by side and prints what a request costs each of them.
//!
//! Every contender is a program of its own that serves the same tools. In each round every contender answers the same
//! requests for every subject, one contender after the other, so that whatever else the machine does meets them all alike.
//! What counts is the time that a server's own threads spend on a processor, per request, as a ratio to the floor's in the
//! same round. Every answer is checked. Linux only, for it reads `/proc`.

mod contender;
mod flood;
mod http;
mod process;
mod report;
mod stdio;
mod subject;

use std::error::Error;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

use clap::Parser;

use self::contender::Contender;
use self::report::Report;
use self::subject::{Era, Subject, Transport};

/// Whether somebody wants no more than what is measured by now: the report tells that.
static STOPPED: AtomicBool = AtomicBool::new(false);

/// Drive servers side by side and print what a request costs each of them
#[derive(Debug, Parser)]
struct Options {
    /// Only these, by their names: floor, again, ours, rmcp, tower-mcp, typescript, python
    #[arg(long, value_delimiter = ',')]
    contenders: Vec<String>,

    /// Only subjects whose names begin with one of these
    #[arg(long, value_delimiter = ',')]
    subjects: Vec<String>,

    /// How often each contender meets each subject
    #[arg(long, default_value_t = 5)]
    rounds: usize,

    /// Measure the era with sessions instead of the one without
    #[arg(long)]
    sessions: bool,

    /// Take so many times the requests
    #[arg(long, default_value_t = 1)]
    scale: u32,

    /// Do not build anything; take what is there
    #[arg(long)]
    no_build: bool,

    /// Write the figures there as JSON, too
    #[arg(long)]
    json: Option<PathBuf>,
}

impl Options {
    fn wants(&self, subject: &str) -> bool {
        self.subjects.is_empty() || self.subjects.iter().any(|start| subject.starts_with(start))
    }
}

#[expect(clippy::print_stdout, clippy::print_stderr, reason = "a program for people")]
fn main() -> Result<(), Box<dyn Error>> {
    let options = Options::parse();
    let era = if options.sessions { Era::Sessions } else { Era::Stateless };
    let wanted = |name: &str| options.contenders.is_empty() || options.contenders.iter().any(|wanted| wanted == name);
    let mut contenders = Vec::new();
    for name in contender::NAMES.into_iter().filter(|name| wanted(name)) {
        match Contender::prepare(name, !options.no_build) {
            Ok(contender) => contenders.push(contender),
            Err(why) => eprintln!("skipped: {name}: {why}"),
        }
    }
    let subjects: Vec<Subject> = subject::all().into_iter().filter(|subject| options.wants(subject.name)).collect();
    let mut report = Report::default();
    ctrlc::set_handler(|| STOPPED.store(true, Ordering::Relaxed))?;
    'rounds: for round in 0..options.rounds {
        for subject in &subjects {
            for contender in contenders.iter().filter(|contender| contender.has_manners || subject.manner().is_none()) {
                eprint!("\r\x1b[Kround {} of {}: {}, {}", round + 1, options.rounds, subject.name, contender.name);
                let load = subject.load(contender.slowness, options.scale);
                let figures = match subject.transport {
                    Transport::Stdio => stdio::measure(contender, subject, era, load),
                    Transport::Http => http::measure(contender, subject, era, load),
                };
                // what was under way then is no figure
                if STOPPED.load(Ordering::Relaxed) {
                    break 'rounds;
                }
                report.add((subject.name, contender.name), round, figures.map_err(|error| error.to_string()));
            }
        }
    }
    if options.wants(subject::SILENT) && !STOPPED.load(Ordering::Relaxed) {
        for contender in &contenders {
            eprint!("\r\x1b[K{}, {}", subject::SILENT, contender.name);
            let flood = flood::measure(contender, &subject::flood(), era);
            report.flood(contender.name, flood.map_err(|error| error.to_string()));
        }
    }
    eprintln!("\r\x1b[K");
    println!("{report}");
    if let Some(path) = options.json {
        std::fs::write(path, serde_json::to_string_pretty(&report.figures())?)?;
    }
    if report.has_failures() { Err("not every answer was right".into()) } else { Ok(()) }
}
