//! The arguments of a tool: parameters and body of an operation, side by side where their names allow it.

use std::collections::BTreeSet;

use super::docs::{At, Docs};
use super::operation::Operation;
use super::rule;
use super::schema::{Direction, Schemas};
use crate::diagnostic::Diagnostics;
use crate::document::{Key, Node, NodeKind};
use crate::schema::merged;
use crate::source::Span;

/// Where parameters can stand, in the order in which an author thinks of them.
const PLACES: [&str; 4] = ["path", "query", "header", "cookie"];

/// Headers that whoever sends a request decides about.
const OWN_HEADERS: [&str; 3] = ["accept", "authorization", "content-type"];

/// Keywords of an object whose properties can be arguments.
pub(super) const FLAT: [&str; 9] = [
    "additionalProperties",
    "default",
    "deprecated",
    "description",
    "examples",
    "properties",
    "required",
    "title",
    "type",
];

/// The schema of the arguments, and what was decided on the way.
#[derive(Debug)]
pub(super) struct Input {
    pub(super) schema: Node,
    pub(super) notes: Vec<String>,
}

/// What is gathered.
struct Arguments {
    properties: Node,
    required: Vec<Node>,
    /// `path: owner, repo`
    places: Vec<(String, Vec<String>)>,
    notes: Vec<String>,
}

/// Properties that can be arguments, and the names of those that must be there.
type Flat = (Vec<(Key, Node)>, Vec<Node>);

/// Gathers the arguments of an operation.
pub(super) fn of(docs: &Docs, schemas: &mut Schemas<'_>, operation: &Operation<'_>, found: &mut Diagnostics) -> Input {
    let mut arguments = Arguments {
        properties: Node::object(Span::default()),
        required: Vec::new(),
        places: Vec::new(),
        notes: Vec::new(),
    };
    let parameters = parameters(docs, operation, found);
    for parameter in &parameters {
        arguments.parameter(schemas, *parameter);
    }
    let in_path = parameters.iter().filter(|parameter| parameter.text("in") == Some("path"));
    arguments.undeclared(operation.path, in_path.filter_map(|parameter| parameter.text("name")).collect());
    if let Some(body) = operation.at.get("requestBody").and_then(|body| docs.follow(body, found)) {
        arguments.body(schemas, body);
    }
    arguments.finish(schemas)
}

/// Those of the path, less what the operation has under the same name, and those of the operation.
fn parameters<'d>(docs: &'d Docs, operation: &Operation<'d>, found: &mut Diagnostics) -> Vec<At<'d>> {
    let identity = |parameter: &At<'d>| (parameter.text("in"), parameter.text("name"));
    let mut all: Vec<At<'d>> = Vec::new();
    for owner in [operation.item, operation.at] {
        if let Some(node) = owner.node.get("parameters").filter(|node| node.items().is_none()) {
            let message = format!("the `parameters` of `{}` are left out: they are no list", operation.shown());
            found.push(rule::operation(node.span, message));
        }
        for parameter in owner.items("parameters").filter_map(|parameter| docs.follow(parameter, found)) {
            all.retain(|known| identity(known) != identity(&parameter));
            all.push(parameter);
        }
    }
    let is_own = |parameter: &At<'d>| {
        let name = parameter.text("name").unwrap_or_default().to_ascii_lowercase();
        parameter.text("in") == Some("header") && OWN_HEADERS.contains(&name.as_str())
    };
    all.retain(|parameter| parameter.text("name").is_some() && parameter.text("in").is_some() && !is_own(parameter));
    all.sort_by_key(|parameter| PLACES.iter().position(|place| parameter.text("in") == Some(place)));
    all
}

impl Arguments {
    fn parameter(&mut self, schemas: &mut Schemas<'_>, parameter: At<'_>) {
        let (place, name) = (parameter.text("in").unwrap_or_default(), parameter.text("name").unwrap_or_default());
        let content = || parameter.members("content").next().and_then(|(_, media)| media.get("schema"));
        let is_json = parameter.get("schema").is_none() && content().is_some();
        let converted =
            parameter.get("schema").or_else(content).map(|schema| schemas.convert(schema, Direction::Request));
        let mut converted = converted.unwrap_or_else(|| Node::object(parameter.node.span));
        if matches!(converted.kind, NodeKind::Bool(_)) {
            converted = Node::object(parameter.node.span);
        }
        describe(&mut converted, parameter);
        let key = self.free_name(name, place);
        let how = if is_json { Some("as JSON") } else { style(parameter, &converted) };
        let renamed = if key == name { key.clone() } else { format!("{key} (sent as `{name}`)") };
        self.place(place, how.map_or(renamed.clone(), |how| format!("{renamed} ({how})")));
        if place == "path" || parameter.is("required") {
            self.required.push(Node::string(&key, Span::default()));
        }
        self.properties.push(&key, converted.clone());
    }

