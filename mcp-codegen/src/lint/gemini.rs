//! Keywords that Gemini's `parameters` do not know: a subset of OpenAPI 3.0.

use crate::contract::Tool;
use crate::lint::Target;
use crate::lint::cx::{Cx, member};
use crate::lint::rule::{Client, Does, Finding, Rule};
use crate::lint::walk::{Spot, spots};
use crate::source::Span;

pub(super) const RULES: &[Rule] = &[
    Rule {
        id: "gemini-keyword",
        title: "a keyword that Gemini's `parameters` refuse",
        clients: &[
            Client::warning(
                Target::Gemini,
                Does::Refuses,
                "clients that send it to Gemini as it stands get an error for the whole request",
            )
            .seen("2026-09", "brightwave-inc/tidebreak#1516, zed-industries/zed#29400, router-for-me/CLIProxyAPI#97"),
            Client::error(Target::GeminiRaw, Does::Refuses, "Gemini's `parameters` refuse the whole request")
                .seen("2026-09", "brightwave-inc/tidebreak#1516, zendev-sh/goai#108"),
        ],
        wrong: r#"[[tools]]
name = "list"
description = "List things"

[tools.args]
price = { type = "number", exclusiveMinimum = 0, description = "How much at most" }"#,
        right: r#"[[tools]]
name = "list"
description = "List things"

[tools.args]
price = { type = "number", minimum = 0.01, description = "How much at most" }"#,
        find: keyword,
    },
    Rule {
        id: "gemini-closed",
        title: "`additionalProperties`, which Gemini's `parameters` refuse",
        clients: &[Client::warning(
            Target::GeminiRaw,
            Does::Refuses,
            "Gemini's `parameters` refuse the whole request; Gemini CLI takes it out",
        )
        .seen("2026-09", "gemini-cli docs/tools/mcp-server.md, brightwave-inc/tidebreak#1516")],
        wrong: r#"[[tools]]
name = "list"
description = "List things"

[tools.args]
limit = { type = "integer", description = "How many" }"#,
        right: r#"[[tools]]
name = "list"
description = "List things"
inputSchema = { type = "object", properties = { limit = { type = "integer", description = "How many" } } }"#,
        find: closed,
    },
];

/// What `parameters` refuse, and what to write instead.
const REFUSED: [(&str, &str); 7] = [
    ("$schema", "leave it out: a schema without it is of 2020-12"),
    ("const", "write `enum` with one value"),
    ("exclusiveMaximum", "write `maximum`; for an integer one less says the same"),
    ("exclusiveMinimum", "write `minimum`; for an integer one more says the same"),
    ("patternProperties", "describe the names, and use `additionalProperties`"),
    ("propertyNames", "describe the names in words"),
    ("uniqueItems", "say it in the description, and check it in the handler"),
];

fn keyword(cx: &Cx<'_>) -> Vec<Finding> {
    cx.in_tools(|tool| {
        let all = spots(&tool.input.wire);
        let finding = |(keyword, help): (&str, &str)| first(tool, &all, keyword, help);
        REFUSED.into_iter().filter_map(finding).collect()
    })
}

fn closed(cx: &Cx<'_>) -> Vec<Finding> {
    let help = "leave it to the client to take it out, or write the schema without it";
    cx.in_tools(|tool| first(tool, &spots(&tool.input.wire), "additionalProperties", help).into_iter().collect())
}

/// The first place of a keyword in a tool, with the number of all.
fn first(tool: &Tool, spots: &[Spot<'_>], keyword: &str, help: &str) -> Option<Finding> {
    let places: Vec<Span> = spots.iter().filter_map(|spot| Some(member(spot.schema, keyword)?.0.span)).collect();
    let place = places.first()?;
    let message = match places.len() {
        1 => format!("the input schema has `{keyword}`"),
        count => format!("the input schema has `{keyword}` at {count} places"),
    };
    Some(Finding::of(&tool.common, *place, (message, help.to_owned())))
}
