//! Strict modes, in which a provider holds the model to the schema, and takes only a part of JSON Schema for it.

use crate::contract::Tool;
use crate::document::Node;
use crate::lint::Target;
use crate::lint::cx::{Cx, counted};
use crate::lint::rule::{Client, Does, Finding, Rule};
use crate::lint::walk::{Spot, present, spots};

const OPENAI_PAGE: &str = "platform.openai.com structured outputs, supported schemas";
const OPENAI_SAYS: &str = "OpenAI's strict mode refuses the whole request";

pub(super) const RULES: &[Rule] = &[
    Rule {
        id: "strict-required",
        title: "an optional property, in strict mode",
        clients: &[Client::error(Target::OpenaiStrict, Does::Refuses, OPENAI_SAYS).seen("2026-02", OPENAI_PAGE)],
        wrong: r#"[[tools]]
name = "book"
description = "Book a room"

[tools.args]
room = { type = "string", description = "Room", required = true }
note = { type = "string", description = "Note" }"#,
        right: r#"[[tools]]
name = "book"
description = "Book a room"

[tools.args]
room = { type = "string", description = "Room", required = true }
note = { type = ["string", "null"], description = "Note", required = true }"#,
        find: required,
    },
    Rule {
        id: "strict-closed",
        title: "an open object, in strict mode",
        clients: &[
            Client::error(Target::OpenaiStrict, Does::Refuses, OPENAI_SAYS).seen("2026-02", OPENAI_PAGE),
            Client::error(Target::ClaudeStrict, Does::Refuses, "Anthropic's strict mode refuses the whole request")
                .seen("2026-08", "platform.claude.com structured outputs"),
        ],
        wrong: r#"[[tools]]
name = "set"
description = "Set labels"

[tools.args]
labels = { type = "object", additionalProperties = { type = "string" }, description = "Labels", required = true }"#,
        right: r#"[[tools]]
name = "set"
description = "Set labels"

[tools.args.labels]
type = "array"
description = "Labels"
required = true

[tools.args.labels.items.properties]
name = { type = "string", description = "Name", required = true }
value = { type = "string", description = "Value", required = true }"#,
        find: closed,
    },
    Rule {
        id: "strict-keyword",
        title: "a keyword that strict mode does not know",
        clients: &[Client::error(Target::OpenaiStrict, Does::Refuses, OPENAI_SAYS)
            .seen("2026-02", "platform.openai.com structured outputs, supported schemas; dotnet/extensions#6266")],
        wrong: r#"[[tools]]
name = "find"
description = "Find a place"

[tools.args]
near = { type = "string", not = { const = "" }, description = "Near what", required = true }"#,
        right: r#"[[tools]]
name = "find"
description = "Find a place"

[tools.args]
near = { type = "string", description = "Near what; not empty", required = true }"#,
        find: keyword,
    },
    Rule {
        id: "strict-format",
        title: "a format that strict mode does not know",
        clients: &[Client::error(Target::OpenaiStrict, Does::Refuses, OPENAI_SAYS).seen("2026-05", "posit-dev/chatlas#255")],
        wrong: r#"[[tools]]
name = "fetch"
description = "Fetch a page"

[tools.args]
url = { type = "string", format = "uri", description = "Address", required = true }"#,
        right: r#"[[tools]]
name = "fetch"
description = "Fetch a page"

[tools.args]
url = { type = "string", description = "Address, such as https://example.com", required = true }"#,
        find: format,
    },
    Rule {
        id: "strict-size",
        title: "a schema larger than strict mode takes",
        clients: &[Client::error(Target::OpenaiStrict, Does::Refuses, OPENAI_SAYS).seen("2026-02", OPENAI_PAGE)],
        wrong: r#"[[tools]]
name = "deep"
description = "Go deep"

[tools.inputSchema]
type = "object"
additionalProperties = false
required = ["a"]
properties.a.items.items.items.items.items.items.items.items.items.items = { type = "string" }"#,
        right: r#"[[tools]]
name = "deep"
description = "Go deep"

[tools.inputSchema]
type = "object"
additionalProperties = false
required = ["a"]
properties.a.items.items.items = { type = "string" }"#,
        find: size,
    },
    Rule {
        id: "strict-grammar",
        title: "more optional arguments than strict tools may have together",
        clients: &[Client::error(Target::ClaudeStrict, Does::Refuses, "Anthropic makes one grammar of all strict tools of a request, and refuses more than 24 optional properties")
            .seen("2026-08", "alphaXiv/agents#49, alphaXiv/agents#51, elie222/inbox-zero#2323")],
        wrong: r#"[[tools]]
name = "tool_1"
description = "One of some"

[tools.args]
a = { type = "string", description = "A" }
b = { type = "string", description = "B" }
# … 13 of them"#,
        right: r#"[[tools]]
name = "tool_1"
description = "One of some"

[tools.args]
a = { type = "string", description = "A", required = true }
b = { type = "string", description = "B" }
# … 13 of them"#,
        find: grammar,
    },
];

/// Names of properties that may be absent.
fn optional<'n>(spot: &Spot<'n>) -> Vec<&'n crate::document::Key> {
    let names = spot.schema.get("required").and_then(Node::items).unwrap_or_default();
    let is_required = |name: &str| names.iter().any(|known| known.as_str() == Some(name));
    let properties = spot.schema.get("properties").and_then(Node::members).unwrap_or_default();
    properties.iter().map(|(key, _)| key).filter(|key| !is_required(&key.name)).collect()
}

