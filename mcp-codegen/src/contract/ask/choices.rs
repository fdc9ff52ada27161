//! Choices with titles, as forms have them: `oneOf` and `anyOf` of constants, and the older `enumNames`.

use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::document::{Key, Node, NodeKind};

const NAMES: &str = "enumNames";

/// The `enumNames` of one field.
pub(super) struct Names {
    field: String,
    key: Key,
    list: Node,
}

/// Takes `enumNames` out of the fields: JSON Schema does not know it, and nothing but a form may have it.
pub(super) fn take_names(fields: &Node, found: &mut Diagnostics) -> (Node, Vec<Names>) {
    let (mut rest, mut taken) = (fields.clone(), Vec::new());
    let NodeKind::Object(fields) = &mut rest.kind else { return (rest, taken) };
    for (field, schema) in fields {
        let values = schema.get("enum").and_then(Node::items).map(<[Node]>::len);
        let NodeKind::Object(members) = &mut schema.kind else { continue };
        let Some(index) = members.iter().position(|(key, _)| key.name == NAMES) else { continue };
        let (key, names) = members.remove(index);
        if has_names(&names, values) {
            taken.push(Names { field: field.name.clone(), key, list: names });
        } else {
            let message = "`enumNames` is no list of as many strings as `enum` has";
            let finding = Diagnostic::error(Code::ASK, names.span, message);
            found.push(finding.help("write `oneOf = [{ const = \"a\", title = \"A\" }, …]` instead of both"));
        }
    }
    (rest, taken)
}

fn has_names(names: &Node, values: Option<usize>) -> bool {
    let names = names.items().filter(|names| names.iter().all(|name| name.as_str().is_some()));
    names.is_some_and(|names| Some(names.len()) == values)
}

/// Spells choices as MCP has them in a form: a string with a choice of constants, each with nothing but a title; and
/// puts back the names that were taken out.
pub(super) fn spell(form: &mut Node, names: Vec<Names>) {
    let Some(NodeKind::Object(fields)) = member_mut(form, "properties").map(|fields| &mut fields.kind) else { return };
    for (_, field) in &mut *fields {
        if plain_choices(field, "oneOf") && field.get("type").is_none() {
            field.put_first("type", Node::string("string", field.span));
        }
        if let Some(items) = member_mut(field, "items") {
            plain_choices(items, "anyOf");
        }
    }
    for Names { field, key, list } in names {
        if let Some((_, schema)) = fields.iter_mut().find(|(name, _)| name.name == field) {
            schema.put(&key, list);
        }
    }
}

/// Leaves nothing but value and title of each choice, if all are constant strings.
fn plain_choices(schema: &mut Node, keyword: &str) -> bool {
    let Some(NodeKind::Array(choices)) = member_mut(schema, keyword).map(|choices| &mut choices.kind) else {
        return false;
    };
    if !choices.iter().all(|choice| constant(choice).is_some()) {
        return false;
    }
    for choice in choices {
        let Some(value) = constant(choice).cloned() else { continue };
        if let NodeKind::Object(members) = &mut choice.kind {
            members.retain(|(key, _)| matches!(key.name.as_str(), "enum" | "title"));
            for (key, value_of_key) in members.iter_mut().filter(|(key, _)| key.name == "enum") {
                "const".clone_into(&mut key.name);
                *value_of_key = value.clone();
            }
        }
    }
    true
}

/// The text of a choice, which the wire has as an `enum` of one value.
fn constant(choice: &Node) -> Option<&Node> {
    match choice.get("enum")?.items()? {
        [value] => Some(value).filter(|value| value.as_str().is_some()),
        _ => None,
    }
}

fn member_mut<'n>(node: &'n mut Node, key: &str) -> Option<&'n mut Node> {
    let NodeKind::Object(members) = &mut node.kind else { return None };
    members.iter_mut().find(|(name, _)| name.name == key).map(|(_, value)| value)
}
