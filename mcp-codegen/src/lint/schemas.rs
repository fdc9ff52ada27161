//! What clients refuse or rewrite anywhere in an input schema.

use crate::contract::Tool;
use crate::document::Node;
use crate::lint::Target;
use crate::lint::cx::{Cx, member};
use crate::lint::rule::{Client, Does, Finding, Rule};
use crate::lint::walk::{Spot, spots};
use crate::source::Span;

const NORMALIZER: &str = "microsoft/vscode-copilot-chat toolSchemaNormalizer.ts";

pub(super) const RULES: &[Rule] = &[
    Rule {
        id: "array-without-items",
        title: "an array that does not say what its items are",
        clients: &[Client::error(Target::Vscode, Does::Refuses, "VS Code refuses every chat while the server is on")
            .seen("2026-03", "microsoft/vscode#257537, rootlyhq/rootly-mcp-server#82")],
        wrong: r#"[[tools]]
name = "tag"
description = "Tag a page"
inputSchema = { type = "object", properties = { tags = { type = "array", description = "Tags" } } }"#,
        right: r#"[[tools]]
name = "tag"
description = "Tag a page"

[tools.args]
tags = { type = "array", items = { type = "string" }, description = "Tags" }"#,
        find: array_without_items,
    },
    Rule {
        id: "undeclared-required",
        title: "a required name without a property",
        clients: &[Client::warning(
            Target::Vscode,
            Does::Cuts,
            "VS Code takes the name out of `required` without a word",
        )
        .seen("2026-03", NORMALIZER)],
        wrong: r#"[[tools]]
name = "read"
description = "Read a page"
inputSchema = { type = "object", properties = { page = { type = "string", description = "Title" } }, required = ["pages"] }"#,
        right: r#"[[tools]]
name = "read"
description = "Read a page"

[tools.args]
page = { type = "string", description = "Title", required = true }"#,
        find: undeclared_required,
    },
    Rule {
        id: "reference",
        title: "a `$ref` in an input schema",
        clients: &[
            Client::warning(
                Target::CopilotCli,
                Does::Misreads,
                "Copilot CLI does not follow it, and never fills the argument",
            )
            .seen("2026-08", "github/copilot-cli#1876"),
            Client::warning(
                Target::Others,
                Does::Misreads,
                "LM Studio and FastGPT do not follow it, and never fill the argument",
            )
            .seen("2026-08", "lmstudio-ai/lmstudio-bug-tracker#738, labring/FastGPT#6395"),
        ],
        wrong: r##"[[tools]]
name = "search"
description = "Search"

[tools.inputSchema]
type = "object"
properties.query = { "$ref" = "#/$defs/Query", description = "What to look for" }

[tools.inputSchema."$defs".Query]
type = "string""##,
        right: r#"[[tools]]
name = "search"
description = "Search"
args = { query = { ref = "Query", description = "What to look for" } }

[defs.Query]
type = "string""#,
        find: reference,
    },
    Rule {
        id: "tuple",
        title: "an array with a schema for each place",
        clients: &[Client::warning(
            Target::Vscode,
            Does::Rewrites,
            "VS Code makes a plain array of it for most models",
        )
        .seen("2026-03", NORMALIZER)],
        wrong: r#"[[tools]]
name = "look"
description = "Look at a place"

[tools.args]
at = { prefixItems = [{ type = "number" }, { type = "number" }], description = "Latitude and longitude" }"#,
        right: r#"[[tools]]
name = "look"
description = "Look at a place"

[tools.args]
at = { type = "array", items = { type = "number" }, minItems = 2, maxItems = 2, description = "Latitude and longitude" }"#,
        find: tuple,
    },
    Rule {
        id: "boolean-bound",
        title: "an exclusive bound as a boolean",
        clients: &[Client::error(
            Target::Vscode,
            Does::Refuses,
            "VS Code reads draft-07, where the bound is a number, and refuses the schema",
        )
        .seen("2026-03", NORMALIZER)],
        wrong: r#"[[tools]]
name = "wait"
description = "Wait"

[tools.inputSchema]
"$schema" = "http://json-schema.org/draft-04/schema#"
type = "object"
properties.seconds = { type = "number", minimum = 0, exclusiveMinimum = true, description = "How long" }"#,
        right: r#"[[tools]]
name = "wait"
description = "Wait"

[tools.args]
seconds = { type = "number", exclusiveMinimum = 0, description = "How long" }"#,
        find: boolean_bound,
    },
    Rule {
        id: "list-of-types",
        title: "several types in one `type`",
        clients: &[
            Client::warning(
                Target::Gemini,
                Does::Refuses,
                "clients that send it to Gemini as it stands get an error for the whole request",
            )
            .seen("2026-09", "brightwave-inc/tidebreak#1516"),
            Client::error(Target::GeminiRaw, Does::Refuses, "Gemini's `parameters` refuse it")
                .seen("2026-09", "brightwave-inc/tidebreak#1516"),
            Client::warning(Target::Vscode, Does::Rewrites, "VS Code rewrites it for Gemini")
                .seen("2026-03", NORMALIZER),
            Client::error(Target::Others, Does::Refuses, "the Kuadrant gateway refuses it")
                .seen("2026-05", "baruchiro/paperless-mcp#138"),
        ],
        wrong: r#"[[tools]]
name = "note"
description = "Take a note"
inputSchema = { type = "object", properties = { text = { type = ["string", "null"], description = "The note" } } }"#,
        right: r#"[[tools]]
name = "note"
description = "Take a note"

[tools.args]
text = { type = "string", description = "The note" }"#,
        find: list_of_types,
    },
    Rule {
        id: "large-integer",
        title: "an integer beyond 2^53",
        clients: &[Client::warning(Target::Claude, Does::Misreads, "Claude Code rounds integers beyond 2^53")
            .seen("2026-08", "anthropics/claude-code#78762")],
        wrong: r#"[[tools]]
name = "order"
description = "Show an order"

[tools.args]
number = { type = "integer", maximum = 9223372036854775807, description = "Its number" }"#,
        right: r#"[[tools]]
name = "order"
description = "Show an order"

[tools.args]
number = { type = "integer", wire = "string", description = "Its number" }"#,
        find: large_integer,
    },
];

