//! Properties: the reader agrees with `serde_json` about what is JSON and what it means, and the writer with the reader.

use proptest::prelude::*;
use serde_json::{Map, Value};

use super::{Decimal, Encode, Fault, NumberRules, Reader, Tree, Writer, decode};

fn value() -> impl Strategy<Value = Value> {
    let text = prop_oneof![any::<String>(), "[ -~]{0,40}", "(\\\\|\"|\n|\u{0}|é|𝄞|a){0,20}"];
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        (-1000i64..1000).prop_map(|n| { Value::from(f64::from(i32::try_from(n).unwrap()) / 8.0) }),
        text.clone().prop_map(Value::from),
    ];
    leaf.prop_recursive(5, 60, 8, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..8).prop_map(Value::from),
            prop::collection::btree_map(text.clone(), inner, 0..8)
                .prop_map(|members| Value::Object(members.into_iter().collect::<Map<_, _>>())),
        ]
    })
}

/// Texts that are almost JSON.
fn damaged() -> impl Strategy<Value = String> {
    let noise = prop::sample::select(vec![
        "", "{", "}", "[", "]", ",", ":", "\"", "\\", "\\u", "\\ud83d", "0", "-", ".", "e", "1", "true", "nul", " ",
        "\n", "\u{b}", "\u{1}", "1e400", "é", "\\n", "\\x",
    ]);
    (value(), any::<bool>(), any::<prop::sample::Index>(), 0..3usize, noise).prop_map(
        |(value, pretty, place, remove, noise)| {
            let text = if pretty { format!("{value:#}") } else { value.to_string() };
            let mut characters: Vec<char> = text.chars().collect();
            let start = place.index(characters.len() + 1);
            let end = (start + remove).min(characters.len());
            characters.splice(start..end, noise.chars());
            characters.into_iter().collect()
        },
    )
}

fn encoded(value: &Value) -> String {
    let mut out = Vec::new();
    value.encode(&mut Writer::new(&mut out));
    String::from_utf8(out).unwrap()
}

/// Equality, but for the last digits: by default `serde_json` may miss the nearest float.
fn assert_same(ours: &Value, theirs: &Value) {
    match (ours, theirs) {
        (Value::Array(a), Value::Array(b)) if a.len() == b.len() => {
            a.iter().zip(b).for_each(|(a, b)| assert_same(a, b));
        }
        (Value::Object(a), Value::Object(b)) if a.len() == b.len() => {
            a.iter().zip(b).for_each(|((a, x), (b, y))| {
                assert_eq!(a, b);
                assert_same(x, y);
            });
        }
        (Value::Number(a), Value::Number(b)) if a.is_f64() && b.is_f64() => {
            let (a, b) = (a.as_f64().unwrap(), b.as_f64().unwrap());
            assert!((a - b).abs() <= a.abs() * 1e-14 + 1e-320, "{a} {b}");
        }
        _ => assert_eq!(ours, theirs),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn values_are_read_as_serde_json_reads_them(value in value(), pretty: bool) {
        let text = if pretty { format!("{value:#}") } else { value.to_string() };
        assert_same(&decode::<Value>(&text).unwrap(), &serde_json::from_str(&text).unwrap());
        prop_assert_eq!(Reader::new(&text).raw_value().unwrap(), text.as_str());
    }

    #[test]
    fn damaged_texts_are_refused_as_serde_json_refuses_them(text in damaged()) {
        let ours = decode::<Value>(&text);
        prop_assume!(!matches!(ours, Err(Fault::DUPLICATE | Fault::OUT_OF_RANGE)));
        let theirs = serde_json::from_str::<Value>(&text);
        prop_assert_eq!(ours.is_ok(), theirs.is_ok(), "{:?} {:?} {:?}", text, ours, theirs);
        if let (Ok(ours), Ok(theirs)) = (&ours, &theirs) {
            assert_same(ours, theirs);
        }
        let mut reader = Reader::new(&text);
        let skipped = reader.skip_value().and_then(|()| reader.end());
        prop_assert_eq!(skipped.is_ok(), ours.is_ok(), "{:?} {:?}", text, skipped);
        prop_assert_eq!(Tree::parse(&text).is_ok(), skipped.is_ok());
    }

    #[test]
    fn what_is_written_reads_back(value in value()) {
        let text = encoded(&value);
        prop_assert_eq!(&decode::<Value>(&text).unwrap(), &value);
        assert_same(&value, &serde_json::from_str(&text).unwrap());
    }

    #[test]
    fn floats_are_the_nearest_ones(text in "-?(0|[1-9][0-9]{0,24})(\\.[0-9]{1,24})?([eE][+-]?[0-9]{1,3})?") {
        let nearest: f64 = text.parse().unwrap();
        let expected = if nearest.is_finite() { Ok(nearest.to_bits()) } else { Err(Fault::OUT_OF_RANGE) };
        prop_assert_eq!(decode::<f64>(&text).map(f64::to_bits), expected);
    }

    #[test]
    fn integers_are_exact(value: i64, zeros in 0..3usize) {
        let point = format!("{value}.{}", "0".repeat(zeros + 1));
        let power = format!("{value}{}e-{zeros}", "0".repeat(zeros));
        for text in [value.to_string(), point, power] {
            prop_assert_eq!(decode::<i64>(&text), Ok(value), "{}", text);
        }
    }

    #[test]
    fn multiples_are_decided_as_decimals_decide(
        mantissa in -10_000_000i64..10_000_000,
        scale in 0..9i32,
        divisor in prop::sample::select(vec!["1", "0.01", "0.25", "3", "1e-7", "123456.789", "1e15", "0.3", "2.5e-6"]),
    ) {
        let text = format!("{}{:0>9}", if mantissa < 0 { "-" } else { "" }, mantissa.abs());
        let (whole, fraction) = text.split_at(text.len() - usize::try_from(scale).unwrap());
        let whole: i64 = whole.trim_start_matches('-').parse().unwrap_or(0);
        let sign = if mantissa < 0 { "-" } else { "" };
        let text = if fraction.is_empty() { format!("{sign}{whole}") } else { format!("{sign}{whole}.{fraction}") };
        let rules = NumberRules { multiple_of: NumberRules::multiples_of(divisor.parse().unwrap()), ..NumberRules::ANY };
        let expected = Decimal::new(&text).is_multiple_of(&Decimal::new(divisor));
        prop_assert_eq!(Reader::new(&text).number_where(&rules).is_ok(), expected, "{} {}", text, divisor);
    }

    #[test]
    fn decimals_are_ordered_like_integers(a in -2000i64..2000, b in -2000i64..2000, scale in 0..4i32) {
        let texts = [a, b].map(|n| format!("{n}e-{scale}"));
        let [x, y] = [&texts[0], &texts[1]].map(|text| Decimal::new(text));
        prop_assert_eq!(x.cmp(&y), a.cmp(&b));
        prop_assert_eq!(x.is_multiple_of(&y), if b == 0 { a == 0 } else { a % b == 0 });
    }
}
