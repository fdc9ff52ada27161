//! `explain`: a rule with a wrong and a right example.

use std::error::Error;
use std::fmt::Write;

use mcp_codegen::breaking;
use mcp_codegen::diagnostic::{Code, explanation};
use mcp_codegen::import::openapi;
use mcp_codegen::lint::{self, Rule};
use mcp_codegen::stubs;

use super::{ExplainArgs, Outcome, console};

pub(super) fn run(args: &ExplainArgs) -> Result<Outcome, Box<dyn Error>> {
    let text = match &args.rule {
        None => list(),
        Some(name) => {
            of(name).ok_or_else(|| format!("there is no rule `{name}`; `mcp-codegen explain` lists them all"))?
        }
    };
    console::data(&text)?;
    Ok(Outcome::Fine)
}

/// All rules, a line each.
fn list() -> String {
    let mut text = String::from("Rules for every contract (`check`, `generate`):\n");
    for (code, title) in Code::ALL {
        line(&mut text, &format!("E{code}"), title);
    }
    text.push_str("\nRules of clients (`lint`):\n");
    for rule in lint::rules() {
        line(&mut text, rule.id, rule.title);
    }
    text.push_str("\nOther commands (`import --openapi`, `stubs`):\n");
    for (name, title, _) in others() {
        line(&mut text, name, title);
    }
    text.push_str("\nChanges of contracts (`breaking`):\n");
    for rule in breaking::RULES {
        line(&mut text, rule.id, rule.title);
    }
    text
}

fn line(text: &mut String, name: &str, title: &str) {
    // Writing to a `String` cannot fail.
    writeln!(text, "  {name:<26}{title}").unwrap_or_default();
}

fn of(name: &str) -> Option<String> {
    let rule = lint::rules().find(|rule| rule.id == name);
    let text = rule.map(of_client_rule).or_else(|| of_change(name)).or_else(|| of_code(name));
    text.or_else(|| of_other(name))
}

/// Rules of commands that have few.
fn others() -> impl Iterator<Item = (&'static str, &'static str, &'static str)> {
    openapi::RULES.into_iter().chain(stubs::RULES)
}

fn of_other(name: &str) -> Option<String> {
    let (name, title, why) = others().find(|(known, _, _)| *known == name)?;
    Some(format!("{name}: {title}\n\n{why}\n"))
}

fn of_change(name: &str) -> Option<String> {
    let rule = breaking::RULES.iter().find(|rule| rule.id == name)?;
    let mut text =
        format!("{}: {}\n\nWhen two contracts are compared, this is: {}\n", rule.id, rule.title, rule.category());
    if !rule.help.is_empty() {
        // Writing to a `String` cannot fail.
        writeln!(text, "What helps: {}", rule.help).unwrap_or_default();
    }
    Some(text)
}

fn of_client_rule(rule: &Rule) -> String {
    let mut text = format!("{}: {}\n\n", rule.id, rule.title);
    for client in rule.clients {
        let who = client.target.map_or("every client", lint::Target::name);
        let (does, says) = (client.does.name(), client.says);
        // Writing to a `String` cannot fail.
        writeln!(text, "{who} {does} ({}): {says}", client.severity.name()).unwrap_or_default();
        if !client.source.is_empty() {
            writeln!(text, "    seen {}: {}", client.date, client.source).unwrap_or_default();
        }
    }
    let examples = [("Wrong", rule.wrong), ("Right", rule.right)];
    for (title, example) in examples {
        writeln!(text, "\n{title}:\n\n{}", indented(&format!("format = 1\n\n{example}"))).unwrap_or_default();
    }
    let id = rule.id;
    writeln!(text, "\nSilence it beside a feature: `allow = {{ \"{id}\" = \"why\" }}`").unwrap_or_default();
    text
}

/// `E0306`, `W0306`, `0306` and `306` are one rule.
fn of_code(name: &str) -> Option<String> {
    let digits = name.trim_start_matches(['E', 'W', 'N', 'e', 'w', 'n']);
    let number: u16 = digits.parse().ok()?;
    let (code, title) = Code::ALL.iter().find(|(code, _)| code.to_string() == format!("{number:04}"))?;
    let explanation = explanation::of(*code)?;
    let mut text = format!("E{code}: {title}\n\n{}\n", explanation.why);
    for (title, examples) in [("Wrong", &explanation.wrong), ("Right", &explanation.right)] {
        for example in examples {
            // Writing to a `String` cannot fail.
            writeln!(text, "\n{title}:\n\n{}", indented(&example.text)).unwrap_or_default();
        }
    }
    Some(text)
}

fn indented(text: &str) -> String {
    let lines = text.lines().map(|line| if line.is_empty() { String::new() } else { format!("    {line}") });
    lines.collect::<Vec<_>>().join("\n")
}
