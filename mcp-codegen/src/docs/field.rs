//! Schemas as people read them: a type in words, what else holds in short facts, and what is inside.

use super::model::Fact;
use super::text::{self, Prose, prose, visible};
use crate::document::{Node, NodeKind};
use crate::schema::{self, JsonType};

/// One schema may be this deep and this large on the page; the JSON below it has all.
const MAX_DEPTH: usize = 12;
const MAX_FIELDS: usize = 2_000;

/// A value: a property, or a value without a name inside another.
#[derive(Clone, Debug, Default)]
pub(super) struct Field {
    /// The property; nothing for a value that has no name.
    pub(super) name: Option<String>,
    /// What a value without a name is: `each item`.
    pub(super) role: String,
    pub(super) ty: String,
    pub(super) required: bool,
    pub(super) secret: bool,
    pub(super) deprecated: bool,
    pub(super) description: Prose,
    pub(super) facts: Vec<Fact>,
    pub(super) fields: Vec<Self>,
}

/// The properties of an object.
pub(super) fn fields(schema: &Node, secrets: &[String]) -> Vec<Field> {
    Walk { root: schema, secrets, left: MAX_FIELDS, open: Vec::new() }.inside(schema, "")
}

/// Whether there may be other properties, of any kind.
pub(super) fn is_open(schema: &Node) -> bool {
    !object_facts(schema).is_empty()
}

/// A value that stands alone.
pub(super) fn field(name: &str, schema: &Node, (required, secret): (bool, bool)) -> Field {
    let secrets = if secret { vec![String::new()] } else { Vec::new() };
    let mut walk = Walk { root: schema, secrets: &secrets, left: MAX_FIELDS, open: Vec::new() };
    let field = walk.field(schema, "");
    Field { name: Some(visible(name)), required, ..field }
}

struct Walk<'n> {
    root: &'n Node,
    secrets: &'n [String],
    left: usize,
    /// The references that lead here, and what they stand for: one of them again is a circle.
    open: Vec<(&'n str, String)>,
}

impl<'n> Walk<'n> {
    fn field(&mut self, written: &'n Node, pointer: &str) -> Field {
        self.left = self.left.saturating_sub(1);
        let (schema, reference) = self.followed(written);
        let of = |key: &str| written.get(key).or_else(|| schema.get(key));
        let is = |key: &str| of(key).and_then(Node::as_bool) == Some(true);
        let mut field = Field {
            ty: self.type_of(written, 0),
            secret: self.secrets.iter().any(|secret| secret == pointer),
            deprecated: is("deprecated"),
            description: of("description")
                .or_else(|| of("title"))
                .and_then(Node::as_str)
                .map(prose)
                .unwrap_or_default(),
            facts: facts_of(schema, written),
            ..Field::default()
        };
        if let Some(reference) = reference {
            if let Some((_, place)) = self.open.iter().find(|(open, _)| *open == reference) {
                field.facts.push(Fact::new("Recursive", format!("the same as {place}")));
                return field;
            }
            self.open.push((reference, place(pointer)));
        }
        if self.open.len() < MAX_DEPTH && pointer.matches('/').count() < 4 * MAX_DEPTH {
            field.fields = self.inside(schema, pointer);
        }
        if reference.is_some() {
            self.open.pop();
        }
        field
    }

    /// What a `$ref` leads to, and the reference.
    fn followed(&self, schema: &'n Node) -> (&'n Node, Option<&'n str>) {
        let reference = schema.get("$ref").and_then(Node::as_str);
        match reference.and_then(|reference| schema::resolve(self.root, reference)) {
            Some(target) => (target, reference),
            None => (schema, None),
        }
    }

    /// What stands inside a value of the schema.
    fn inside(&mut self, schema: &'n Node, pointer: &str) -> Vec<Field> {
        let mut fields = self.properties(schema, pointer);
        let single = [
            ("items", "each item"),
            ("contains", "some item"),
            ("additionalProperties", "each other value"),
            ("propertyNames", "each name"),
        ];
        for (keyword, role) in single {
            if let Some(inner) = schema.get(keyword).filter(|inner| inner.members().is_some()) {
                let role = if keyword == "additionalProperties" && fields.is_empty() { "each value" } else { role };
                self.add(&mut fields, (role, keyword != "contains"), (inner, &format!("{pointer}/{keyword}")));
            }
        }
        let lists =
            [("prefixItems", "item"), ("items", "item"), ("anyOf", "option"), ("oneOf", "option"), ("allOf", "")];
        for (keyword, role) in lists {
            let items = schema.get(keyword).and_then(Node::items).unwrap_or_default();
            for (index, item) in items.iter().enumerate() {
                let inner = format!("{pointer}/{keyword}/{index}");
                if keyword == "allOf" {
                    let (item, _) = self.followed(item);
                    if self.left > 0 {
                        fields.extend(self.inside(item, &inner));
                    }
                } else {
                    self.add(
                        &mut fields,
                        (&format!("{role} {}", index + 1), role == "option" && !has_parts(items)),
                        (item, &inner),
                    );
                }
            }
        }
        for (pattern, inner) in schema.get("patternProperties").and_then(Node::members).unwrap_or_default() {
            let role = format!("each property that matches {}", pattern.name);
            self.add(
                &mut fields,
                (&role, false),
                (inner, &format!("{pointer}/patternProperties/{}", schema::escape(&pattern.name))),
            );
        }
        fields
    }

