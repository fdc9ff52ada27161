//! Schemas and values drawn at random, the same on every run.

use serde_json::{Map, Value, json};

/// A source of numbers (xorshift).
pub(crate) struct Random {
    state: u64,
    /// Whether a reference may stand here: only inside values, so that none leads back to itself at the same place.
    refers: bool,
    /// Whether there is something to refer to.
    defines: bool,
}

const NAMES: [&str; 4] = ["a", "b", "c", "d"];
const WORDS: [&str; 6] = ["", "a", "ab", "b", "abc", "zz"];

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self { state: seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1, refers: false, defines: false }
    }

    fn below(&mut self, limit: usize) -> usize {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        usize::try_from(self.state % limit as u64).expect("a small number")
    }

    fn one<'t, T>(&mut self, list: &'t [T]) -> &'t T {
        &list[self.below(list.len())]
    }

    fn often(&mut self) -> bool {
        self.below(3) > 0
    }

    fn seldom(&mut self) -> bool {
        self.below(5) == 0
    }

    /// A schema with a definition, to which parts of both may refer.
    pub(crate) fn document(&mut self, depth: usize) -> Value {
        self.defines = true;
        let mut schema = self.object(depth);
        schema["$defs"] = json!({ "n": self.object(1) });
        self.defines = false;
        schema
    }

    /// A schema whose parts lie so deep at most.
    pub(crate) fn schema(&mut self, depth: usize) -> Value {
        if std::mem::take(&mut self.refers) && self.seldom() {
            return json!({ "$ref": "#/$defs/n" });
        }
        match self.below(if depth == 0 { 6 } else { 11 }) {
            0 => self.number("integer"),
            1 => self.number("number"),
            2 | 3 => self.string(),
            4 => json!({ "enum": [self.scalar(), self.scalar(), self.scalar()] }),
            5 => {
                let simple =
                    [json!(true), json!({ "type": "boolean" }), json!({ "type": "null" }), json!({ "const": "a" })];
                self.one(&simple).clone()
            }
            6..=8 => self.object(depth - 1),
            9 => self.array(depth - 1),
            _ => self.combined(depth - 1),
        }
    }

    fn number(&mut self, ty: &str) -> Value {
        let mut schema = json!({ "type": ty });
        let (low, high) = (self.below(8), self.below(8) + 3);
        for (keyword, bound) in
            [("minimum", low), ("exclusiveMaximum", high), ("maximum", high), ("exclusiveMinimum", low)]
        {
            if self.seldom() {
                schema[keyword] = json!(bound);
            }
        }
        if self.below(9) == 0 {
            schema["multipleOf"] = self.one(&[json!(2), json!(4), json!(0.5), json!(3)]).clone();
        }
        schema
    }

    fn string(&mut self) -> Value {
        let mut schema = json!({ "type": "string" });
        if self.seldom() {
            schema["minLength"] = json!(self.below(3));
        }
        if self.seldom() {
            schema["maxLength"] = json!(self.below(4));
        }
        if self.below(7) == 0 {
            schema["pattern"] = (*self.one(&[json!("^[a-c]+$"), json!("^a"), json!("^[a-z]{1,2}$")])).clone();
        }
        if self.seldom() {
            schema = json!({ "enum": [*self.one(&WORDS), *self.one(&WORDS), *self.one(&WORDS)] });
        }
        schema
    }

    fn object(&mut self, depth: usize) -> Value {
        let mut properties = Map::new();
        for name in NAMES.into_iter().take(1 + self.below(3)) {
            self.refers = self.defines;
            properties.insert(name.to_owned(), self.schema(depth));
        }
        self.refers = false;
        let required: Vec<&str> = NAMES.into_iter().take(3).filter(|_| self.seldom()).collect();
        let mut schema = json!({ "type": "object", "properties": properties });
        if !required.is_empty() {
            schema["required"] = json!(required);
        }
        match self.below(5) {
            0..=2 => schema["additionalProperties"] = json!(false),
            3 => schema["additionalProperties"] = self.schema(0),
            _ => {}
        }
        if self.below(8) == 0 {
            schema["minProperties"] = json!(self.below(3));
        }
        if self.below(8) == 0 {
            schema["maxProperties"] = json!(1 + self.below(3));
        }
        if self.below(12) == 0 {
            schema["dependentRequired"] = json!({ "a": ["b"] });
        }
        if self.below(14) == 0 {
            schema["patternProperties"] = json!({ "^[a-b]$": self.schema(0) });
        }
        schema
    }

    fn array(&mut self, depth: usize) -> Value {
        let mut schema = json!({ "type": "array", "items": self.schema(depth) });
        if self.seldom() {
            schema["minItems"] = json!(self.below(3));
        }
        if self.seldom() {
            schema["maxItems"] = json!(self.below(4));
        }
        if self.seldom() {
            schema["uniqueItems"] = json!(true);
        }
        if self.seldom() {
            schema["prefixItems"] = json!([self.schema(0)]);
        }
        if self.below(10) == 0 {
            schema["contains"] = self.schema(0);
        }
        schema
    }

    fn combined(&mut self, depth: usize) -> Value {
        let (one, other) = (self.schema(depth), self.schema(depth));
        match self.below(6) {
            0..=2 => json!({ "anyOf": [one, other] }),
            3 => json!({ "oneOf": [one, other] }),
            4 => json!({ "allOf": [one, other] }),
            _ => json!({ "not": one }),
        }
    }

    fn scalar(&mut self) -> Value {
        let number = self.below(9);
        self.one(&[json!(number), json!("a"), json!("ab"), json!(true), Value::Null, json!(2.5)]).clone()
    }

    /// The schema with one thing changed.
    pub(crate) fn variant(&mut self, schema: &Value) -> Value {
        let mut changed = schema.clone();
        self.change(&mut changed, 0);
        changed
    }

    fn change(&mut self, schema: &mut Value, depth: usize) {
        let Value::Object(members) = schema else {
            *schema = self.schema(0);
            return;
        };
        let keys: Vec<String> = members.keys().cloned().collect();
        if keys.is_empty() || depth > 4 {
            return;
        }
        let key = self.one(&keys).clone();
        let fresh = self.schema(0);
        let step = self.below(3);
        match (key.as_str(), &mut members[&key]) {
            ("properties", Value::Object(properties)) if !properties.is_empty() => {
                let names: Vec<String> = properties.keys().cloned().collect();
                let name = self.one(&names).clone();
                match step {
                    0 => drop(properties.remove(&name)),
                    1 => drop(properties.insert("d".to_owned(), fresh)),
                    _ => self.change(&mut properties[&name], depth + 1),
                }
            }
            ("$ref", _) => {}
            ("$defs", definitions) => self.change(&mut definitions["n"], depth + 1),
            ("items" | "additionalProperties" | "not" | "contains", inside) => self.change(inside, depth + 1),
            ("anyOf" | "oneOf" | "allOf" | "prefixItems", Value::Array(list)) => {
                let index = self.below(list.len());
                if step == 0 { list.push(fresh) } else { self.change(&mut list[index], depth + 1) }
            }
            ("required" | "enum", Value::Array(list)) if list.len() > 1 && step > 0 => drop(list.pop()),
            ("required", Value::Array(list)) if !list.contains(&json!("c")) => list.push(json!("c")),
            ("enum", Value::Array(list)) => list.push(json!("new")),
            ("type", Value::String(ty)) if ty == "integer" => "number".clone_into(ty),
            ("type", Value::String(ty)) if ty == "number" => "integer".clone_into(ty),
            (_, Value::Number(number)) => {
                let value = number.as_u64().unwrap_or(1);
                *members.get_mut(&key).expect("the key") = json!((value + step as u64).max(1));
            }
            _ if step == 0 && key != "type" => drop(members.remove(&key)),
            _ => {}
        }
    }

    /// A value that one of two schemas may accept.
    pub(crate) fn value(&mut self, from: &Value, to: &Value) -> Value {
        let schema = if self.often() { from } else { to };
        self.fitting(&inlined(schema, &schema["$defs"]["n"], 0), 0)
    }

    fn fitting(&mut self, schema: &Value, depth: usize) -> Value {
        if self.below(12) == 0 || depth > 5 {
            return self.scalar();
        }
        if let Some(values) = schema["enum"].as_array() {
            return self.one(values).clone();
        }
        if let Some(value) = schema.get("const") {
            return value.clone();
        }
        for keyword in ["anyOf", "oneOf", "allOf"] {
            if let Some(branches) = schema[keyword].as_array() {
                let branch = self.one(branches).clone();
                return self.fitting(&branch, depth);
            }
        }
        match schema["type"].as_str() {
            Some("integer") => json!(self.below(13)),
            Some("number") => {
                let half = self.below(26);
                json!(f64::from(u32::try_from(half).expect("small")) / 2.0)
            }
            Some("string") => json!(*self.one(&WORDS)),
            Some("object") => self.fitting_object(schema, depth),
            Some("array") => {
                let length = self.below(5);
                let item = |random: &mut Self, index: usize| {
                    let first = schema["prefixItems"].get(index).unwrap_or(&schema["items"]).clone();
                    random.fitting(&first, depth + 1)
                };
                (0..length).map(|index| item(self, index)).collect()
            }
            Some("boolean") => json!(self.often()),
            _ => self.scalar(),
        }
    }

    fn fitting_object(&mut self, schema: &Value, depth: usize) -> Value {
        let mut object = Map::new();
        let required = schema["required"].as_array().cloned().unwrap_or_default();
        for name in NAMES.into_iter().chain(["extra"]) {
            let known = schema["properties"].get(name);
            let is_required = required.contains(&json!(name));
            let wanted = if is_required {
                !self.seldom() || self.often()
            } else if known.is_some() {
                self.often()
            } else {
                self.below(8) == 0
            };
            if wanted {
                let inside = known.or(schema.get("additionalProperties")).cloned().unwrap_or(json!(true));
                object.insert(name.to_owned(), self.fitting(&inside, depth + 1));
            }
        }
        Value::Object(object)
    }
}

/// The schema with its definition written out, some levels deep.
fn inlined(schema: &Value, definition: &Value, depth: usize) -> Value {
    match schema {
        Value::Object(members) if members.contains_key("$ref") => {
            if depth > 2 {
                json!({})
            } else {
                inlined(definition, definition, depth + 1)
            }
        }
        Value::Object(members) => {
            members.iter().map(|(key, value)| (key.clone(), inlined(value, definition, depth))).collect()
        }
        Value::Array(items) => items.iter().map(|item| inlined(item, definition, depth)).collect(),
        other => other.clone(),
    }
}