    /// The name, or where that is taken one with the place before it.
    fn free_name(&self, name: &str, place: &str) -> String {
        let numbered = (2..).map(|number| format!("{place}_{name}_{number}"));
        let mut names = [name.to_owned(), format!("{place}_{name}")].into_iter().chain(numbered);
        names.find(|name| self.properties.get(name).is_none()).unwrap_or_default()
    }

    /// Variables of the path that no parameter declares: without them a request has no URL.
    fn undeclared<'d>(&mut self, path: &'d str, mut known: Vec<&'d str>) {
        for name in path.split('{').skip(1).filter_map(|rest| Some(rest.split_once('}')?.0)) {
            if name.is_empty() || known.contains(&name) {
                continue;
            }
            let key = self.free_name(name, "path");
            let mut schema = Node::object(Span::default());
            schema.push("type", Node::string("string", Span::default()));
            self.place("path", format!("{key} (not declared, taken as text)"));
            self.required.push(Node::string(&key, Span::default()));
            self.properties.push(&key, schema);
            known.push(name);
        }
    }

    fn place(&mut self, place: &str, what: String) {
        match self.places.iter_mut().find(|(known, _)| known == place) {
            Some((_, all)) => all.push(what),
            None => self.places.push((place.to_owned(), vec![what])),
        }
    }

    fn body(&mut self, schemas: &mut Schemas<'_>, body: At<'_>) {
        let Some((media_type, media)) = media(body) else { return };
        let is_required = body.is("required");
        let converted = match media.get("schema") {
            Some(schema) => schemas.convert(schema, Direction::Request),
            None => Node::object(body.node.span),
        };
        let shown = media_type.split(';').next().unwrap_or(media_type).trim().to_owned();
        let opened = schemas.opened(converted.clone(), Direction::Request);
        match self.flat(schemas, &opened, (is_required, &shown)) {
            Ok((properties, required)) => {
                let names: Vec<String> = properties.iter().map(|(key, _)| key.name.clone()).collect();
                for (key, property) in properties {
                    self.properties.put(&key, property);
                }
                self.required.extend(required);
                let how = if is_json(&shown) { "body".to_owned() } else { format!("body, as {shown}") };
                for name in names {
                    self.place(&how, name);
                }
            }
            Err(why) => {
                let key = self.free_name("body", "request");
                let mut schema = converted.clone();
                if let (Some(text), NodeKind::Object(_), None) =
                    (body.text("description"), &schema.kind, schema.get("description"))
                {
                    schema.push("description", Node::string(text, body.node.span));
                }
                self.properties.push(&key, schema);
                if is_required {
                    self.required.push(Node::string(&key, Span::default()));
                }
                let how = if is_json(&shown) { String::new() } else { format!(", as {shown}") };
                self.notes.push(format!("`{key}` is the whole body{how}: {why}."));
            }
        }
    }

    /// The properties of a body that can stand beside the parameters, and those that must be there.
    ///
    /// # Errors
    ///
    /// Says why they cannot.
    fn flat(
        &self,
        schemas: &mut Schemas<'_>,
        body: &Node,
        (is_required, media_type): (bool, &str),
    ) -> Result<Flat, String> {
        let is_form = media_type == "multipart/form-data" || media_type == "application/x-www-form-urlencoded";
        if !is_json(media_type) && !is_form {
            return Err("it is no object".to_owned());
        }
        let whole = schemas.complete(body.clone(), Direction::Request);
        let mut merged = merged(&whole, body).ok_or("it is no plain object")?;
        if let NodeKind::Object(members) = &mut merged.kind {
            members.retain(|(key, _)| key.name != "$defs");
        }
        let members = merged.members().unwrap_or_default();
        let properties = merged.get("properties").and_then(Node::members).unwrap_or_default();
        let is_object = merged.get("type").is_none_or(|ty| ty.as_str() == Some("object")) && !properties.is_empty();
        if !is_object {
            return Err("it has no properties of its own".to_owned());
        }
        if let Some((key, _)) = members.iter().find(|(key, _)| !FLAT.contains(&key.name.as_str())) {
            return Err(format!("`{}` is about it as a whole", key.name));
        }
        if merged.get("additionalProperties").is_some_and(|rest| rest.as_bool() != Some(false)) {
            return Err("it can have further properties".to_owned());
        }
        let required = merged.get("required").and_then(Node::items).unwrap_or_default().to_vec();
        if !is_required && !required.is_empty() {
            return Err("it may be absent, but some of its properties may not".to_owned());
        }
        if let Some((key, _)) = properties.iter().find(|(key, _)| self.properties.get(&key.name).is_some()) {
            return Err(format!("`{}` is a parameter, too", key.name));
        }
        Ok((properties.to_vec(), required))
    }

    fn finish(mut self, schemas: &mut Schemas<'_>) -> Input {
        let span = Span::default();
        let mut schema = Node::object(span);
        schema.push("type", Node::string("object", span));
        let known: BTreeSet<String> =
            self.properties.members().unwrap_or_default().iter().map(|(key, _)| key.name.clone()).collect();
        schema.push("properties", self.properties);
        self.required.retain(|name| name.as_str().is_some_and(|name| known.contains(name)));
        if !self.required.is_empty() {
            schema.push("required", Node::new(NodeKind::Array(self.required), span));
        }
        schema.push("additionalProperties", Node::new(NodeKind::Bool(false), span));
        let schema = schemas.complete(schema, Direction::Request);
        let places: Vec<String> =
            self.places.iter().map(|(place, names)| format!("{place}: {}", names.join(", "))).collect();
        let mut notes = self.notes;
        if !places.is_empty() {
            notes.insert(0, format!("Sent in the {}.", places.join("; ")));
        }
        Input { schema, notes }
    }
}

