//! Tools drawn at random, near the shape that has a short form, with texts that are hard to write: whatever way each is
//! written, it comes back.

use mcp_codegen::Config;
use mcp_codegen::diagnostic::Format;
use mcp_codegen::import::{Offer, from_offer};
use mcp_codegen::source::{Role, SourceFile, Sources};
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};

const NAMES: [&str; 12] = ["a", "city", "a b", "required", "type", "ref", "secret", "x-y", "é", "a.b", "\"", "$ref"];
const PIECES: [&str; 20] = [
    "a",
    "word ",
    "\"",
    "'",
    "\\",
    "\n",
    "\r\n",
    "\t",
    "\u{1}",
    "\u{7f}",
    "\u{202e}",
    "'''",
    "\"\"\"",
    " #",
    "é",
    "👩\u{200d}👧",
    "{{a}}",
    "\u{feff}",
    "\u{e0041}",
    "\\u0041",
];

/// A source of numbers (xorshift).
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % limit as u64).expect("a small number")
    }

    fn seldom(&mut self) -> bool {
        self.below(6) == 0
    }

    fn text(&mut self) -> String {
        let length = if self.seldom() { 60 } else { 5 };
        (0..self.below(length)).map(|_| PIECES[self.below(PIECES.len())]).collect()
    }

    fn value(&mut self) -> Value {
        match self.below(9) {
            0 => Value::Null,
            1 => json!(true),
            2 => json!(self.below(9)),
            3 => json!(-1.5e300),
            4 => json!(u64::MAX),
            5 => json!([self.text(), self.below(3)]),
            6 => json!({ NAMES[self.below(NAMES.len())]: self.text() }),
            _ => json!(self.text()),
        }
    }

    fn schema(&mut self, depth: usize) -> Value {
        let mut schema = match self.below(if depth == 0 { 5 } else { 9 }) {
            0 => json!({ "type": "integer", "minimum": self.below(5) }),
            1 => json!({ "type": ["string", "null"] }),
            2 => json!({ "enum": [self.text() + "1", self.text() + "2"] }),
            3 => json!({ "type": "string", "enum": ["x", "y"] }),
            4 => json!({ "type": "string", "minLength": 1 }),
            5 => json!({ "type": "array", "items": self.schema(depth - 1) }),
            6 => json!({ "anyOf": [self.schema(depth - 1), { "type": "null" }] }),
            _ => self.object(depth - 1),
        };
        if self.below(2) == 0 {
            schema["description"] = json!(self.text());
        }
        if self.seldom() {
            schema["default"] = self.value();
        }
        if self.seldom() {
            schema["x-note"] = self.value();
        }
        schema
    }

    fn object(&mut self, depth: usize) -> Value {
        let mut properties = Map::new();
        for _ in 0..self.below(5) {
            properties.insert(NAMES[self.below(NAMES.len())].to_owned(), self.schema(depth));
        }
        let required: Vec<&String> = properties.keys().filter(|_| self.below(2) == 0).collect();
        let mut schema = json!({ "type": "object" });
        if !required.is_empty() {
            schema["required"] = json!(required);
        }
        if !properties.is_empty() || self.below(2) == 0 {
            schema["properties"] = properties.into();
        }
        match self.below(8) {
            0 => {}
            1 => schema["additionalProperties"] = json!(true),
            2 => schema["additionalProperties"] = json!({ "type": "string" }),
            _ => schema["additionalProperties"] = json!(false),
        }
        schema
    }

    fn tool(&mut self, index: usize) -> Value {
        let mut tool = json!({ "name": format!("t{index}"), "inputSchema": self.object(2) });
        if self.below(3) > 0 {
            tool["description"] = json!(self.text());
        }
        if self.seldom() {
            tool["outputSchema"] = self.object(1);
        }
        if self.seldom() {
            tool["_meta"] = json!({ NAMES[self.below(NAMES.len())]: self.text(), "list": [[], {}, 1.0] });
        }
        tool
    }
}

#[test]
fn whatever_a_tool_says_comes_back() {
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    let mut short = 0;
    for _ in 0..60 {
        let tools: Vec<Value> = (0..20).map(|index| random.tool(index)).collect();
        let mut offer = Offer::default();
        offer.tools = tools.iter().map(|tool| RawValue::from_string(tool.to_string()).expect("JSON")).collect();
        let imported = from_offer(&offer, &[random.text()]);
        assert!(imported.left_out.is_empty(), "{:?}", imported.left_out);
        assert!(!imported.text.contains(['\u{1}', '\u{7f}', '\u{202e}', '\r']), "{}", imported.text);
        short += imported.text.matches("[tools.args]").count();
        let mut sources = Sources::default();
        let text = imported.text.clone();
        sources.add(SourceFile { name: "t.toml".to_owned(), path: "t.toml".into(), text, role: Role::Toml });
        let read = Offer::of(&sources, &Config::new().name("s"));
        let read = read.unwrap_or_else(|found| panic!("{}", found.render(&sources, Format::Plain)));
        let read: Vec<Value> = read.tools.iter().map(|tool| serde_json::from_str(tool.get()).expect("JSON")).collect();
        for (read, tool) in read.iter().zip(&tools) {
            assert_eq!(read, tool, "{}", imported.text);
        }
        assert_eq!(read.len(), tools.len());
    }
    assert!(short > 100, "only {short} of the tools had a short form");
}
