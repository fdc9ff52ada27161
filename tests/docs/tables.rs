//! The tables of SECURITY.md, REPORTS.md and TESTING.md: each row that there must be is there, and every test that a row
//! names exists.

use std::fs;

use support::{shared, workspace};

const SECURITY: &str = include_str!("../../SECURITY.md");
const REPORTS: &str = include_str!("../../REPORTS.md");
const TESTING: &str = include_str!("../../TESTING.md");

/// The rows of all tables in a text, less their heads.
fn rows(text: &str) -> impl Iterator<Item = Vec<&str>> {
    text.lines().filter_map(|line| {
        let row = line.strip_prefix("| ")?.strip_suffix(" |")?;
        (!row.starts_with("---")).then(|| row.split(" | ").map(str::trim).collect())
    })
}

/// The tests that a text names, as `file.rs::function`.
fn tests(text: &str) -> Vec<&str> {
    text.split('`').filter(|word| word.contains(".rs::") && !word.contains(' ')).collect()
}

/// Whether a file has a function of this name: relative to `tests`, or to the root of the checkout.
fn exists(test: &str) -> bool {
    let Some((file, function)) = test.split_once("::") else { return false };
    let texts = [workspace().join("tests").join(file), workspace().join(file)].map(fs::read_to_string);
    texts.into_iter().flatten().any(|text| text.contains(&format!("fn {function}(")))
}

#[test]
fn every_test_that_a_table_names_exists() {
    for (name, text, least) in [("SECURITY.md", SECURITY, 40), ("REPORTS.md", REPORTS, 50), ("TESTING.md", TESTING, 20)]
    {
        let named = tests(text);
        assert!(named.len() >= least, "{name} names only {} tests", named.len());
        let missing: Vec<_> = named.into_iter().filter(|test| !exists(test)).collect();
        assert!(missing.is_empty(), "{name}: {missing:#?}");
    }
}

#[test]
fn every_attack_has_a_default_and_a_test_or_a_reason() {
    let Some(attacks) = shared("reports/attacks.md") else { return };
    let attacks = fs::read_to_string(attacks).expect("a table");
    let known: Vec<_> = rows(SECURITY).collect();
    for attack in rows(&attacks).skip(1) {
        let row = known.iter().find(|row| row[0] == attack[0]);
        let row = row.unwrap_or_else(|| panic!("SECURITY.md has no row for `{}`", attack[0]));
        assert_eq!(row.len(), 3, "{row:?}");
        let [default, kept] = [row[1], row[2]];
        assert!(!default.is_empty() && (!tests(kept).is_empty() || kept.ends_with('.')), "{row:?}");
    }
}

#[test]
fn every_report_has_an_answer_and_a_test_or_a_reason() {
    let Some(reports) = shared("reports/reports.md") else { return };
    let reports = fs::read_to_string(reports).expect("a table");
    let known: Vec<_> = rows(REPORTS).collect();
    let ids: Vec<_> = rows(&reports).map(|row| row[0]).filter(|id| id.starts_with('R')).collect();
    assert!(ids.len() > 50, "{ids:?}");
    for id in ids {
        let row = known.iter().find(|row| row[0] == id).unwrap_or_else(|| panic!("REPORTS.md has no row for {id}"));
        assert_eq!(row.len(), 3, "{row:?}");
        assert!(!row[1].is_empty() && (!tests(row[2]).is_empty() || row[2].ends_with('.')), "{row:?}");
    }
}

/// Only what must outlive a process, or is told to people, looks at the time of day: a clock that jumps moves no limit.
#[test]
fn the_time_of_day_decides_only_what_outlives_a_process() {
    let mut found = Vec::new();
    let mut folders = vec![workspace().join("mcp-runtime/src")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if fs::read_to_string(&path).expect("a file").contains("SystemTime") {
                let path = path.strip_prefix(workspace().join("mcp-runtime/src")).expect("it is inside");
                found.push(path.to_string_lossy().replace('\\', "/"));
            }
        }
    }
    found.sort();
    let expected = [
        // tokens, whose issuer states times of day
        "auth/jwt.rs",
        "auth/verifier.rs",
        // what clients carry from one process to another
        "context/ask/round.rs",
        // when an event happened, for people
        "listener/event.rs",
        // tasks, which a store may keep
        "task/time.rs",
        "transport/http/authorize.rs",
        // numbers that no process before can have used
        "transport/http/sessions.rs",
    ];
    assert_eq!(found, expected);
}