/// What a rule says about each schema of a tool's arguments that breaks it: the place, the message and the edit.
fn each(cx: &Cx<'_>, find: impl Fn(&Tool, &Spot<'_>) -> Option<(Span, String, String)>) -> Vec<Finding> {
    cx.in_tools(|tool| spots(&tool.input.wire).iter().filter_map(|spot| Some(at(tool, find(tool, spot)?))).collect())
}

fn at(tool: &Tool, (span, message, help): (Span, String, String)) -> Finding {
    Finding::of(&tool.common, span, (message, help))
}

fn array_without_items(cx: &Cx<'_>) -> Vec<Finding> {
    each(cx, |tool, spot| {
        let says = ["items", "prefixItems", "$ref", "enum", "const"].iter().any(|key| spot.schema.get(key).is_some());
        if !spot.is("array") || says {
            return None;
        }
        let message = format!("{} is an array that does not say what its items are", spot.shown());
        let anything = cx.edit(tool, "items", "{}");
        Some((spot.mark(), message, format!("add `items`: the schema of one item; {anything} for anything")))
    })
}

fn undeclared_required(cx: &Cx<'_>) -> Vec<Finding> {
    each(cx, |_, spot| {
        let properties = spot.schema.get("properties")?;
        let names = spot.schema.get("required")?.items()?;
        let missing = names.iter().find(|name| name.as_str().is_some_and(|name| properties.get(name).is_none()))?;
        let message = format!("`{}` is required, but no property has that name", missing.as_str()?);
        Some((missing.span, message, "add the property, or take the name out of `required`".to_owned()))
    })
}

/// The first of each tool: where there is one, there are many.
fn reference(cx: &Cx<'_>) -> Vec<Finding> {
    cx.in_tools(|tool| {
        let references: Vec<&Node> =
            spots(&tool.input.wire).iter().filter_map(|spot| spot.schema.get("$ref")).collect();
        let Some(first) = references.first() else { return Vec::new() };
        let message =
            format!("the input schema refers to parts of itself, here to `{}`", first.as_str().unwrap_or_default());
        let help = if tool.input.portable {
            "only a definition that names itself is left as a reference: end it after some levels".to_owned()
        } else {
            "write the schema out in its place; a short form with `ref` does".to_owned()
        };
        vec![Finding::of(&tool.common, first.span, (message, help))]
    })
}

fn tuple(cx: &Cx<'_>) -> Vec<Finding> {
    each(cx, |_, spot| {
        let list = member(spot.schema, "items").filter(|(_, items)| items.items().is_some());
        let (key, _) = member(spot.schema, "prefixItems").or(list)?;
        let message = format!("{} has a schema for each place of an array", spot.shown());
        Some((key.span, message, "use an object with a property for each, or one `items` for all".to_owned()))
    })
}

fn boolean_bound(cx: &Cx<'_>) -> Vec<Finding> {
    each(cx, |tool, spot| {
        let bounds = [("exclusiveMinimum", "minimum"), ("exclusiveMaximum", "maximum")];
        let (name, other) =
            bounds.into_iter().find(|(name, _)| spot.schema.get(name).and_then(Node::as_bool).is_some())?;
        let (key, _) = member(spot.schema, name)?;
        let message = format!("`{name}` is a boolean");
        let value = spot.schema.get(other).and_then(Node::as_number).unwrap_or("0");
        let bound = cx.edit(tool, name, value);
        Some((key.span, message, format!("write the bound itself: {bound}, without `{other}`")))
    })
}

fn list_of_types(cx: &Cx<'_>) -> Vec<Finding> {
    each(cx, |_, spot| {
        let types = spot.schema.get("type").filter(|types| types.items().is_some())?;
        let message = format!("{} has several types in one `type`", spot.shown());
        let is_nullable = types.items()?.iter().any(|ty| ty.as_str() == Some("null"));
        let help = if is_nullable {
            "let the property be absent instead of null, or write `anyOf` with one type in each branch"
        } else {
            "write `anyOf` with one type in each branch"
        };
        Some((types.span, message, help.to_owned()))
    })
}

/// The largest integer that every client keeps.
const MAX_SAFE: f64 = 9_007_199_254_740_992.0;

fn large_integer(cx: &Cx<'_>) -> Vec<Finding> {
    each(cx, |_, spot| {
        if !spot.is("integer") {
            return None;
        }
        let format = spot.schema.get("format").filter(|format| matches!(format.as_str(), Some("int64" | "uint64")));
        let is_large = |node: &&Node| {
            node.as_number().and_then(|text| text.parse::<f64>().ok()).is_some_and(|number| number.abs() > MAX_SAFE)
        };
        let bounds = ["maximum", "minimum", "default", "const"].iter().filter_map(|key| spot.schema.get(key));
        let values = spot.schema.get("enum").and_then(Node::items).unwrap_or_default();
        let large = bounds.chain(values).find(is_large).or(format)?;
        let message = format!("{} may be an integer beyond 2^53", spot.shown());
        Some((large.span, message, "let it travel as text: `wire = \"string\"` in a short schema".to_owned()))
    })
}