    fn properties(&mut self, schema: &'n Node, pointer: &str) -> Vec<Field> {
        let required = schema.get("required").and_then(Node::items).unwrap_or_default();
        let mut fields = Vec::new();
        for (key, inner) in schema.get("properties").and_then(Node::members).unwrap_or_default() {
            if self.left == 0 {
                break;
            }
            let field = self.field(inner, &format!("{pointer}/properties/{}", schema::escape(&key.name)));
            let required = required.iter().any(|name| name.as_str() == Some(&key.name));
            fields.push(Field { name: Some(visible(&key.name)), required, ..field });
        }
        fields
    }

    /// Adds a value without a name. What `may_hide` says nothing that its type does not say already.
    fn add(&mut self, fields: &mut Vec<Field>, (role, may_hide): (&str, bool), (schema, pointer): (&'n Node, &str)) {
        if self.left == 0 {
            return;
        }
        let field = self.field(schema, pointer);
        let says_something =
            !field.facts.is_empty() || !field.fields.is_empty() || !field.description.is_empty() || field.secret;
        if says_something || !may_hide {
            fields.push(Field { role: visible(role), ..field });
        }
    }

    /// The type in words.
    fn type_of(&self, written: &'n Node, depth: usize) -> String {
        let (schema, _) = self.followed(written);
        if depth > 4 {
            return "…".to_owned();
        }
        if schema.as_bool() == Some(false) {
            return "nothing".to_owned();
        }
        let types: Vec<&str> = match schema.get("type") {
            Some(ty) => {
                ty.as_str().into_iter().chain(ty.items().unwrap_or_default().iter().filter_map(Node::as_str)).collect()
            }
            None => Vec::new(),
        };
        let words = |ty: &&str| match *ty {
            "array" => {
                match schema.get("items").filter(|items| items.members().is_some_and(|members| !members.is_empty())) {
                    Some(items) => {
                        let inner = self.type_of(items, depth + 1);
                        if inner.contains(" or ") { format!("array of ({inner})") } else { format!("array of {inner}") }
                    }
                    None => "array".to_owned(),
                }
            }
            "object" if is_map(schema) => {
                let inner = schema.get("additionalProperties").map(|values| self.type_of(values, depth + 1));
                inner.map_or_else(|| "object".to_owned(), |inner| format!("map of {inner}"))
            }
            ty => visible(ty),
        };
        if !types.is_empty() {
            return types.iter().map(words).collect::<Vec<_>>().join(" or ");
        }
        let branches = ["anyOf", "oneOf"].iter().find_map(|keyword| schema.get(keyword)?.items());
        if let Some(branches) = branches {
            let mut words: Vec<String> = branches.iter().map(|branch| self.type_of(branch, depth + 1)).collect();
            let mut seen = std::collections::BTreeSet::new();
            words.retain(|word| seen.insert(word.clone()));
            return words.join(" or ");
        }
        if let Some(parts) = schema.get("allOf").and_then(Node::items)
            && let Some(first) = parts.first()
        {
            return self.type_of(first, depth + 1);
        }
        inferred(schema)
    }
}

/// The name of the property that a place in a schema is, or is in.
fn place(pointer: &str) -> String {
    let steps: Vec<&str> = pointer.split('/').collect();
    let mut properties = steps.windows(2).filter(|steps| steps[0] == "properties");
    properties
        .next_back()
        .map_or_else(|| "the whole".to_owned(), |steps| format!("`{}`", visible(&schema::unescape(steps[1]))))
}

/// Whether some branch has to be told from the others by more than its type.
fn has_parts(branches: &[Node]) -> bool {
    branches.iter().any(|branch| branch.get("properties").is_some() || branch.get("$ref").is_some())
}

fn is_map(schema: &Node) -> bool {
    let has_names = schema.get("properties").and_then(Node::members).is_some_and(|members| !members.is_empty());
    !has_names && schema.get("additionalProperties").is_some_and(|values| values.members().is_some())
}

/// The type that the values or keywords leave no doubt about.
fn inferred(schema: &Node) -> String {
    let value = schema.get("const").or_else(|| schema.get("enum")?.items()?.first());
    let ty = match value.map(|value| &value.kind) {
        Some(NodeKind::String(_)) => JsonType::String.name(),
        Some(NodeKind::Number(_)) => JsonType::Number.name(),
        Some(NodeKind::Bool(_)) => JsonType::Boolean.name(),
        Some(NodeKind::Null) => JsonType::Null.name(),
        Some(NodeKind::Array(_)) => JsonType::Array.name(),
        Some(NodeKind::Object(_)) => JsonType::Object.name(),
        None if schema.get("properties").is_some() => JsonType::Object.name(),
        None => "any",
    };
    ty.to_owned()
}

/// What holds beside the type.
fn facts_of(schema: &Node, written: &Node) -> Vec<Fact> {
    let mut facts = Vec::new();
    let of = |key: &str| written.get(key).or_else(|| schema.get(key));
    let values = |key: &str| of(key).and_then(Node::items).map(|items| items.iter().map(shown).collect::<Vec<_>>());
    let number = |key: &str| schema.get(key).map(Node::to_json);
    let mut say = |label: &'static str, value: Option<Vec<String>>| {
        facts.extend(value.map(|codes| Fact { label, words: String::new(), codes }));
    };
    say("Default", of("default").map(|value| vec![shown(value)]));
    let choices = values("enum");
    say(if choices.as_ref().is_some_and(|choices| choices.len() == 1) { "Always" } else { "One of" }, choices);
    say("Always", schema.get("const").map(|value| vec![shown(value)]));
    say("Format", schema.get("format").and_then(Node::as_str).map(|format| vec![visible(format)]));
    say("Pattern", schema.get("pattern").and_then(Node::as_str).map(|pattern| vec![visible(pattern)]));
    say("Encoding", schema.get("contentEncoding").and_then(Node::as_str).map(|text| vec![visible(text)]));
    say("Content", schema.get("contentMediaType").and_then(Node::as_str).map(|text| vec![visible(text)]));
    let ranges = [
        ("Range", "minimum", "maximum", ""),
        ("Length", "minLength", "maxLength", "characters"),
        ("Size", "minItems", "maxItems", "items"),
        ("Size", "minProperties", "maxProperties", "properties"),
    ];
    for (label, least, most, unit) in ranges {
        let range = text::range((number(least).as_deref(), number(most).as_deref()), unit);
        facts.extend(range.map(|words| Fact::new(label, words)));
    }
    let bounds = [("exclusiveMinimum", "above"), ("exclusiveMaximum", "below"), ("multipleOf", "a multiple of")];
    for (keyword, words) in bounds {
        let bound = schema.get(keyword).filter(|bound| bound.as_number().is_some()).map(Node::to_json);
        facts.extend(bound.map(|bound| Fact::new("Range", format!("{words} {bound}"))));
    }
    if schema.get("uniqueItems").and_then(Node::as_bool) == Some(true) {
        facts.push(Fact::new("Items", "no two are equal".to_owned()));
    }
    facts.extend(object_facts(schema));
    if let Some(examples) = values("examples").filter(|examples| !examples.is_empty()) {
        facts.push(Fact { label: "Examples", words: String::new(), codes: examples });
    }
    if let Some(header) = schema.get("x-mcp-header").and_then(Node::as_str) {
        facts.push(Fact {
            label: "HTTP header",
            words: String::new(),
            codes: vec![format!("Mcp-Param-{}", visible(header))],
        });
    }
    let further = ["not", "if", "dependentRequired", "dependentSchemas", "unevaluatedProperties", "dependencies"];
    if further.iter().any(|keyword| schema.get(keyword).is_some()) {
        facts.push(Fact::new("Further rules", "see the JSON Schema".to_owned()));
    }
    facts
}

fn object_facts(schema: &Node) -> Vec<Fact> {
    let is_open = schema.get("additionalProperties").and_then(Node::as_bool);
    let has_names = schema.get("properties").and_then(Node::members).is_some_and(|members| !members.is_empty());
    match is_open {
        Some(true) if has_names => vec![Fact::new("Other properties", "allowed".to_owned())],
        Some(_) | None => Vec::new(),
    }
}

/// A value as JSON, as it can be seen.
pub(super) fn shown(value: &Node) -> String {
    visible(&value.to_json())
}
