//! Reading resource templates.

use crate::contract::envelope::Form;
use crate::contract::feature::{self, Kind};
use crate::contract::read::Cx;
use crate::contract::{
    Hint, ResourceTemplate, SchemaPair, Side, example, hint, resource, settings, shorthand, variables,
};
use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::document::cursor::{TableCursor, with_suggestion};
use crate::document::{Key, Node, NodeKind};
use crate::schema;
use crate::source::Spanned;

const KIND: Kind = Kind {
    name: "a resource template",
    own: &["args", "hints", "examples", "updates"],
    useless: &settings::OF_TOOLS,
    meant: &[("arguments", "args"), ("parameters", "args")],
};

/// Reads one template.
pub(super) fn read(cx: &Cx<'_>, node: &Node, found: &mut Diagnostics) -> Option<ResourceTemplate> {
    let mut table = TableCursor::open(node, KIND.name, found)?;
    let uri_template = table.required_string("uriTemplate", KIND.name);
    let common = feature::read(cx, &KIND, node, &mut table);
    let mime_type = table.string("mimeType");
    let variables = uri_template.as_ref().map(|template| {
        resource::has_scheme(cx, template, table.found);
        variables::read(template, table.found)
    });
    let variables = variables.unwrap_or_default();
    let names: Vec<&str> = variables.iter().map(String::as_str).collect();
    if let Some(common) = &common {
        hint::name_arguments(&common.hints, &names, table.found);
    }
    let mut args = Args::default();
    let mut updates = false;
    let mut examples = Vec::new();
    if cx.form == Form::Native {
        args = read_args(cx, &mut table, &names);
        updates = table.boolean("updates").is_some_and(|updates| updates.value);
        examples = example::read(&mut table);
    }
    feature::finish(cx, &KIND, table);
    let (mut common, uri_template) = (common?, uri_template?);
    common.hints.append(&mut args.hints);
    let Args { schemas: args, complete, .. } = args;
    Some(ResourceTemplate { common, uri_template, mime_type, args, complete, updates, examples })
}

/// What `args` says about the variables.
#[derive(Default)]
struct Args {
    schemas: Vec<(Spanned<String>, SchemaPair)>,
    complete: Vec<Spanned<String>>,
    hints: Vec<Hint>,
}

fn read_args(cx: &Cx<'_>, table: &mut TableCursor<'_, '_>, known: &[&str]) -> Args {
    let mut args = Args::default();
    let members = table.object("args").and_then(Node::members).unwrap_or_default();
    for (key, value) in members {
        if !known.contains(&key.name.as_str()) {
            let message = format!("the URI template has no variable `{}`", key.name);
            let finding = Diagnostic::error(Code::TEMPLATE_VARIABLE, key.span, message);
            table.found.push(with_suggestion(finding, &key.name, known));
        }
        if value.get("complete").and_then(Node::as_bool) == Some(true) {
            args.complete.push(Spanned::new(key.name.clone(), key.span));
        }
        let short = shorthand::alone(cx.defs, &schema_of(value, table.found), table.found);
        let mut hints = Vec::new();
        args.schemas.push((Spanned::new(key.name.clone(), key.span), short.place(Side::Input, &mut hints)));
        let prefix = format!("/properties/{}", schema::escape(&key.name));
        args.hints.extend(
            hints
                .into_iter()
                .map(|hint| Hint { pointer: hint.pointer.map(|pointer| format!("{prefix}{pointer}")), ..hint }),
        );
    }
    args
}

/// The schema of a variable, less the key that is about completion. A URI has all its variables, so that there is
/// nothing to require or to fill in.
fn schema_of(value: &Node, found: &mut Diagnostics) -> Node {
    let mut value = value.clone();
    if let NodeKind::Object(members) = &mut value.kind {
        members.retain(|(key, value): &(Key, Node)| {
            let is_useless = matches!(key.name.as_str(), "required" | "default");
            if is_useless {
                let message = format!("`{}` does nothing in a variable of a URI template", key.name);
                let finding = Diagnostic::error(Code::UNKNOWN_KEY, key.span, message);
                found.push(finding.help("leave it out: a URI without the variable does not match"));
            }
            !is_useless && (key.name != "complete" || value.as_bool().is_none())
        });
    }
    value
}
