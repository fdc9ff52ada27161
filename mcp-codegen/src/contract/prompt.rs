//! Reading prompts.

use crate::contract::envelope::Form;
use crate::contract::feature::{self, Kind};
use crate::contract::read::Cx;
use crate::contract::{Prompt, PromptArgument, RustNames, example, keys, message};
use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::document::cursor::{TableCursor, strings, wrong_type};
use crate::document::{Key, Node, NodeKind};
use crate::source::Spanned;

const KIND: Kind = Kind {
    table: &keys::PROMPT,
    name: "a prompt",
    useless: &["blocking", "hints", "repair"],
    meant: &[("args", "arguments"), ("parameters", "arguments")],
};

const ARGUMENT: Kind = Kind { table: &keys::ARGUMENT, name: "an argument", useless: &[], meant: &[] };

/// Reads one prompt.
pub(super) fn read(cx: &Cx<'_>, node: &Node, found: &mut Diagnostics) -> Option<Prompt> {
    let mut table = KIND.open(cx, node, found)?;
    let mut common = feature::read(cx, &KIND, node, &mut table)?;
    let mut inside = Diagnostics::default();
    let arguments = arguments(cx, table.array("arguments"), &mut inside);
    let (messages, examples) = match cx.form {
        Form::Answer => (None, Vec::new()),
        Form::Native => (message::read(cx, &mut table, &arguments), example::read(&mut table)),
    };
    table.found.extend_within(inside, common.name.span, "in this prompt");
    feature::finish(cx, &KIND, table);
    arguments_on_the_wire(cx, &mut common.definition);
    Some(Prompt { common, arguments, messages, examples })
}

fn arguments(cx: &Cx<'_>, nodes: &[Node], found: &mut Diagnostics) -> Vec<PromptArgument> {
    let mut arguments: Vec<PromptArgument> = Vec::with_capacity(nodes.len());
    for node in nodes {
        let Some(argument) = argument(cx, node, found) else { continue };
        if let Some(earlier) = arguments.iter().find(|known| known.name.value == argument.name.value) {
            let message = format!("two arguments are named `{}`", argument.name.value);
            let finding = Diagnostic::error(Code::DUPLICATE_ARGUMENT, argument.name.span, message);
            let finding = finding.label("again here").also(earlier.name.span, "first here");
            found.push(finding.help("rename one of them, or take it out"));
            continue;
        }
        arguments.push(argument);
    }
    arguments
}

fn argument(cx: &Cx<'_>, node: &Node, found: &mut Diagnostics) -> Option<PromptArgument> {
    let mut table = ARGUMENT.open(cx, node, found)?;
    let name = table.required_string("name", "an argument");
    if let Some(name) = &name {
        feature::not_empty(name, "the argument's name", table.found);
    }
    table.string("title");
    let description = table.string("description");
    let required = table.boolean("required").is_some_and(|required| required.value);
    let mut argument = PromptArgument {
        name: name?,
        description,
        required,
        values: None,
        complete: false,
        rust: RustNames::default(),
    };
    if cx.form == Form::Native {
        argument.values = values(&mut table);
        argument.complete = table.boolean("complete").is_some_and(|complete| complete.value);
        argument.rust = feature::rust_name(&mut table, "an argument");
    }
    feature::finish(cx, &ARGUMENT, table);
    Some(argument)
}

/// `enum = ["short", "long"]`
fn values(table: &mut TableCursor<'_, '_>) -> Option<Spanned<Vec<String>>> {
    let node = table.present("enum")?;
    let Some(items) = node.items() else {
        table.found.push(wrong_type(node, "an array of strings"));
        return None;
    };
    let values = strings(items, table.found).into_iter().map(|value| value.value).collect();
    Some(Spanned::new(values, node.span))
}

/// Leaves out what no client should see of the arguments.
fn arguments_on_the_wire(cx: &Cx<'_>, definition: &mut Node) {
    let NodeKind::Object(members) = &mut definition.kind else { return };
    for (_, value) in members.iter_mut().filter(|(key, _)| key.name == "arguments") {
        let NodeKind::Array(arguments) = &mut value.kind else { continue };
        for argument in arguments {
            feature::leave_nulls_out(argument);
            if let NodeKind::Object(members) = &mut argument.kind
                && cx.form == Form::Native
            {
                members.retain(|(key, _): &(Key, Node)| !ARGUMENT.table.is_own(&key.name));
            }
        }
    }
}
