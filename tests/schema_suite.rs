//! The public JSON Schema test suite for 2020-12: generated code accepts what each schema accepts, and nothing else.
//!
//! Each schema is that of the argument `value` of a tool. What the generator refuses, it refuses with a reason.

use mcp_codegen_judge::cases::{self, Group, Test};
use mcp_codegen_judge::{FORMATS, FORMATS_REFUSED, Judged, Refused, SUITE, SUITE_REFUSED};
use support::{equal, note};

/// What is not followed: a dialect in which `format` decides.
const REFUSED: &str = "optional/format-assertion";

#[test]
fn every_verdict_is_right() {
    verdicts(&cases::suite(), SUITE, SUITE_REFUSED);
}

/// Where the contract asserts formats, what is not of its format is refused: by decoding and by the validator.
#[test]
fn formats_decide_where_they_are_asserted() {
    verdicts(&cases::formats(), FORMATS, FORMATS_REFUSED);
}

fn verdicts(groups: &[Group], all: &[Judged], all_refused: &[Refused]) {
    if groups.is_empty() {
        return note("skipped: the JSON Schema test suite is not beside the workspace");
    }
    let (mut right, mut wrong, mut told) = (0, Vec::new(), String::new());
    for group in groups {
        let place = (group.file.as_str(), group.index);
        if let Some(refused) = all_refused.iter().find(|refused| refused.place == place) {
            tell(&mut told, &format!("{}: not generated: {}", name(group), refused.reason));
            if !is_expected(group, refused) {
                wrong.push(format!("{}: refused: {} | {}", name(group), refused.reason, group.schema));
            }
            continue;
        }
        let judged = all.iter().find(|judged| judged.place == place).expect("every schema is judged or refused");
        for test in &group.tests {
            match (judge(judged, test), differs(group, test)) {
                (None, _) => right += 1,
                (Some(_), Some(why)) => tell(&mut told, &format!("{} / {}: {why}", name(group), test.description)),
                (Some(fault), None) => {
                    wrong.push(format!("{} / {}: {fault} | {}", name(group), test.description, group.schema));
                }
            }
        }
    }
    note(&format!("{told}{right} right, {} wrong", wrong.len()));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Verdicts on optional tests that differ, and why: file, test, reason.
const OPTIONAL: &[(&str, &str, &str)] = &[
    ("optional/bignum", "a bignum is an integer", "`integer` is i64 or u64"),
    ("optional/bignum", "a negative bignum is an integer", "`integer` is i64 or u64"),
    (
        "optional/format-assertion",
        "format-assertion: false: invalid string",
        "`format` describes, and a dialect may leave that to whoever does not assert it",
    ),
    ("optional/float-overflow", "valid if optional overflow handling is implemented", "`integer` is i64 or u64"),
];

/// Why the verdict on an optional test differs, if it may.
fn differs(group: &Group, test: &Test) -> Option<&'static str> {
    if group.file.starts_with("optional/format/idn-") && !test.valid {
        return Some("international names are not asserted: every server would carry the tables of Unicode for them");
    }
    let known = OPTIONAL.iter().find(|(file, name, _)| *file == group.file && *name == test.description);
    known.map(|(_, _, why)| *why)
}

fn judge(judged: &Judged, test: &Test) -> Option<String> {
    let arguments = format!("{{\"value\":{}}}", test.data.get());
    match (judged.input)(&arguments) {
        Ok(_) if !test.valid => Some(format!("accepted {arguments}")),
        Ok(again) => (!is_kept(&arguments, &again)).then(|| format!("{arguments} became {again}")),
        Err(_) if !test.valid => None,
        Err(fault) => Some(format!("refused {arguments} ({fault})")),
    }
}

fn is_kept(read: &str, written: &str) -> bool {
    let value = |text| serde_json::from_str(text).expect("JSON text");
    equal::is_kept(&value(read), &value(written))
}

fn is_expected(group: &Group, refused: &Refused) -> bool {
    group.file == REFUSED && refused.reason.ends_with("vocab/format-assertion`, which is not known")
}

fn name(group: &Group) -> String {
    format!("{} / {}", group.file, group.description)
}

fn tell(told: &mut String, line: &str) {
    told.push_str(line);
    told.push('\n');
}
