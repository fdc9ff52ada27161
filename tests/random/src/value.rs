//! Random values: at best what a schema asks for, then with a slip or two.

use fastrand::Rng;
use serde_json::{Map, Value, json};

use super::schema::PATTERNS;

/// Arguments for a schema, as text.
pub(super) fn text(rng: &mut Rng, schema: &Value) -> String {
    let mut value = Sampler { rng, root: schema }.sample(schema, 5);
    if !value.is_object() {
        value = json!({});
    }
    if rng.u8(..3) > 0 {
        for _ in 0..rng.usize(1..3) {
            mutate(rng, &mut value, 4);
        }
    }
    spell(rng, &value)
}

/// Any value.
pub(super) fn value(rng: &mut Rng, depth: u8) -> Value {
    match rng.u8(..if depth == 0 { 8 } else { 12 }) {
        0 => Value::Null,
        1 => json!(rng.bool()),
        2 => json!(rng.i8(-4..12)),
        3 => number(rng),
        4..=7 => json!(string(rng)),
        8 | 9 => (0..rng.usize(..4)).map(|_| value(rng, depth - 1)).collect(),
        _ => {
            let keys = ["a", "b", "c", "value", "kind", "name", "zz"];
            let member = |rng: &mut Rng| (keys[rng.usize(..keys.len())].to_owned(), value(rng, depth - 1));
            (0..rng.usize(..4)).map(|_| member(rng)).collect::<Map<_, _>>().into()
        }
    }
}

fn number(rng: &mut Rng) -> Value {
    match rng.u8(..10) {
        0 => json!(2.5),
        1 => json!(-0.5),
        2 => json!(1e3),
        3 => json!(0.1),
        4 => json!(9_007_199_254_740_993_u64),
        5 => json!(1e-7),
        6 => json!(i64::MAX),
        _ => json!(f64::from(rng.i8(-4..12))),
    }
}

fn string(rng: &mut Rng) -> &'static str {
    let texts =
        ["", "a", "b", "abc", "a-b", "a_b", "A B", "1", "self", "null", "é", "\u{1F600}", "x", "B", "12", "true"];
    if rng.u8(..4) == 0 { PATTERNS[rng.usize(..PATTERNS.len())].1 } else { texts[rng.usize(..texts.len())] }
}

struct Sampler<'r, 's> {
    rng: &'r mut Rng,
    root: &'s Value,
}

impl Sampler<'_, '_> {
    /// A value that the schema may accept.
    fn sample(&mut self, schema: &Value, depth: u8) -> Value {
        let Some(keywords) = schema.as_object().filter(|_| depth > 0) else { return value(self.rng, 1) };
        if let Some(target) = keywords.get("$ref").and_then(Value::as_str) {
            let target = self.root.pointer(&target[1..]).unwrap_or(&Value::Null).clone();
            return self.sample(&target, depth - 1);
        }
        if let Some(constant) = keywords.get("const") {
            return constant.clone();
        }
        if let Some(Value::Array(values)) = keywords.get("enum") {
            return values[self.rng.usize(..values.len())].clone();
        }
        for keyword in ["anyOf", "oneOf"] {
            if let Some(Value::Array(branches)) = keywords.get(keyword) {
                let branch = &branches[self.rng.usize(..branches.len())];
                return self.sample(branch, depth - 1);
            }
        }
        if let Some(Value::Array(parts)) = keywords.get("allOf") {
            let samples: Vec<Value> = parts.iter().map(|part| self.sample(part, depth - 1)).collect();
            return merged(samples);
        }
        let ty = match keywords.get("type") {
            Some(Value::String(name)) => name.as_str(),
            Some(Value::Array(names)) => names[self.rng.usize(..names.len())].as_str().unwrap_or_default(),
            _ if keywords.contains_key("properties") => "object",
            _ if keywords.contains_key("items") || keywords.contains_key("prefixItems") => "array",
            _ => "",
        };
        match ty {
            "array" => self.array(keywords, depth),
            "boolean" => json!(self.rng.bool()),
            "integer" => json!(self.rng.i8(-4..12)),
            "null" => Value::Null,
            "number" => number(self.rng),
            "object" => self.object(keywords, depth),
            "string" => json!(self.text(keywords)),
            _ => value(self.rng, 1),
        }
    }

