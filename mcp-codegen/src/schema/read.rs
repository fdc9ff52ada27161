//! Node → [`Schema`]. Differences between dialects end here: older spellings become those of 2020-12.

use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::document::cursor::{how_to_write, listed, strings, with_suggestion};
use crate::document::{Key, Node, NodeKind};
use crate::pattern;
use crate::schema::{JsonType, Schema, SchemaKind, SchemaObject};
use crate::source::{Span, Spanned};

/// Reads one schema and all schemas inside it.
pub(crate) fn read(node: &Node, found: &mut Diagnostics) -> Schema {
    let kind = match &node.kind {
        NodeKind::Bool(value) => SchemaKind::Bool(*value),
        NodeKind::Object(members) => SchemaKind::Object(Box::new(object(members, found))),
        NodeKind::Array(_) | NodeKind::Null | NodeKind::Number(_) | NodeKind::String(_) => {
            let message = format!("found {}, expected a schema: an object, `true` or `false`", node.describe());
            found.push(Diagnostic::error(Code::SCHEMA_KEYWORD, node.span, message).help("put it in braces: `{ … }`"));
            SchemaKind::Bool(true)
        }
    };
    Schema { span: node.span, kind }
}

fn object(members: &[(Key, Node)], found: &mut Diagnostics) -> SchemaObject {
    let mut reader = Reader { schema: SchemaObject::default(), older: Older::default(), found };
    for (key, value) in members {
        let _known = reader.identity(key, value)
            || reader.annotation(key, value)
            || reader.choice(key, value)
            || reader.object_keyword(key, value)
            || reader.array_keyword(key, value)
            || reader.number_keyword(key, value)
            || reader.string_keyword(key, value)
            || reader.beyond_types(key, value);
    }
    reader.older.translate(&mut reader.schema);
    reader.schema
}

struct Reader<'d> {
    schema: SchemaObject,
    older: Older,
    found: &'d mut Diagnostics,
}

/// Keywords of older dialects whose meaning depends on another keyword.
#[derive(Default)]
struct Older {
    additional_items: Option<Schema>,
    items_are_a_list: bool,
    minimum_is_exclusive: bool,
    maximum_is_exclusive: bool,
}

impl Older {
    fn translate(&mut self, schema: &mut SchemaObject) {
        if self.items_are_a_list {
            schema.items = self.additional_items.take();
        }
        if self.minimum_is_exclusive {
            schema.exclusive_minimum = schema.minimum.take();
        }
        if self.maximum_is_exclusive {
            schema.exclusive_maximum = schema.maximum.take();
        }
    }
}