fn required(cx: &Cx<'_>) -> Vec<Finding> {
    cx.in_tools(|tool| {
        let finding = |key: &crate::document::Key| {
            let message = format!("`{}` is not required", key.name);
            let help = "make it required, and let it be null where it may be absent: `type = [\"string\", \"null\"]`";
            Finding::of(&tool.common, key.span, (message, help.to_owned()))
        };
        spots(&tool.input.wire).iter().flat_map(optional).map(finding).collect()
    })
}

fn closed(cx: &Cx<'_>) -> Vec<Finding> {
    cx.in_tools(|tool| {
        let is_open = |spot: &&Spot<'_>| {
            let closed = spot.schema.get("additionalProperties").and_then(Node::as_bool) == Some(false);
            (spot.is("object") || spot.schema.get("properties").is_some()) && !closed
        };
        let finding = |spot: &Spot<'_>| {
            let message = format!("{} takes properties that it does not name", spot.shown());
            let help = "set `additionalProperties` to false, and make a list of pairs of a map; what has no name is refused from \
                        then on, which `breaking` calls `arguments-closed`"
                .to_owned();
            Finding::of(&tool.common, spot.mark(), (message, help))
        };
        spots(&tool.input.wire).iter().filter(is_open).map(finding).collect()
    })
}

/// What OpenAI's page names as not supported; `default` by reports.
const UNKNOWN: [&str; 9] =
    ["allOf", "default", "dependentRequired", "dependentSchemas", "else", "if", "not", "oneOf", "then"];

fn keyword(cx: &Cx<'_>) -> Vec<Finding> {
    cx.in_tools(|tool| {
        let finding = |(keyword, span)| {
            let message = format!("the input schema has `{keyword}`");
            let help = match keyword {
                "oneOf" => "write `anyOf`",
                "default" => "say it in the description",
                _ => "say it in the description, and check it in the handler",
            };
            Finding::of(&tool.common, span, (message, help.to_owned()))
        };
        present(&tool.input.wire, &UNKNOWN).into_iter().map(finding).collect()
    })
}

const FORMATS: [&str; 9] = ["date", "date-time", "duration", "email", "hostname", "ipv4", "ipv6", "time", "uuid"];

fn format(cx: &Cx<'_>) -> Vec<Finding> {
    cx.in_tools(|tool| {
        let finding = |spot: &Spot<'_>| {
            let format = spot.schema.get("format")?;
            let name = format.as_str().filter(|name| !FORMATS.contains(name))?;
            let message = format!("{} has the format `{name}`", spot.shown());
            Some(Finding::of(&tool.common, format.span, (message, "say it in the description".to_owned())))
        };
        spots(&tool.input.wire).iter().filter_map(finding).collect()
    })
}

fn size(cx: &Cx<'_>) -> Vec<Finding> {
    cx.in_tools(|tool| {
        let finding = |(count, most, thing): (usize, usize, &str)| {
            let over = count.checked_sub(most).filter(|over| *over > 0)?;
            let message = format!("the input schema has {count} {thing}, {over} more than {most}");
            let help = "make the tool several tools, or its arguments flatter".to_owned();
            Some(Finding::of(&tool.common, tool.common.name.span, (message, help)))
        };
        sizes(tool).into_iter().filter_map(finding).collect()
    })
}

/// What is counted of a tool, and how much of it may be there.
fn sizes(tool: &Tool) -> [(usize, usize, &'static str); 5] {
    let spots = spots(&tool.input.wire);
    let properties: Vec<&str> = spots
        .iter()
        .filter_map(|spot| spot.schema.get("properties")?.members())
        .flatten()
        .map(|(key, _)| key.name.as_str())
        .collect();
    let enums: Vec<&[Node]> = spots.iter().filter_map(|spot| spot.schema.get("enum")?.items()).collect();
    let letters = |values: &[Node]| values.iter().filter_map(Node::as_str).map(|value| value.chars().count()).sum();
    let large = enums.iter().filter(|values| values.len() > 250).map(|values| letters(values)).max();
    let names = properties.iter().map(|name| name.chars().count()).sum::<usize>();
    [
        (properties.len(), 5_000, "properties"),
        (spots.iter().map(|spot| spot.depth).max().unwrap_or_default(), 10, "levels"),
        (enums.iter().map(|values| values.len()).sum(), 1_000, "values in `enum`s"),
        (large.unwrap_or_default(), 15_000, "characters in one `enum`"),
        (names + enums.iter().map(|values| letters(values)).sum::<usize>(), 120_000, "characters in names and `enum`s"),
    ]
}

/// How many optional properties strict tools may have together.
const MOST_OPTIONAL: usize = 24;

fn grammar(cx: &Cx<'_>) -> Vec<Finding> {
    let count = |tool: &Tool| spots(&tool.input.wire).iter().map(|spot| optional(spot).len()).sum::<usize>();
    let mut counts: Vec<(usize, &Tool)> = cx.contract.tools.iter().map(|tool| (count(tool), tool)).collect();
    let total: usize = counts.iter().map(|(count, _)| count).sum();
    counts.sort_by_key(|(count, _)| std::cmp::Reverse(*count));
    let Some((_, worst)) = counts.first().filter(|_| total > MOST_OPTIONAL) else { return Vec::new() };
    let shown = counts.iter().take(3).map(|(count, tool)| format!("`{}` {count}", tool.common.name.value));
    let message =
        format!("the tools have {} together", counted(total, "optional property").replace("propertys", "properties"));
    let help = format!("make more required, or these tools not strict: {}", shown.collect::<Vec<_>>().join(", "));
    vec![Finding::of_server(worst.common.name.span, (message, help))]
}