    fn text(&mut self, keywords: &Map<String, Value>) -> &'static str {
        let pattern = keywords.get("pattern").and_then(Value::as_str);
        let known = PATTERNS.iter().find(|(known, _)| Some(*known) == pattern);
        known.map_or_else(|| string(self.rng), |(_, text)| text)
    }

    fn array(&mut self, keywords: &Map<String, Value>, depth: u8) -> Value {
        let listed = ["prefixItems", "items"].iter().find_map(|keyword| keywords.get(*keyword)?.as_array());
        let first = listed.map_or(&[][..], Vec::as_slice);
        let more = keywords.get("items").filter(|items| !items.is_array()).or(keywords.get("additionalItems"));
        let count =
            |keyword: &str| keywords.get(keyword).and_then(Value::as_u64).and_then(|count| usize::try_from(count).ok());
        let least = count("minItems").unwrap_or(0);
        let most = count("maxItems").unwrap_or(least + 3).max(least);
        let mut items = Vec::new();
        for index in 0..self.rng.usize(least..=most) {
            let schema = first.get(index).or(more).cloned().unwrap_or(Value::Bool(true));
            items.push(self.sample(&schema, depth - 1));
        }
        Value::Array(items)
    }

    fn object(&mut self, keywords: &Map<String, Value>, depth: u8) -> Value {
        let mut members = Map::new();
        let required = keywords.get("required").and_then(Value::as_array);
        let is_required = |name: &str| required.is_some_and(|names| names.iter().any(|known| known == name));
        for (name, property) in keywords.get("properties").and_then(Value::as_object).into_iter().flatten() {
            if *property != false && (is_required(name) || self.rng.bool()) {
                members.insert(name.clone(), self.sample(property, depth - 1));
            }
        }
        let others = keywords.get("additionalProperties").unwrap_or(&Value::Bool(true));
        if *others != false && self.rng.u8(..3) == 0 {
            let key = ["zz", "yy", "a"][self.rng.usize(..3)];
            if !members.contains_key(key) {
                let member = self.sample(others, depth - 1);
                members.insert(key.to_owned(), member);
            }
        }
        Value::Object(members)
    }
}

/// One object of several, if they are objects.
fn merged(samples: Vec<Value>) -> Value {
    let mut all = Map::new();
    for sample in &samples {
        let Value::Object(members) = sample else { return samples.into_iter().next().unwrap_or_default() };
        all.extend(members.clone());
    }
    Value::Object(all)
}

/// Changes something, at the root or deeper.
fn mutate(rng: &mut Rng, whole: &mut Value, depth: u8) {
    let goes_on = depth > 0 && rng.u8(..5) > 0;
    match whole {
        Value::Array(items) if goes_on && !items.is_empty() => {
            let index = rng.usize(..items.len());
            mutate(rng, &mut items[index], depth - 1);
        }
        Value::Object(members) if goes_on && !members.is_empty() => {
            let index = rng.usize(..members.len());
            if let Some(member) = members.values_mut().nth(index) {
                mutate(rng, member, depth - 1);
            }
        }
        Value::Array(items) => match rng.u8(..4) {
            0 => drop(items.pop()),
            1 => items.extend(items.first().cloned()),
            2 => items.push(value(rng, 1)),
            _ => *whole = value(rng, 1),
        },
        Value::Object(members) => match rng.u8(..4) {
            0 if !members.is_empty() => {
                let key = members.keys().nth(rng.usize(..members.len())).cloned().unwrap_or_default();
                members.shift_remove(&key);
            }
            1 | 2 => drop(members.insert(["zz", "a", "b", "kind", ""][rng.usize(..5)].to_owned(), value(rng, 1))),
            _ if depth < 4 => *whole = value(rng, 1),
            _ => {}
        },
        Value::String(text) if rng.bool() => text.push_str(string(rng)),
        _ => *whole = value(rng, 1),
    }
}

/// JSON text, in which a number is sometimes spelled another way.
fn spell(rng: &mut Rng, value: &Value) -> String {
    match value {
        Value::Array(items) => {
            let items: Vec<String> = items.iter().map(|item| spell(rng, item)).collect();
            format!("[{}]", items.join(","))
        }
        Value::Object(members) => {
            let member = |(key, member): (&String, &Value)| format!("{}:{}", json!(key), spell(rng, member));
            let members: Vec<String> = members.iter().map(member).collect();
            format!("{{{}}}", members.join(","))
        }
        Value::Number(number) => match number.as_i64().filter(|number| number.abs() < 1000) {
            Some(whole) if rng.u8(..4) == 0 => format!("{whole}.0"),
            Some(whole) if rng.u8(..8) == 0 => format!("{whole}e0"),
            _ => number.to_string(),
        },
        Value::Bool(_) | Value::Null | Value::String(_) => value.to_string(),
    }
}
