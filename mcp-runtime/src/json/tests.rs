//! Behavior of reader and writer, case by case.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::*;

fn reason<T: Decode>(text: &str) -> &'static str {
    decode::<T>(text).err().map_or("accepted", Fault::reason)
}

#[test]
fn integers_are_known_by_their_value() {
    for (text, value) in [("1.0", 1), ("1e2", 100), ("-0.0", 0), ("10e-1", 1), ("-9223372036854775808", i64::MIN)] {
        assert_eq!(decode::<i64>(text), Ok(value), "{text}");
    }
    for text in ["9223372036854775808", "1e19", "1e400", "-9223372036854775809"] {
        assert_eq!(reason::<i64>(text), "out of range", "{text}");
    }
    assert_eq!(reason::<i64>("1.5"), "expected an integer");
    assert_eq!(reason::<i64>("1e-1"), "expected an integer");
    assert_eq!(decode::<u64>("18446744073709551615"), Ok(u64::MAX));
    assert_eq!(reason::<u64>("18446744073709551616"), "out of range");
    assert_eq!(reason::<u64>("-1"), "out of range");
}

#[test]
fn integer_rules_include_their_bounds() {
    let rules = IntegerRules { minimum: -6, maximum: 9, multiple_of: 3 };
    for (text, ok) in [("-6", true), ("9.0", true), ("-7", false), ("12", false), ("4", false)] {
        assert_eq!(Reader::new(text).integer_where(&rules).is_ok(), ok, "{text}");
        assert_eq!(Reader::new(text).unsigned_where(&rules).is_ok(), ok && !text.starts_with('-'), "{text}");
    }
    for (text, multiple_of, ok) in [
        ("-9223372036854775808", -1, true),
        ("9223372036854775807", 7, true),
        ("9223372036854775807", 2, false),
        ("5", i128::MAX, false),
        ("0", i128::MIN, true),
    ] {
        let rules = IntegerRules { multiple_of, ..IntegerRules::ANY };
        assert_eq!(Reader::new(text).integer_where(&rules).is_ok(), ok, "{text} {multiple_of}");
    }
    let rules = IntegerRules { multiple_of: 10_000_000_000, ..IntegerRules::ANY };
    assert!(Reader::new("18000000000000000000").unsigned_where(&rules).is_ok());
    assert!(Reader::new("18000000000000000001").unsigned_where(&rules).is_err());
}

#[test]
fn number_rules_are_decided_on_decimal_digits() {
    let rules =
        NumberRules { exclusive_minimum: Some(0.0), multiple_of: NumberRules::multiples_of(0.01), ..NumberRules::ANY };
    for (text, ok) in [("4.35", true), ("19.99", true), ("1e-2", true), ("0", false), ("4.355", false)] {
        assert_eq!(Reader::new(text).number_where(&rules).is_ok(), ok, "{text}");
    }
    assert_eq!(reason::<f64>("1e400"), "out of range");
}

#[test]
fn bounds_are_kept_beyond_the_digits_of_a_float() {
    let rules = NumberRules { exclusive_minimum: Some(0.0), maximum: Some(0.1), ..NumberRules::ANY };
    for (text, ok) in [("1e-400", true), ("0e-9", false), ("0.1", true), ("0.10000000000000000000001", false)] {
        assert_eq!(Reader::new(text).number_where(&rules).is_ok(), ok, "{text}");
    }
}

#[test]
fn lengths_are_counted_in_characters() {
    let rules = StringRules { min_length: 2, max_length: 3 };
    for (text, ok) in [("\"éé\"", true), ("\"𝄞𝄞𝄞\"", true), ("\"𝄞\"", false), ("\"abcd\"", false)] {
        assert_eq!(Reader::new(text).string_where(&rules).is_ok(), ok, "{text}");
    }
}

