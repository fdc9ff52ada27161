//! The root of a schema, where clients are strictest.

use crate::contract::Tool;
use crate::lint::Target;
use crate::lint::cx::{Cx, member};
use crate::lint::rule::{Client, Does, Finding, Rule};
use crate::lint::walk::{Spot, spots};

pub(super) const RULES: &[Rule] = &[
    Rule {
        id: "root-combinator",
        title: "a combinator at the root of an input schema",
        clients: &[
            Client::error(
                Target::Claude,
                Does::Refuses,
                "Anthropic's API refuses the whole request, or Claude Code leaves the tool out",
            )
            .seen("2026-09", "anthropics/claude-code#95504, kenn-io/kata#365, zereight/gitlab-mcp#550"),
            Client::error(Target::Openai, Does::Refuses, "OpenAI's API refuses the whole request")
                .seen("2026-05", "makenotion/notion-mcp-server#340"),
            Client::warning(Target::Vscode, Does::Cuts, "VS Code takes it out without a word")
                .seen("2026-03", "microsoft/vscode-copilot-chat toolSchemaNormalizer.ts"),
        ],
        wrong: r#"[[tools]]
name = "find_user"
description = "Find a user"

[tools.inputSchema]
type = "object"
properties.id = { type = "integer", description = "Number" }
properties.email = { type = "string", description = "Address" }
oneOf = [{ required = ["id"] }, { required = ["email"] }]"#,
        right: r#"[[tools]]
name = "find_user"
description = "Find a user"
rules = { one_of = [["id", "email"]] }

[tools.args]
id = { type = "integer", description = "Number" }
email = { type = "string", description = "Address" }"#,
        find: root_combinator,
    },
    Rule {
        id: "missing-properties",
        title: "an input schema without `properties`",
        clients: &[
            Client::error(Target::Openai, Does::Refuses, "OpenAI's API refuses the whole request")
                .seen("2026-08", "everruns/everruns#984, inboxapi/cli#106"),
            Client::warning(Target::Vscode, Does::Rewrites, "VS Code adds them")
                .seen("2026-03", "microsoft/vscode-copilot-chat toolSchemaNormalizer.ts"),
            Client::error(Target::Others, Does::Refuses, "LangGraph's adapters fail")
                .seen("2026-02", "modelcontextprotocol/rust-sdk#251"),
        ],
        wrong: r#"[[tools]]
name = "ping"
description = "Answer at once"
inputSchema = { type = "object" }"#,
        right: r#"[[tools]]
name = "ping"
description = "Answer at once"
inputSchema = { type = "object", properties = {} }"#,
        find: missing_properties,
    },
    Rule {
        id: "bare-object",
        title: "an object inside a schema that has no `properties`",
        clients: &[Client::warning(
            Target::Openai,
            Does::Refuses,
            "some of OpenAI's interfaces refuse the whole request",
        )
        .seen("2026-05", "can1357/oh-my-pi#1147, AgentsMesh/Loopal#160")],
        wrong: r#"[[tools]]
name = "label"
description = "Set labels"

[tools.inputSchema]
type = "object"
properties.labels = { type = "object", additionalProperties = { type = "string" }, description = "Labels" }"#,
        right: r#"[[tools]]
name = "label"
description = "Set labels"

[tools.args]
labels = { type = "object", additionalProperties = { type = "string" }, description = "Labels" }"#,
        find: bare_object,
    },
    Rule {
        id: "output-root",
        title: "an output schema that is no object",
        clients: &[Client::error(
            Target::Others,
            Does::Refuses,
            "clients with the TypeScript SDK of 2025 refuse the whole list of tools",
        )
        .seen("2026-03", "opentokenz/mcpx#28")],
        wrong: r#"[[tools]]
name = "list_cities"
description = "List all cities"
outputSchema = { type = "array", items = { type = "string" } }"#,
        right: r#"[[tools]]
name = "list_cities"
description = "List all cities"

[tools.output]
cities = { type = "array", items = { type = "string" }, required = true }"#,
        find: output_root,
    },
];

/// Keywords at the root, and whom each hurts.
const COMBINATORS: [(&str, &[Target]); 7] = [
    ("allOf", &[Target::Claude, Target::Openai, Target::Vscode]),
    ("anyOf", &[Target::Claude, Target::Openai, Target::Vscode]),
    ("else", &[Target::Vscode]),
    ("if", &[Target::Claude, Target::Vscode]),
    ("not", &[Target::Vscode]),
    ("oneOf", &[Target::Claude, Target::Openai, Target::Vscode]),
    ("then", &[Target::Claude, Target::Vscode]),
];

fn root_combinator(cx: &Cx<'_>) -> Vec<Finding> {
    cx.in_tools(|tool| {
        let finding = |(keyword, targets): (&str, &[Target])| {
            let (key, _) = member(&tool.input.wire, keyword)?;
            let message = format!("`{keyword}` stands at the root of the input schema");
            let help = "say it by `rules` beside `args`, or in the description, and check it in the handler".to_owned();
            Some(Finding::of(&tool.common, key.span, (message, help)).only(targets))
        };
        COMBINATORS.into_iter().filter_map(finding).collect()
    })
}

fn is_bare(spot: &Spot<'_>) -> bool {
    spot.is("object") && ["properties", "$ref", "enum", "const"].iter().all(|key| spot.schema.get(key).is_none())
}

fn missing_properties(cx: &Cx<'_>) -> Vec<Finding> {
    cx.in_tools(|tool| {
        let root = spots(&tool.input.wire).into_iter().next().filter(is_bare);
        let finding = root.map(|root| {
            let message = format!("the input schema of `{}` has no `properties`", tool.common.name.value);
            let help = format!("add `properties`, if need be an empty one: {}", cx.edit(tool, "properties", "{}"));
            Finding::of(&tool.common, root.mark(), (message, help))
        });
        finding.into_iter().collect()
    })
}

fn bare_object(cx: &Cx<'_>) -> Vec<Finding> {
    cx.in_tools(|tool| {
        let bare: Vec<Spot<'_>> = spots(&tool.input.wire).into_iter().skip(1).filter(is_bare).collect();
        let Some(first) = bare.first() else { return Vec::new() };
        let message = match bare.len() {
            1 => format!("{} is an object without `properties`", first.shown()),
            count => format!("{} and {} are objects without `properties`", first.shown(), others(count - 1)),
        };
        let help = format!("add an empty one: {}", cx.edit(tool, "properties", "{}"));
        vec![Finding::of(&tool.common, first.mark(), (message, help))]
    })
}

fn others(count: usize) -> String {
    if count == 1 { "another place".to_owned() } else { format!("{count} other places") }
}

fn output_root(cx: &Cx<'_>) -> Vec<Finding> {
    cx.in_tools(|tool| output_root_of(tool).into_iter().collect())
}

fn output_root_of(tool: &Tool) -> Option<Finding> {
    let schema = &tool.output.as_ref()?.wire;
    let ty = schema.get("type");
    if ty.and_then(|ty| ty.as_str()) == Some("object") {
        return None;
    }
    let said =
        ty.map_or_else(|| "has no type".to_owned(), |ty| format!("has type `{}`", ty.to_json().trim_matches('"')));
    let message = format!("the output schema of `{}` {said}", tool.common.name.value);
    let help = "make it an object, with the value in a property".to_owned();
    let span = ty.map_or(tool.common.name.span, |ty| ty.span);
    Some(Finding::of(&tool.common, span, (message, help)))
}
