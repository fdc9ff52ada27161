//! Why each rule for contracts is one, with a wrong and a right example.

use crate::diagnostic::Code;
use crate::source::Role;

/// The explanations, a section for each rule: prose, then blocks of contracts that are wrong or right.
const TEXT: &str = include_str!("explanations.md");

/// What there is to say about one rule.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Explanation {
    /// Why it is a rule.
    pub why: String,
    /// The files of a contract that breaks it.
    pub wrong: Vec<Example>,
    /// The files of the same contract mended.
    pub right: Vec<Example>,
}

/// A file of a contract.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Example {
    /// Its format.
    pub role: Role,
    /// Its text.
    pub text: String,
}

/// The explanation of a rule that has a number.
#[must_use]
pub fn of(code: Code) -> Option<Explanation> {
    let heading = format!("## {code}");
    let mut lines =
        TEXT.lines().skip_while(|line| *line != heading).skip(1).take_while(|line| !line.starts_with("## "));
    let mut explanation = Explanation { why: String::new(), wrong: Vec::new(), right: Vec::new() };
    let mut is_there = false;
    while let Some(line) = lines.next() {
        is_there = true;
        let Some(fence) = line.strip_prefix("```") else {
            if !line.is_empty() {
                explanation.why.push_str(line);
                explanation.why.push('\n');
            }
            continue;
        };
        let text: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
        let role = if fence.starts_with("json") { Role::Json } else { Role::Toml };
        let list = if fence.ends_with("wrong") { &mut explanation.wrong } else { &mut explanation.right };
        list.push(Example { role, text: text.join("\n") + "\n" });
    }
    explanation.why.truncate(explanation.why.trim_end().len());
    is_there.then_some(explanation)
}
