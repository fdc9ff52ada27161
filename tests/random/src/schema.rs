//! Random schemas: every keyword that is followed, alone and beside others, nested, shared and recursive.

use fastrand::Rng;
use serde_json::{Map, Number, Value, json};

/// Names that are hard on whoever makes Rust of them.
const NAMES: [&str; 20] = [
    "a",
    "b",
    "c",
    "name",
    "items",
    "type",
    "self",
    "r",
    "key",
    "rest",
    "a-b",
    "a_b",
    "A B",
    "",
    "$ref",
    "1st",
    "é",
    "x/y",
    "properties",
    "value",
];

/// Patterns of every kind of engine, each with a text that matches.
pub(super) const PATTERNS: [(&str, &str); 12] = [
    ("^[a-z]+$", "abc"),
    ("b", "abc"),
    ("^a|c$", "a-"),
    (r"^\d{2,3}$", "12"),
    (r"^\S+@\S+$", "a@b"),
    ("^(?!x)", "y"),
    (r"^(a+)\1$", "aa"),
    (r"\u{1F600}", "\u{1F600}!"),
    (r"^[^\s/]*$", "é-"),
    (r"^\w+(-\w+)*$", "a-b"),
    (r"\p{Lu}", "xÉ"),
    ("^.{1,3}$", "ab"),
];

const FORMATS: [&str; 6] = ["date", "date-time", "email", "uri", "uuid", "no-such-format"];

/// What a schema is made of.
pub(super) struct Maker<'r> {
    pub(super) rng: &'r mut Rng,
    /// Definitions that can be named where a value's member or item stands: all of them.
    defs: usize,
    /// Below this, the definition that is being made may not be named in place, so that references end.
    from: usize,
    /// Dialects before 2020-12 and before 2019-09.
    old: Old,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Old {
    Draft4,
    Draft7,
    Draft2019,
    Newest,
}

/// The schema of a tool's arguments.
pub(super) fn arguments(rng: &mut Rng) -> Value {
    let old =
        *rng.choice(&[Old::Draft4, Old::Draft7, Old::Draft7, Old::Draft2019, Old::Newest]).unwrap_or(&Old::Newest);
    let old = if rng.u8(..4) == 0 { old } else { Old::Newest };
    let defs = if rng.bool() { rng.usize(1..4) } else { 0 };
    let mut maker = Maker { rng, defs, from: 0, old };
    let mut root = Map::new();
    if old != Old::Newest || maker.one_in(4) {
        root.insert("$schema".to_owned(), json!(old.uri()));
    }
    root.insert("type".to_owned(), json!("object"));
    if maker.one_in(3) {
        maker.object_keywords(&mut root, 3);
    } else {
        root.insert("properties".to_owned(), json!({ "value": maker.schema(3) }));
        if maker.one_in(2) {
            root.insert("required".to_owned(), json!(["value"]));
        }
        if maker.one_in(2) {
            root.insert("additionalProperties".to_owned(), json!(false));
        }
    }
    let mut definitions = Map::new();
    for index in 0..defs {
        maker.from = index + 1;
        definitions.insert(format!("d{index}"), maker.schema(2));
    }
    if defs > 0 {
        root.insert(maker.defs_keyword().to_owned(), Value::Object(definitions));
    }
    Value::Object(root)
}

impl Old {
    fn uri(self) -> &'static str {
        match self {
            Self::Draft4 => "http://json-schema.org/draft-04/schema#",
            Self::Draft7 => "http://json-schema.org/draft-07/schema#",
            Self::Draft2019 => "https://json-schema.org/draft/2019-09/schema",
            Self::Newest => "https://json-schema.org/draft/2020-12/schema",
        }
    }
}

