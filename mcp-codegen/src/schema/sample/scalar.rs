//! Numbers and texts.

use super::node;
use crate::document::{Node, NodeKind};
use crate::pattern;
use crate::schema::{Decimal, JsonType, as_integer, refusal};

/// Longer texts are not made.
const MAX_LENGTH: usize = 4_096;

/// What stands for a format; anything else is `text`.
const FORMATS: [(&str, &str); 22] = [
    ("byte", "bW9jaw=="),
    ("command-arg", "text"),
    ("date", "2026-01-31"),
    ("date-time", "2026-01-31T12:00:00Z"),
    ("duration", "PT1H"),
    ("email", "person@example.com"),
    ("hostname", "example.com"),
    ("idn-email", "person@example.com"),
    ("idn-hostname", "example.com"),
    ("ipv4", "192.0.2.1"),
    ("ipv6", "2001:db8::1"),
    ("iri", "https://example.com/"),
    ("iri-reference", "/path"),
    ("json-pointer", "/key"),
    ("path", "folder/file.txt"),
    ("regex", "^.*$"),
    ("time", "12:00:00Z"),
    ("uri", "https://example.com/"),
    ("uri-reference", "/path"),
    ("uri-template", "https://example.com/{id}"),
    ("url", "https://example.com/"),
    ("uuid", "00000000-0000-4000-8000-000000000001"),
];

/// A number within all bounds: 1 where it can be, else one near a bound.
pub(super) fn number(schema: &Node, root: &Node, index: usize) -> Option<Node> {
    let is_integer = super::type_of(schema) == JsonType::Integer;
    let said = |keyword: &str| schema.get(keyword)?.as_number().and_then(Decimal::parse);
    let (low, high) = (said("minimum").or(said("exclusiveMinimum")), said("maximum").or(said("exclusiveMaximum")));
    let mut texts: Vec<String> = Vec::new();
    let wished = i128::try_from(index).unwrap_or(0) + 1;
    texts.extend([wished.to_string(), "0".to_owned()]);
    for bound in low.iter().chain(&high) {
        let whole = bound.floor().unwrap_or(0);
        texts.push(bound.to_text());
        texts.extend([0, 1, -1, 2, -2].map(|step| whole.saturating_add(step).saturating_add(wished - 1).to_string()));
    }
    texts.extend(multiples(schema, low.as_ref().or(high.as_ref())));
    if let (false, Some(middle)) = (is_integer, middle(low.as_ref(), high.as_ref())) {
        texts.push(middle);
    }
    let numbers = texts.into_iter().map(|text| node(NodeKind::Number(text)));
    numbers.into_iter().find(|number| {
        let fits = !is_integer || number.as_number().and_then(as_integer).is_some();
        fits && refusal(schema, number, root).is_none()
    })
}

/// Multiples of the step, near the bound if there is one.
fn multiples(schema: &Node, near: Option<&Decimal>) -> Vec<String> {
    let Some(step) = schema.get("multipleOf").and_then(Node::as_number) else { return Vec::new() };
    let mut texts = vec![step.to_owned()];
    if let (Some(step), Some(near)) = (as_integer(step).filter(|step| *step > 0), near.and_then(Decimal::floor)) {
        let step: i128 = step;
        let below = near.div_euclid(step).saturating_mul(step);
        texts.extend([below, below.saturating_add(step), below.saturating_sub(step)].map(|number| number.to_string()));
    }
    texts
}

/// Halfway between two bounds, as a text that is exact enough to lie between them.
fn middle(low: Option<&Decimal>, high: Option<&Decimal>) -> Option<String> {
    let value = |bound: &Decimal| bound.to_text().parse::<f64>().ok();
    let middle = match (low, high) {
        (Some(low), Some(high)) => f64::midpoint(value(low)?, value(high)?),
        (Some(low), None) => value(low)? + 0.5,
        (None, Some(high)) => value(high)? - 0.5,
        (None, None) => return None,
    };
    middle.is_finite().then(|| middle.to_string())
}

/// A text that has the pattern, or the format, and the length.
pub(super) fn string(schema: &Node, root: &Node, index: usize) -> Option<Node> {
    let bound = |keyword: &str| super::count(schema, keyword);
    let least = bound("minLength").unwrap_or(0);
    if least > MAX_LENGTH {
        return None;
    }
    let most = bound("maxLength").unwrap_or(usize::MAX);
    let fits = |text: &String| (least..=most).contains(&text.chars().count());
    let accepted = |text| Some(node(NodeKind::String(text))).filter(|text| refusal(schema, text, root).is_none());
    if let Some(pattern) = schema.get("pattern").and_then(Node::as_str) {
        let pattern = pattern::parse(pattern).ok()?;
        let repetitions = (0..=16).chain([least, MAX_LENGTH.min(most)]);
        // lookaround and backreferences may want another than the first
        return repetitions.map(|times| pattern::example(&pattern, times + index)).filter(fits).find_map(accepted);
    }
    let format = schema.get("format").and_then(Node::as_str).unwrap_or_default();
    let known = FORMATS.iter().find(|(name, _)| *name == format).map(|(_, text)| (*text).to_owned());
    let known = known.filter(|text| index == 0 && fits(text));
    accepted(known.unwrap_or_else(|| word(index, least, most)))
}

/// `text`, or `text2`, as long as it must be.
fn word(index: usize, least: usize, most: usize) -> String {
    let number = if index == 0 { String::new() } else { (index + 1).to_string() };
    let stem = most.saturating_sub(number.len()).min("text".len());
    let mut word = format!("{}{number}", &"text"[..stem]);
    while word.len() < least {
        word.push('t');
    }
    word.truncate(most);
    word
}