/// Each of these takes the keywords of one area, and says whether the key was one of them.
impl Reader<'_> {
    fn identity(&mut self, key: &Key, value: &Node) -> bool {
        match key.name.as_str() {
            "$schema" => self.schema.dialect = self.text(key, value),
            "$id" => self.schema.id = self.text(key, value),
            "$anchor" => self.schema.anchor = self.text(key, value),
            "$dynamicAnchor" => self.schema.dynamic_anchor = self.text(key, value),
            "$ref" | "$recursiveRef" => self.schema.reference = self.text(key, value),
            "$dynamicRef" => self.schema.dynamic_reference = self.text(key, value),
            "$defs" | "definitions" => {
                let defs = self.schemas_by_name(key, value);
                self.schema.defs.extend(defs);
            }
            _ => return false,
        }
        true
    }

    fn annotation(&mut self, key: &Key, value: &Node) -> bool {
        match key.name.as_str() {
            "title" => self.schema.title = self.text(key, value),
            "description" => self.schema.description = self.text(key, value),
            "format" => self.schema.format = self.text(key, value),
            "default" => self.schema.default = Some(value.clone()),
            _ => return false,
        }
        true
    }

    fn choice(&mut self, key: &Key, value: &Node) -> bool {
        match key.name.as_str() {
            "type" => self.schema.types = self.types(value),
            "enum" => match value.items() {
                Some(items) => self.schema.enumeration = Some(Spanned::new(items.to_vec(), value.span)),
                None => self.refuse(key, value, "an array"),
            },
            "const" => self.schema.constant = Some(value.clone()),
            "allOf" => self.schema.all_of = self.schemas(key, value),
            "anyOf" => self.schema.any_of = self.schemas(key, value),
            "oneOf" => self.schema.one_of = self.schemas(key, value),
            _ => return false,
        }
        true
    }

    fn object_keyword(&mut self, key: &Key, value: &Node) -> bool {
        match key.name.as_str() {
            "properties" => self.schema.properties = self.schemas_by_name(key, value),
            "patternProperties" => {
                self.schema.pattern_properties = self.schemas_by_name(key, value);
                for (pattern, _) in value.members().unwrap_or_default() {
                    self.check_pattern(&pattern.name, pattern.span);
                }
            }
            "required" => self.schema.required = self.texts(key, value),
            "additionalProperties" => self.schema.additional_properties = Some(read(value, self.found)),
            "propertyNames" => self.schema.property_names = Some(read(value, self.found)),
            "minProperties" => self.schema.min_properties = self.count(key, value),
            "maxProperties" => self.schema.max_properties = self.count(key, value),
            _ => return false,
        }
        true
    }

    fn array_keyword(&mut self, key: &Key, value: &Node) -> bool {
        match key.name.as_str() {
            "items" if value.items().is_some() => {
                self.older.items_are_a_list = true;
                self.schema.prefix_items = self.schemas(key, value);
            }
            "items" => self.schema.items = Some(read(value, self.found)),
            "additionalItems" => self.older.additional_items = Some(read(value, self.found)),
            "prefixItems" => self.schema.prefix_items = self.schemas(key, value),
            "minItems" => self.schema.min_items = self.count(key, value),
            "maxItems" => self.schema.max_items = self.count(key, value),
            "uniqueItems" => match value.as_bool() {
                Some(unique) => self.schema.unique_items = unique,
                None => self.refuse(key, value, "a boolean"),
            },
            _ => return false,
        }
        true
    }

    fn number_keyword(&mut self, key: &Key, value: &Node) -> bool {
        match (key.name.as_str(), value.as_bool()) {
            ("exclusiveMinimum", Some(exclusive)) => self.older.minimum_is_exclusive = exclusive,
            ("exclusiveMaximum", Some(exclusive)) => self.older.maximum_is_exclusive = exclusive,
            ("exclusiveMinimum", None) => self.schema.exclusive_minimum = self.number(key, value),
            ("exclusiveMaximum", None) => self.schema.exclusive_maximum = self.number(key, value),
            ("minimum", _) => self.schema.minimum = self.number(key, value),
            ("maximum", _) => self.schema.maximum = self.number(key, value),
            ("multipleOf", _) => self.schema.multiple_of = self.divisor(key, value),
            _ => return false,
        }
        true
    }

    fn string_keyword(&mut self, key: &Key, value: &Node) -> bool {
        match key.name.as_str() {
            "minLength" => self.schema.min_length = self.count(key, value),
            "maxLength" => self.schema.max_length = self.count(key, value),
            "pattern" => {
                self.schema.pattern = self.text(key, value);
                self.check_pattern(value.as_str().unwrap_or_default(), value.span);
            }
            _ => return false,
        }
        true
    }

    /// Keeps the name of an assertion that no type says; what is inside is read for its faults alone.
    fn beyond_types(&mut self, key: &Key, value: &Node) -> bool {
        match key.name.as_str() {
            "not" | "if" | "then" | "else" | "contains" | "unevaluatedItems" | "unevaluatedProperties" => {
                read(value, self.found);
            }
            "dependentSchemas" => drop(self.schemas_by_name(key, value)),
            "minContains" | "maxContains" => drop(self.count(key, value)),
            "dependencies" | "dependentRequired" => self.needs(key, value),
            _ => return false,
        }
        self.schema.beyond_types.push(Spanned::new(key.name.clone(), key.span));
        true
    }
}

