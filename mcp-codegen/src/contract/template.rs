//! Reading resource templates.

use crate::contract::envelope::Form;
use crate::contract::feature::{self, Kind};
use crate::contract::read::Cx;
use crate::contract::{Hint, ResourceTemplate, SchemaPair, Side, example, hint, keys, resource, settings, shorthand};
use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::document::cursor::{TableCursor, with_suggestion};
use crate::document::{Key, Node, NodeKind};
use crate::schema;
use crate::source::Spanned;
use crate::uri_template::{self, UriTemplate};

const KIND: Kind = Kind {
    table: &keys::TEMPLATE,
    name: "a resource template",
    useless: &settings::OF_TOOLS,
    meant: &[("arguments", "args"), ("parameters", "args")],
};

/// Reads one template.
pub(super) fn read(cx: &Cx<'_>, node: &Node, found: &mut Diagnostics) -> Option<ResourceTemplate> {
    let mut table = KIND.open(cx, node, found)?;
    let uri_template = table.required_string("uriTemplate", KIND.name);
    let common = feature::read(cx, &KIND, node, &mut table);
    let mime_type = table.string("mimeType");
    if let Some(template) = &uri_template {
        resource::has_scheme(cx, template, table.found);
    }
    let template = uri_template.as_ref().and_then(|template| parsed(template, table.found));
    if let (Some(common), Some(template)) = (&common, &template) {
        let names: Vec<&str> = template.variables().map(|variable| variable.name.as_str()).collect();
        hint::name_arguments(&common.hints, &names, table.found);
    }
    let mut args = Args::default();
    let mut updates = false;
    let mut examples = Vec::new();
    if cx.form == Form::Native {
        args = read_args(cx, &mut table, template.as_ref());
        updates = table.boolean("updates").is_some_and(|updates| updates.value);
        examples = example::read(&mut table);
    }
    feature::finish(cx, &KIND, table);
    let (mut common, uri_template) = (common?, uri_template?);
    common.hints.append(&mut args.hints);
    let Args { schemas: args, required, complete, .. } = args;
    let template = template.unwrap_or_default();
    Some(ResourceTemplate { common, uri_template, template, mime_type, args, required, complete, updates, examples })
}

fn parsed(template: &Spanned<String>, found: &mut Diagnostics) -> Option<UriTemplate> {
    let fault = match uri_template::parse(&template.value) {
        Ok(parsed) => return Some(parsed),
        Err(fault) => fault,
    };
    let message = format!("`{}` {}: {}", template.value, fault.verdict, fault.reason);
    found.push(Diagnostic::error(Code::URI_TEMPLATE, template.span, message).help(fault.help));
    None
}

/// What `args` says about the variables.
#[derive(Default)]
struct Args {
    schemas: Vec<(Spanned<String>, SchemaPair)>,
    required: Vec<String>,
    complete: Vec<Spanned<String>>,
    hints: Vec<Hint>,
}

fn read_args(cx: &Cx<'_>, table: &mut TableCursor<'_, '_>, template: Option<&UriTemplate>) -> Args {
    let mut args = Args::default();
    let members = table.object("args").and_then(Node::members).unwrap_or_default();
    for (key, value) in members {
        let name = &key.name;
        let variable = template.and_then(|template| template.variables().find(|variable| variable.name == *name));
        if let (Some(template), None) = (template, variable) {
            let known: Vec<&str> = template.variables().map(|variable| variable.name.as_str()).collect();
            let message = format!("the URI template has no variable `{name}`");
            let finding = Diagnostic::error(Code::TEMPLATE_VARIABLE, key.span, message);
            table.found.push(with_suggestion(finding, name, &known));
        }
        let is = |word: &str| value.get(word).and_then(Node::as_bool) == Some(true);
        if is("complete") {
            args.complete.push(Spanned::new(name.clone(), key.span));
        }
        let may_lack = template.is_none_or(|template| template.is_optional(name))
            && variable.is_none_or(|variable| !variable.is_list);
        if may_lack && is("required") {
            args.required.push(name.clone());
        }
        let short = shorthand::alone(cx.defs, &schema_of(value, may_lack, table.found), table.found);
        let mut hints = Vec::new();
        args.schemas.push((Spanned::new(name.clone(), key.span), short.place(Side::Input, &mut hints)));
        let prefix = format!("/properties/{}", schema::escape(name));
        args.hints.extend(
            hints
                .into_iter()
                .map(|hint| Hint { pointer: hint.pointer.map(|pointer| format!("{prefix}{pointer}")), ..hint }),
        );
    }
    args
}

/// The schema of a variable, less the keys that are about its place in the URI. Only a variable that a URI may lack can
/// be required or filled in.
fn schema_of(value: &Node, may_lack: bool, found: &mut Diagnostics) -> Node {
    let mut value = value.clone();
    if let NodeKind::Object(members) = &mut value.kind {
        members.retain(|(key, value): &(Key, Node)| {
            let is_about_lack = matches!(key.name.as_str(), "required" | "default");
            if is_about_lack && !may_lack {
                let message = format!("`{}` does nothing in a variable of a URI template", key.name);
                let finding = Diagnostic::error(Code::UNKNOWN_KEY, key.span, message);
                found.push(finding.help("leave it out: a URI without the variable does not match"));
            }
            match key.name.as_str() {
                "default" => may_lack,
                "required" => may_lack && value.as_bool().is_none(),
                "complete" => value.as_bool().is_none(),
                _ => true,
            }
        });
    }
    value
}
