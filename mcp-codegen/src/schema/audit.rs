//! Defects that a schema can carry for years: harmless where somebody else wrote it, an error where the words are ours.

use std::collections::BTreeSet;

use crate::diagnostic::{Code, Diagnostic, Diagnostics, Severity};
use crate::document::Node;
use crate::document::cursor::nearest;
use crate::schema::schemas_inside;
use crate::schema::value::{Refusal, refusal};

/// Looks for all of them in a settled schema; `severity` says whose words it is made of.
pub(crate) fn audit(root: &Node, severity: Severity, found: &mut Diagnostics) {
    let mut open = vec![root];
    while let Some(schema) = open.pop() {
        let findings = [array_without_items(schema), default_refused(schema, root)];
        for mut finding in findings.into_iter().flatten().chain(required_without_property(schema)) {
            // A default of null is a habit of generators: it always means that there is none.
            let is_habit = finding.code() == Code::DEFAULT && schema.get("default").is_some_and(Node::is_null);
            finding.severity = if is_habit { Severity::Warning } else { severity };
            found.push(finding);
        }
        open.extend(schemas_inside(schema));
    }
}

/// Some clients refuse a tool with such an array, and no model knows what to put in.
fn array_without_items(schema: &Node) -> Option<Diagnostic> {
    let ty = schema.get("type")?;
    let is_array = ty.as_str() == Some("array")
        || ty.items().is_some_and(|types| types.iter().any(|ty| ty.as_str() == Some("array")));
    let says_items = ["items", "prefixItems", "contains", "$ref", "enum", "const"]
        .iter()
        .any(|keyword| schema.get(keyword).is_some());
    if !is_array || says_items {
        return None;
    }
    let finding = Diagnostic::error(Code::ITEMS, ty.span, "the array does not say what its items are");
    Some(finding.help("add `items`: the schema of one item"))
}

/// Nothing fills the gap of such a name, so that a call without it can never be right.
fn required_without_property(schema: &Node) -> Vec<Diagnostic> {
    let Some(properties) = schema.get("properties").and_then(Node::members) else { return Vec::new() };
    let names = schema.get("required").and_then(Node::items).unwrap_or_default();
    let declared: BTreeSet<&str> = properties.iter().map(|(key, _)| key.name.as_str()).collect();
    let missing = |name: &&Node| name.as_str().is_some_and(|name| !declared.contains(name));
    let finding = |name: &Node| {
        let message = format!("`{}` is required, but no property has that name", name.as_str().unwrap_or_default());
        let known: Vec<&str> = properties.iter().map(|(key, _)| key.name.as_str()).collect();
        let finding = Diagnostic::error(Code::REQUIRED, name.span, message);
        match nearest(name.as_str().unwrap_or_default(), &known) {
            Some(near) => finding.help(format!("did you mean `{near}`?")),
            None => finding.help("add the property, or take the name out of `required`"),
        }
    };
    names.iter().filter(missing).map(finding).collect()
}

/// Filled in as it stands, such a default would be refused.
fn default_refused(schema: &Node, root: &Node) -> Option<Diagnostic> {
    let default = schema.get("default")?;
    let Refusal { span, reason } = refusal(schema, default, root)?;
    let message = if default.is_null() {
        "the default is null, which the schema refuses".to_owned()
    } else {
        format!("the default is refused by its own schema: {reason}")
    };
    let finding = Diagnostic::error(Code::DEFAULT, span, message);
    Some(if default.is_null() {
        finding.label("read as absent").help("leave `default` out")
    } else {
        finding.help("write a default that the schema takes, or leave `default` out")
    })
}
