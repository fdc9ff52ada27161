//! A schema, a line end, and arguments for it: the report is bounded, and what repair makes is accepted as it is.

#![no_main]

use libfuzzer_sys::fuzz_target;
use mcp_runtime::validate::{Options, judge};

fuzz_target!(|text: &str| {
    let Some((schema, arguments)) = text.split_once('\n') else { return };
    let strict = judge(schema, arguments, &Options::default());
    assert!(strict.explain("tool").len() < 4096);
    assert!(strict.repaired.is_none());
    let lenient = judge(schema, arguments, &Options { repair: true, ..Options::default() });
    let Some(repaired) = lenient.repaired else { return };
    assert!(!repaired.repairs.is_empty());
    let again = judge(schema, &repaired.arguments, &Options::default());
    assert!(again.faults.is_empty(), "{} made of {arguments}", repaired.arguments);
});
