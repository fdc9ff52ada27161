//! Too much of something: tools in a server, bytes in a result.

use crate::contract::Tool;
use crate::lint::Target;
use crate::lint::cx::{Cx, counted};
use crate::lint::rule::{Client, Does, Finding, Rule};
use crate::lint::tokens;
use crate::source::Span;

pub(super) const RULES: &[Rule] = &[
    Rule {
        id: "tool-count",
        title: "more tools than a client takes",
        clients: &[
            Client::error(Target::Openai, Does::Refuses, "OpenAI's API refuses a request with more than 128 tools")
                .seen("2026-09", "Azure/azure-mcp#372"),
            Client::error(Target::Vscode, Does::Refuses, "VS Code refuses a request with more than 128 tools")
                .seen("2026-09", "microsoft/vscode-copilot-release#11653"),
            Client::error(Target::Cursor, Does::Drops, "Cursor offers the first 80 tools of all servers together")
                .seen("2026-09", "bun913/mcp-testrail#6, Snowflake-Labs/mcp#77"),
            Client::error(Target::Windsurf, Does::Drops, "Windsurf offers the first 100 tools of all servers together")
                .seen("2026-06", "Zhwt/go-mcp-mysql#3, DaxianLee/cocos-mcp-server#11"),
        ],
        wrong: r#"[[tools]]
name = "tool_1"
description = "One of many"
# … 130 of them"#,
        right: r#"[[tools]]
name = "tool_1"
description = "One of many"
# … 40 of them"#,
        find: tool_count,
    },
    Rule {
        id: "grouped-tools",
        title: "so many tools that a client shows them in groups",
        clients: &[Client::warning(
            Target::Vscode,
            Does::Rewrites,
            "VS Code puts tools behind virtual ones from 64 on, which the model must open first",
        )
        .seen("2026-03", "microsoft/vscode-copilot-chat virtualToolsConstants.ts")],
        wrong: r#"[[tools]]
name = "tool_1"
description = "One of many"
# … 70 of them"#,
        right: r#"[[tools]]
name = "tool_1"
description = "One of many"
# … 40 of them"#,
        find: grouped_tools,
    },
    Rule {
        id: "large-result",
        title: "a result that may be larger than a client takes",
        clients: &[Client::warning(
            Target::Claude,
            Does::Refuses,
            "Claude Code refuses a result of more than 25,000 tokens",
        )
        .seen("2026-04", "caiowilson/MCP-memento#21, GuDaStudio/codexmcp#4")],
        wrong: r#"[[tools]]
name = "export"
description = "Export a table as text"
maxResult = 500000"#,
        right: r#"[[tools]]
name = "export"
description = "Export a table as text"
maxResult = 100000"#,
        find: large_result,
    },
];

/// Who takes how many tools.
const MOST: [(Target, usize); 4] =
    [(Target::Openai, 128), (Target::Vscode, 128), (Target::Cursor, 80), (Target::Windsurf, 100)];

fn tool_count(cx: &Cx<'_>) -> Vec<Finding> {
    let count = cx.contract.tools.len();
    let finding = |(target, most): (Target, usize)| {
        let over = count.checked_sub(most).filter(|over| *over > 0)?;
        let message = format!("the server has {count} tools, {over} more than {most}");
        let help = "put tools into `groups` and serve a part of them, or join some".to_owned();
        Some(Finding::of_server(first_beyond(cx, most), (message, help)).only(&[target]))
    };
    MOST.into_iter().filter_map(finding).collect()
}

/// The first tool that is one too many.
fn first_beyond(cx: &Cx<'_>, most: usize) -> Span {
    cx.contract.tools.get(most).map_or(Span::NOWHERE, |tool| tool.common.name.span)
}

fn grouped_tools(cx: &Cx<'_>) -> Vec<Finding> {
    let count = cx.contract.tools.len();
    if !(64..=128).contains(&count) {
        return Vec::new();
    }
    let message = format!("the server has {}", counted(count, "tool"));
    let help = "put tools into `groups` and serve a part of them, or join some".to_owned();
    vec![Finding::of_server(first_beyond(cx, 63), (message, help))]
}

/// What Claude Code takes, in tokens.
const MOST_TOKENS: u64 = 25_000;

/// A limit of the server's is one finding, however many tools it holds for.
fn large_result(cx: &Cx<'_>) -> Vec<Finding> {
    let own = |tool: &'_ Tool| tool.common.settings.max_result.is_some();
    let hinted = |tool: &Tool| {
        tool.common.definition.get("_meta").is_some_and(|meta| meta.get("anthropic/maxResultSizeChars").is_some())
    };
    let mut found = cx.in_tools(|tool| {
        let most = tool.common.settings.max_result.as_ref().filter(|_| !hinted(tool));
        let finding = most.and_then(|most| {
            let said = too_large(most.value, &format!("a result of `{}`", tool.common.name.value))?;
            Some(Finding::of(&tool.common, most.span, said))
        });
        finding.into_iter().collect()
    });
    let held = cx.contract.tools.iter().filter(|tool| !own(tool) && !hinted(tool)).count();
    if let Some(most) = cx.contract.server.settings.max_result.as_ref().filter(|_| held > 0) {
        let said = too_large(most.value, &format!("a result of {}", counted(held, "tool")));
        found.extend(said.map(|said| Finding::of_server(most.span, said)));
    }
    found
}

/// What is said of a limit that lets too much through.
fn too_large(most: u64, whose: &str) -> Option<(String, String)> {
    let bytes = usize::try_from(most).unwrap_or(usize::MAX / 2);
    let tokens = tokens::of_bytes(bytes.min(usize::MAX / 2)) as u64;
    let help = "lower `maxResult`, or set `\"anthropic/maxResultSizeChars\"` in `_meta` (500000 at most)";
    let message = format!("{whose} may have {most} bytes, about {tokens} tokens");
    (tokens > MOST_TOKENS).then(|| (message, help.to_owned()))
}
