//! `PROTOCOL.md` has a row for every rule, and the tests that it names are about that rule.

use std::fs;

use support::workspace;

const TABLE: &str = include_str!("../../PROTOCOL.md");

/// The rules of each chapter that binds servers over stdio: its letters, and how many there are.
const CHAPTERS: &[(&str, usize)] = &[
    ("J", 10),
    ("E", 12),
    ("LC", 9),
    ("MD", 9),
    ("DI", 5),
    ("R", 6),
    ("X", 2),
    ("T", 16),
    ("JS", 5),
    ("RS", 9),
    ("P", 4),
    ("C", 2),
    ("PG", 2),
    ("LG", 3),
    ("PR", 3),
    ("CN", 3),
    ("SB", 8),
    ("MR", 9),
    ("EL", 6),
    ("SA", 2),
    ("RO", 1),
    ("TL", 5),
    ("TX", 7),
    ("IO", 6),
    ("G", 5),
];

#[test]
fn every_rule_has_a_row_and_every_row_a_test_or_a_reason() {
    let rules = CHAPTERS.iter().flat_map(|(letters, count)| (1..=*count).map(move |n| format!("{letters}{n}")));
    let rows: Vec<(&str, &str)> = TABLE.lines().filter_map(row).collect();
    assert_eq!(rows.iter().map(|(rule, _)| *rule).collect::<Vec<_>>(), rules.collect::<Vec<_>>());
    for (rule, cell) in rows {
        let tests: Vec<_> = cell.split('`').filter(|word| word.contains(".rs::")).collect();
        assert!(!tests.is_empty() || cell.ends_with('.') && cell.contains(' '), "{rule} has neither test nor reason");
        for test in tests {
            assert!(names(test, rule), "{test} does not name {rule}, or does not exist");
        }
    }
}

/// `| J1 | … |`
fn row(line: &str) -> Option<(&str, &str)> {
    let (rule, cell) = line.strip_prefix("| ")?.strip_suffix(" |")?.split_once(" | ")?;
    let is_rule = rule.starts_with(|c: char| c.is_ascii_uppercase()) && rule.ends_with(|c: char| c.is_ascii_digit());
    is_rule.then_some((rule, cell))
}

/// Whether the test is there, and a line of its documentation has the rule among others.
fn names(test: &str, rule: &str) -> bool {
    let Some((file, function)) = test.split_once("::") else { return false };
    let Ok(source) = fs::read_to_string(workspace().join("tests").join(file)) else { return false };
    let lines: Vec<&str> = source.lines().map(str::trim).collect();
    let starts = [format!("fn {function}("), format!("async fn {function}(")];
    let Some(at) = lines.iter().position(|line| starts.iter().any(|start| line.starts_with(start))) else {
        return false;
    };
    let above = lines[..at].iter().rev().take_while(|line| line.starts_with("///") || line.starts_with("#["));
    let mut words = above.filter_map(|line| line.strip_prefix("///")).flat_map(str::split_whitespace);
    words.any(|word| word.trim_end_matches([',', ':', '.']) == rule)
}