#[test]
fn escapes_are_decoded_and_checked_everywhere() {
    assert_eq!(decode(r#""\ud834\udd1e\u00e9\/\b""#), Ok("𝄞é/\u{8}".to_owned()));
    for text in [r#""\ud834""#, r#""\udd1e""#, r#""\ud834\u0041""#, r#""\x""#, r#""\u00g0""#, r#""\u+123""#, "\"\n\""] {
        assert!(decode::<String>(text).is_err(), "{text}");
        assert!(Reader::new(&format!("[{{\"a\":{text}}}]")).skip_value().is_err(), "{text}");
        assert!(Reader::new(&format!("{{{text}:1}}")).skip_value().is_err(), "{text}");
    }
}

#[test]
fn nesting_ends_at_128_levels() {
    let nested = |levels| format!("{}{}", "[".repeat(levels), "]".repeat(levels));
    for (levels, ok) in [(128, true), (129, false), (100_000, false)] {
        let text = nested(levels);
        assert_eq!(decode::<Value>(&text).is_ok(), ok);
        assert_eq!(Reader::new(&text).skip_value().is_ok(), ok);
    }
    let inside = format!("{{\"a\":{}}}", nested(128));
    let skipped = Reader::new(&inside).object(&[], &mut |_, reader| reader.skip_value());
    assert_eq!(skipped, Err(Fault::TOO_DEEP));
}

#[test]
fn known_keys_come_once_in_any_order_however_many_there_are() {
    let names: Vec<String> = (0..500).map(|n| format!("key{n}")).collect();
    let keys: Vec<&str> = names.iter().map(String::as_str).collect();
    let members: Vec<String> = (0..500).rev().map(|n| format!("\"key{n}\":{n},\"unknown{n}\":0")).collect();
    let text = format!("{{{}}}", members.join(","));
    let mut found = 0;
    let read = Reader::new(&text).object(&keys, &mut |index, reader| {
        if index == usize::MAX {
            assert!(reader.key().starts_with("unknown"));
            return reader.skip_value();
        }
        found += 1;
        assert_eq!(reader.integer()?, i64::try_from(index).unwrap());
        Ok(())
    });
    assert_eq!((read, found), (Ok(()), 500));
    let twice = Reader::new(r#"{"key70":1,"key70":2}"#).object(&keys, &mut |_, reader| reader.skip_value());
    assert_eq!(twice, Err(Fault::DUPLICATE));
}

#[test]
fn keys_are_known_through_their_escapes() {
    let mut index = None;
    let read = Reader::new(r#"{"\u0061b":1}"#).object(&["ab"], &mut |key, reader| {
        index = Some((key, reader.key().into_owned()));
        reader.skip_value()
    });
    assert_eq!((read, index), (Ok(()), Some((0, "ab".to_owned()))));
}

#[test]
fn a_key_that_comes_twice_is_refused_where_it_has_a_place() {
    let text = r#"{"a":1,"b":{},"a":2}"#;
    assert_eq!(reason::<Value>(text), "duplicate key");
    assert_eq!(reason::<Rest>(text), "duplicate key");
    assert_eq!(reason::<BTreeMap<String, Value>>(text), "duplicate key");
}

#[test]
fn array_rules_are_kept() {
    let read = |text, rules| Reader::new(text).array(&rules, &mut |reader| reader.skip_value());
    assert!(read("[1,2]", ArrayRules { min_items: 3, ..ArrayRules::ANY }).is_err());
    assert!(read("[1,2]", ArrayRules { max_items: 1, ..ArrayRules::ANY }).is_err());
    let unique = ArrayRules { unique: true, ..ArrayRules::ANY };
    assert!(read(r#"[1, true, "1", [1], {"a":1,"b":2}]"#, unique).is_ok());
    assert!(read("[1, 2, 1.0]", unique).is_err());
    assert!(read(r#"[{"a":1,"b":2}, {"b":2,"a":1}]"#, unique).is_err());
}

#[test]
fn a_rest_finds_its_members_also_when_there_are_many() {
    let mut rest: Rest = (0..100).map(|n| (format!("k{n}"), json!(n))).collect();
    assert_eq!(rest.get("k99"), Some(&json!(99)));
    assert_eq!(rest.insert("k3", "x"), Some(json!(3)));
    assert_eq!((rest.len(), rest.get("k3")), (100, Some(&json!("x"))));
}

#[test]
fn members_are_separated_by_commas() {
    let mut out = Vec::new();
    let mut w = Writer::new(&mut out);
    w.begin_object();
    w.field("\"a\":", &Field::<i64>::Absent);
    w.field("\"b\":", &Field::<i64>::Null);
    w.member("\"c\":", &vec![Some(1i64), None]);
    w.rest(&Rest::from_iter([("d\n".to_owned(), json!({"e": [], "f": {}}))]));
    w.member("\"g\":", &f64::NAN);
    w.end_object();
    assert_eq!(String::from_utf8(out).unwrap(), r#"{"b":null,"c":[1,null],"d\n":{"e":[],"f":{}},"g":null}"#);
}

#[test]
fn a_writer_tells_that_something_had_no_text() {
    let mut out = Vec::new();
    let mut writer = Writer::new(&mut out);
    vec![Some(1.0), None].encode(&mut writer);
    assert!(writer.is_sound());
    vec![1.0, f64::NAN, 2.0].encode(&mut writer);
    assert!(!writer.is_sound(), "also when sound values follow");
}

#[test]
fn the_string_of_a_text_is_what_the_reader_reads() {
    for json in [r#""""#, r#""a""#, r#""ä""#, r#""a\nb""#, r#""\"""#, r#""\\""#, r#""\u00e9""#] {
        assert_eq!(string_of(json), Reader::new(json).string().ok(), "{json}");
    }
    for json in ["", "1", "null", "true", "[]", r#"["a"]"#, r#"{"a":"b"}"#] {
        assert_eq!(string_of(json), None, "{json}");
    }
}