/// What a parameter says of itself goes before what its schema says.
fn describe(schema: &mut Node, parameter: At<'_>) {
    let span = parameter.node.span;
    let key = |name: &str| Key { name: name.to_owned(), span };
    if let Some(text) = parameter.text("description") {
        schema.put(&key("description"), Node::string(text, span));
    }
    if parameter.is("deprecated") {
        schema.put(&key("deprecated"), Node::new(NodeKind::Bool(true), span));
    }
    if let Some(example) = parameter.node.get("example").filter(|_| schema.get("examples").is_none()) {
        let is_short = !example.is_null() && example.to_json().len() <= 100;
        if is_short {
            schema.put(&key("examples"), Node::new(NodeKind::Array(vec![example.clone()]), span));
        }
    }
}

/// How a list or an object is spelled in a URL, if that is not how most would expect it.
fn style(parameter: At<'_>, schema: &Node) -> Option<&'static str> {
    let is_structure = matches!(schema.get("type").and_then(Node::as_str), Some("array" | "object"));
    if !is_structure {
        return None;
    }
    let explode = parameter.node.get("explode").and_then(Node::as_bool);
    let default = if matches!(parameter.text("in"), Some("query" | "cookie")) { "form" } else { "simple" };
    match (parameter.text("style").unwrap_or(default), explode) {
        ("form", Some(false)) | ("simple", _) => Some("with commas between"),
        ("form", _) => Some("repeated"),
        ("spaceDelimited", _) => Some("with spaces between"),
        ("pipeDelimited", _) => Some("with `|` between"),
        ("deepObject", _) => Some("as `name[key]=value`"),
        ("label", _) => Some("with dots before"),
        ("matrix", _) => Some("as `;name=value`"),
        _ => None,
    }
}

/// The media type to take: JSON, else a form, else the first.
fn media(body: At<'_>) -> Option<(&str, At<'_>)> {
    let all: Vec<(&str, At<'_>)> = body.members("content").collect();
    let is_form =
        |name: &str| name.starts_with("multipart/form-data") || name.starts_with("application/x-www-form-urlencoded");
    let json = all.iter().find(|(name, _)| is_json(name));
    json.or_else(|| all.iter().find(|(name, _)| is_form(name))).or(all.first()).copied()
}

/// `application/json` and its relatives.
pub(super) fn is_json(media_type: &str) -> bool {
    let plain = media_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    plain == "application/json" || plain.ends_with("+json") || plain == "*/*" || plain == "text/json"
}