/// What stands behind a keyword.
impl Reader<'_> {
    fn text(&mut self, key: &Key, value: &Node) -> Option<Spanned<String>> {
        let text = value.as_str().map(|text| Spanned::new(text.to_owned(), value.span));
        if text.is_none() {
            self.refuse(key, value, "a string");
        }
        text
    }

    /// What no engine can follow would accept or refuse everything, unnoticed.
    fn check_pattern(&mut self, pattern: &str, span: Span) {
        if let Err(wrong) = pattern::parse(pattern) {
            let finding = Diagnostic::error(Code::PATTERN, span, format!("the pattern cannot be read: {wrong}"));
            self.found.push(finding.help("JSON Schema takes the regular expressions of ECMA-262 (JavaScript)"));
        }
    }

    fn texts(&mut self, key: &Key, value: &Node) -> Vec<Spanned<String>> {
        let Some(items) = value.items() else {
            self.refuse(key, value, "an array of names");
            return Vec::new();
        };
        strings(items, self.found)
    }

    fn number(&mut self, key: &Key, value: &Node) -> Option<Spanned<String>> {
        let number = value.as_number().map(|text| Spanned::new(text.to_owned(), value.span));
        if number.is_none() {
            self.refuse(key, value, "a number");
        }
        number
    }

    fn divisor(&mut self, key: &Key, value: &Node) -> Option<Spanned<String>> {
        let number = self.number(key, value)?;
        let positive = number.value.parse::<f64>().is_ok_and(|number| number > 0.0);
        if !positive {
            self.refuse(key, value, "a number above 0");
        }
        positive.then_some(number)
    }

    /// A count may be spelled `2.0`, which is the same number.
    fn count(&mut self, key: &Key, value: &Node) -> Option<Spanned<u64>> {
        let whole = |text: &str| {
            let (digits, fraction) = text.split_once('.').unwrap_or((text, ""));
            if fraction.bytes().all(|digit| digit == b'0') { digits.parse().ok() } else { None }
        };
        let count = value.as_number().and_then(whole);
        if count.is_none() {
            self.refuse(key, value, "an integer from 0");
        }
        count.map(|count| Spanned::new(count, value.span))
    }

    fn types(&mut self, value: &Node) -> Option<Spanned<Vec<JsonType>>> {
        let names = value.items().unwrap_or(std::slice::from_ref(value));
        let mut types: Vec<JsonType> = Vec::with_capacity(names.len());
        for name in names {
            match name.as_str().map(|name| (name, JsonType::named(name))) {
                Some((_, Some(ty))) => types.push(ty),
                Some((word, None)) => self.found.push(unknown_type(word, name.span)),
                None => {
                    let message = format!("found {}, expected the name of a type", name.describe());
                    let finding = Diagnostic::error(Code::SCHEMA_TYPE, name.span, message);
                    self.found.push(finding.help(format!("write one of {}", listed(&TYPE_NAMES))));
                }
            }
        }
        types.dedup();
        (!types.is_empty()).then(|| Spanned::new(types, value.span))
    }

    fn schemas(&mut self, key: &Key, value: &Node) -> Vec<Schema> {
        let Some(items) = value.items() else {
            self.refuse(key, value, "an array of schemas");
            return Vec::new();
        };
        items.iter().map(|item| read(item, self.found)).collect()
    }

    fn schemas_by_name(&mut self, key: &Key, value: &Node) -> Vec<(Spanned<String>, Schema)> {
        let Some(members) = value.members() else {
            self.refuse(key, value, "an object of schemas");
            return Vec::new();
        };
        let member = |(key, value): &(Key, Node)| (Spanned::new(key.name.clone(), key.span), read(value, self.found));
        members.iter().map(member).collect()
    }

    fn needs(&mut self, key: &Key, value: &Node) {
        let Some(members) = value.members() else {
            self.refuse(key, value, "an object");
            return;
        };
        for (_, value) in members {
            match value.items() {
                Some(names) => drop(strings(names, self.found)),
                None if key.name == "dependencies" => drop(read(value, self.found)),
                None => self.refuse(key, value, "an array of names"),
            }
        }
    }

    fn refuse(&mut self, key: &Key, value: &Node, expected: &str) {
        let found = match &value.kind {
            NodeKind::Number(text) => format!("`{text}`"),
            NodeKind::Array(_) | NodeKind::Bool(_) | NodeKind::Null | NodeKind::Object(_) | NodeKind::String(_) => {
                value.describe().to_owned()
            }
        };
        let message = format!("`{}` has {found}, expected {expected}", key.name);
        self.found.push(Diagnostic::error(Code::SCHEMA_KEYWORD, value.span, message).help(how_to_write(expected)));
    }
}

const TYPE_NAMES: [&str; 7] = ["array", "boolean", "integer", "null", "number", "object", "string"];

/// Reports a type that JSON Schema does not have.
pub(crate) fn unknown_type(word: &str, span: Span) -> Diagnostic {
    // The words that other languages have for the same things.
    let said = match word.to_lowercase().as_str() {
        "str" | "text" | "uuid" | "date" | "datetime" | "char" => "string",
        "int" | "i32" | "i64" | "u32" | "u64" | "long" => "integer",
        "float" | "double" | "f32" | "f64" | "decimal" => "number",
        "bool" => "boolean",
        "list" | "vec" | "tuple" => "array",
        "dict" | "map" | "struct" | "record" => "object",
        "none" | "nil" => "null",
        _ => word,
    };
    let finding = Diagnostic::error(Code::SCHEMA_TYPE, span, format!("unknown JSON Schema type `{word}`"));
    with_suggestion(finding.label("not a JSON Schema type"), said, &TYPE_NAMES)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::json::{self, Place};

    fn parse(text: &str) -> (SchemaObject, Vec<String>) {
        let mut found = Diagnostics::default();
        let node = json::read(text, Place::At(Span::default()), &mut found).unwrap();
        let schema = read(&node, &mut found);
        let told = found.sorted().iter().map(|d| d.message().to_owned()).collect();
        (schema.object().cloned().unwrap(), told)
    }

    #[test]
    fn older_spellings_become_those_of_today() {
        let (schema, told) =
            parse(r#"{"minimum": 1, "exclusiveMinimum": true, "items": [true], "additionalItems": false}"#);
        assert_eq!(schema.exclusive_minimum.unwrap().value, "1");
        assert!(schema.minimum.is_none());
        assert_eq!(schema.prefix_items.len(), 1);
        assert!(matches!(schema.items.unwrap().kind, SchemaKind::Bool(false)));
        assert!(told.is_empty());
    }

    #[test]
    fn malformed_keywords_are_reported_and_left_out() {
        let (schema, told) = parse(r#"{"minLength": -1, "type": "integr", "maxLength": 2.0, "not": 5}"#);
        assert!(schema.min_length.is_none() && schema.types.is_none());
        assert_eq!(schema.max_length.unwrap().value, 2);
        assert_eq!(told.len(), 3);
    }
}