impl Maker<'_> {
    pub(super) fn one_in(&mut self, count: u8) -> bool {
        self.rng.u8(..count) == 0
    }

    fn pick<'t>(&mut self, texts: &[&'t str]) -> &'t str {
        self.rng.choice(texts).copied().unwrap_or_default()
    }

    fn defs_keyword(&self) -> &'static str {
        if self.old <= Old::Draft7 { "definitions" } else { "$defs" }
    }

    /// Any schema of at most that depth.
    fn schema(&mut self, depth: u8) -> Value {
        if depth == 0 {
            return self.leaf();
        }
        if self.old > Old::Draft4 && self.one_in(16) {
            return json!(!self.one_in(3));
        }
        let mut keywords = self.base(depth);
        if self.one_in(8) && keywords.get("$ref").is_none() {
            // Keywords of two schemas side by side say more than either.
            for (key, value) in self.base(depth) {
                if key != "$ref" {
                    keywords.entry(key).or_insert(value);
                }
            }
        }
        self.annotate(&mut keywords);
        Value::Object(keywords)
    }

    fn leaf(&mut self) -> Value {
        let mut keywords = Map::new();
        match self.rng.u8(..5) {
            0 => self.listed(&mut keywords),
            1 if self.defs > 0 => self.reference(&mut keywords, true),
            2 => {}
            _ => self.typed(&mut keywords, 0),
        }
        Value::Object(keywords)
    }

    fn base(&mut self, depth: u8) -> Map<String, Value> {
        let mut keywords = Map::new();
        match self.rng.u8(..20) {
            0 | 1 => self.listed(&mut keywords),
            2 => self.reference(&mut keywords, false),
            3 => self.tagged(&mut keywords, depth),
            4 | 5 => self.combined(&mut keywords, depth),
            6 => self.conditional(&mut keywords, depth),
            7 => {
                let (types, count) =
                    (["array", "boolean", "integer", "null", "number", "object", "string"], self.rng.usize(2..5));
                let mut types: Vec<&str> = self.rng.choose_multiple(types, count);
                types.sort_unstable();
                keywords.insert("type".to_owned(), json!(types));
                self.keywords_of_some(&mut keywords, depth);
            }
            8 => self.keywords_of_some(&mut keywords, depth),
            _ => self.typed(&mut keywords, depth),
        }
        keywords
    }

    /// Keywords about values of types that are not stated.
    fn keywords_of_some(&mut self, keywords: &mut Map<String, Value>, depth: u8) {
        for _ in 0..2 {
            match self.rng.u8(..4) {
                0 => self.number_keywords(keywords),
                1 => self.string_keywords(keywords),
                2 => self.array_keywords(keywords, depth),
                _ => self.object_keywords(keywords, depth),
            }
        }
    }

    fn typed(&mut self, keywords: &mut Map<String, Value>, depth: u8) {
        let types = if depth == 0 { 5 } else { 12 };
        let ty = match self.rng.u8(..types) {
            0 => "boolean",
            1 => "integer",
            2 => "number",
            3 => "string",
            4 => ["null", "string", "integer"][self.rng.usize(..3)],
            5..=7 => "array",
            _ => "object",
        };
        let nullable = ty != "null" && self.one_in(8);
        keywords.insert("type".to_owned(), if nullable { json!([ty, "null"]) } else { json!(ty) });
        match ty {
            "array" => self.array_keywords(keywords, depth.saturating_sub(1)),
            "integer" | "number" => self.number_keywords(keywords),
            "object" => self.object_keywords(keywords, depth.saturating_sub(1)),
            "string" => self.string_keywords(keywords),
            _ => {}
        }
        if ty == "string" && self.one_in(4) {
            self.listed(keywords);
        }
    }

    fn number_keywords(&mut self, keywords: &mut Map<String, Value>) {
        let bounds = ["0", "1", "-3", "2.5", "10", "1e1", "-0.0", "0.1", "9007199254740993", "18446744073709551615"];
        if self.one_in(3) {
            let bound = self.number(&bounds);
            keywords.insert("minimum".to_owned(), bound);
        }
        if self.one_in(3) {
            let bound = self.number(&bounds);
            keywords.insert("maximum".to_owned(), bound);
        }
        if self.old == Old::Draft4 {
            if keywords.contains_key("minimum") && self.one_in(3) {
                keywords.insert("exclusiveMinimum".to_owned(), json!(self.rng.bool()));
            }
        } else if self.one_in(5) {
            let keyword = self.pick(&["exclusiveMinimum", "exclusiveMaximum"]).to_owned();
            let bound = self.number(&bounds[..8]);
            keywords.insert(keyword, bound);
        }
        if self.one_in(5) {
            let step = self.number(&["1", "2", "5", "2.0", "0.5", "0.25", "10", "1.5"]);
            keywords.insert("multipleOf".to_owned(), step);
        }
    }

    fn number(&mut self, texts: &[&str]) -> Value {
        let text = self.pick(texts);
        // What has a point is a float, whatever it stands for.
        text.parse::<u64>()
            .map(Value::from)
            .or_else(|_| text.parse::<i64>().map(Value::from))
            .unwrap_or_else(|_| text.parse().ok().and_then(Number::from_f64).map_or(Value::Null, Value::Number))
    }

    fn string_keywords(&mut self, keywords: &mut Map<String, Value>) {
        self.sizes(keywords, ("minLength", "maxLength"));
        if self.one_in(3) {
            let (pattern, _) = PATTERNS[self.rng.usize(..PATTERNS.len())];
            keywords.insert("pattern".to_owned(), json!(pattern));
        }
        if self.one_in(4) {
            let format = self.pick(&FORMATS);
            keywords.insert("format".to_owned(), json!(format));
        }
    }

    fn sizes(&mut self, keywords: &mut Map<String, Value>, (least, most): (&str, &str)) {
        if self.one_in(4) {
            keywords.insert(least.to_owned(), json!(self.rng.u8(..3)));
        }
        if self.one_in(4) {
            keywords.insert(most.to_owned(), json!(self.rng.u8(1..5)));
        }
    }

    fn array_keywords(&mut self, keywords: &mut Map<String, Value>, depth: u8) {
        let is_listed = self.one_in(4);
        if is_listed {
            let items: Vec<Value> = (0..self.rng.usize(1..4)).map(|_| self.schema(depth.min(1))).collect();
            let (keyword, rest) =
                if self.old < Old::Newest { ("items", "additionalItems") } else { ("prefixItems", "items") };
            keywords.insert(keyword.to_owned(), json!(items));
            if self.one_in(2) {
                let rest_schema = if self.one_in(2) { json!(false) } else { self.schema(depth.min(1)) };
                keywords.insert(rest.to_owned(), rest_schema);
            }
        } else {
            let items = self.schema(depth);
            keywords.insert("items".to_owned(), items);
        }
        self.sizes(keywords, ("minItems", "maxItems"));
        if self.one_in(5) {
            keywords.insert("uniqueItems".to_owned(), json!(!self.one_in(4)));
        }
        if self.old > Old::Draft4 && self.one_in(8) {
            let contained = self.schema(depth.min(1));
            keywords.insert("contains".to_owned(), contained);
            if self.old > Old::Draft7 {
                self.sizes(keywords, ("minContains", "maxContains"));
            }
        }
        if self.old > Old::Draft7 && self.one_in(16) {
            let others = if self.one_in(2) { json!(false) } else { self.schema(depth.min(1)) };
            keywords.insert("unevaluatedItems".to_owned(), others);
        }
    }

    fn object_keywords(&mut self, keywords: &mut Map<String, Value>, depth: u8) {
        if !self.one_in(5) {
            let mut properties = Map::new();
            for _ in 0..self.rng.usize(1..5) {
                let name = self.pick(&NAMES).to_owned();
                let property = self.schema(depth);
                properties.insert(name, property);
            }
            keywords.insert("properties".to_owned(), Value::Object(properties));
        }
        if self.one_in(2) {
            let declared: Vec<String> = keywords
                .get("properties")
                .and_then(Value::as_object)
                .into_iter()
                .flat_map(Map::keys)
                .cloned()
                .collect();
            let mut names: Vec<String> = declared.into_iter().filter(|_| self.rng.bool()).collect();
            if self.one_in(12) {
                names.push("undeclared".to_owned());
            }
            if !names.is_empty() {
                keywords.insert("required".to_owned(), json!(names));
            }
        }
        if self.one_in(2) {
            let others = if self.one_in(3) { self.schema(depth) } else { json!(self.rng.bool()) };
            keywords.insert("additionalProperties".to_owned(), others);
        }
        if self.one_in(8) {
            let (pattern, _) = PATTERNS[self.rng.usize(..PATTERNS.len())];
            let matching = self.schema(depth.min(1));
            keywords.insert("patternProperties".to_owned(), json!({ pattern: matching }));
        }
        if self.old > Old::Draft4 && self.one_in(16) {
            let names = self.schema(0);
            keywords.insert("propertyNames".to_owned(), names);
        }
        if self.one_in(5) {
            self.sizes(keywords, ("minProperties", "maxProperties"));
        }
        if self.one_in(12) {
            let (key, needed) = (self.pick(&NAMES[..5]), self.pick(&NAMES[..5]));
            let keyword = if self.old <= Old::Draft7 { "dependencies" } else { "dependentRequired" };
            keywords.insert(keyword.to_owned(), json!({ key: [needed] }));
        }
        if self.old > Old::Draft7 && self.one_in(16) {
            let dependent = self.schema(depth.min(1));
            keywords.insert("dependentSchemas".to_owned(), json!({ "a": dependent }));
        }
        if self.old > Old::Draft7 && self.one_in(16) {
            let others = if self.one_in(2) { json!(false) } else { self.schema(depth.min(1)) };
            keywords.insert("unevaluatedProperties".to_owned(), others);
        }
    }

    /// `enum` and `const`.
    fn listed(&mut self, keywords: &mut Map<String, Value>) {
        let texts = ["a-b", "a_b", "A B", "", "1", "self", "null", "é", "a", "b", "abc", "B"];
        let mut values: Vec<Value> = Vec::new();
        let mixed = self.one_in(4);
        for _ in 0..self.rng.usize(1..5) {
            let value = match self.rng.u8(..if mixed { 8 } else { 3 }) {
                3 => json!(self.rng.i8(-2..3)),
                4 => json!(1.5),
                5 => json!(self.rng.bool()),
                6 => Value::Null,
                7 => json!({ "a": [1] }),
                _ => json!(self.pick(&texts)),
            };
            if !values.contains(&value) {
                values.push(value);
            }
        }
        if self.old > Old::Draft4 && self.one_in(4) {
            keywords.insert("const".to_owned(), values.remove(0));
        } else {
            keywords.insert("enum".to_owned(), json!(values));
        }
    }

    /// A reference; one in place leads only to later definitions.
    fn reference(&mut self, keywords: &mut Map<String, Value>, inside: bool) {
        let first = if inside { 0 } else { self.from };
        if first < self.defs {
            let index = self.rng.usize(first..self.defs);
            keywords.insert("$ref".to_owned(), json!(format!("#/{}/d{index}", self.defs_keyword())));
        } else {
            self.typed(keywords, 1);
        }
    }

    /// `oneOf` or `anyOf` of objects that a member tells apart.
    fn tagged(&mut self, keywords: &mut Map<String, Value>, depth: u8) {
        let constant = self.old > Old::Draft4;
        let branches: Vec<Value> = ["a", "b", "é"][..self.rng.usize(2..4)]
            .iter()
            .map(|tag| {
                let mut branch = Map::new();
                branch.insert("type".to_owned(), json!("object"));
                let property = self.schema(depth - 1);
                let tag = if constant { json!({ "const": tag }) } else { json!({ "enum": [tag] }) };
                branch.insert("properties".to_owned(), json!({ "kind": tag, "a": property }));
                branch.insert("required".to_owned(), json!(["kind"]));
                if self.one_in(3) {
                    branch.insert("additionalProperties".to_owned(), json!(false));
                }
                Value::Object(branch)
            })
            .collect();
        keywords.insert(self.pick(&["anyOf", "oneOf"]).to_owned(), json!(branches));
    }

    fn combined(&mut self, keywords: &mut Map<String, Value>, depth: u8) {
        let keyword = self.pick(&["allOf", "anyOf", "anyOf", "oneOf", "oneOf"]);
        let mut branches: Vec<Value> = (0..self.rng.usize(1..4)).map(|_| self.in_place(depth - 1)).collect();
        if keyword != "allOf" && self.one_in(3) {
            branches.push(json!({ "type": "null" }));
        }
        keywords.insert(keyword.to_owned(), json!(branches));
    }

    /// A schema about the same value: at its end no definition is named that could lead back.
    fn in_place(&mut self, depth: u8) -> Value {
        let mut keywords = Map::new();
        if self.one_in(5) {
            self.reference(&mut keywords, false);
        } else if depth == 0 {
            self.typed(&mut keywords, 0);
        } else {
            keywords = self.base(depth);
        }
        Value::Object(keywords)
    }

    fn conditional(&mut self, keywords: &mut Map<String, Value>, depth: u8) {
        if self.old <= Old::Draft4 || self.one_in(2) {
            let refused = self.in_place(depth - 1);
            keywords.insert("not".to_owned(), refused);
            return;
        }
        for keyword in ["if", "then", "else"] {
            if keyword == "if" || !self.one_in(4) {
                let branch = self.in_place(depth - 1);
                keywords.insert(keyword.to_owned(), branch);
            }
        }
    }

    /// Words that decide nothing.
    fn annotate(&mut self, keywords: &mut Map<String, Value>) {
        let is_reference = keywords.contains_key("$ref");
        if self.one_in(6) {
            let text =
                self.pick(&["A `tick", "x */ y", "# Title\n\n```rust\npanic!()", "see <b> [link] https://x.test", "é"]);
            keywords.insert("description".to_owned(), json!(text));
        }
        if self.one_in(8) && !is_reference {
            let value = super::value::value(self.rng, 1);
            keywords.insert("default".to_owned(), value);
        }
        if self.one_in(16) && !is_reference {
            keywords.insert("title".to_owned(), json!("Title"));
            keywords.insert("x-extra".to_owned(), json!({ "type": 5 }));
        }
    }
}
