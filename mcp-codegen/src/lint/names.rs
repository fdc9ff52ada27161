//! Names that clients refuse, cut or hide: of tools, alone and behind the server's, and of arguments.

use crate::contract::Tool;
use crate::lint::Target;
use crate::lint::cx::{Cx, counted};
use crate::lint::rule::{Client, Does, Finding, Rule};

pub(super) const RULES: &[Rule] = &[
    Rule {
        id: "tool-name-characters",
        title: "a tool name with a dot",
        clients: &[
            Client::error(Target::Claude, Does::Refuses, "Anthropic's API refuses the whole request")
                .seen("2026-08", "modelcontextprotocol/modelcontextprotocol#1345, github/copilot-cli#2581"),
            Client::error(Target::Openai, Does::Refuses, "OpenAI's API refuses the whole request")
                .seen("2026-08", "openai/codex#8174, microsoft/foundry-dev-tools#201"),
            Client::error(Target::CopilotCli, Does::Refuses, "Copilot CLI fails")
                .seen("2026-08", "github/copilot-cli#2581"),
        ],
        wrong: r#"[[tools]]
name = "calendar.read"
description = "Read the calendar""#,
        right: r#"[[tools]]
name = "calendar_read"
description = "Read the calendar""#,
        find: tool_name_characters,
    },
    Rule {
        id: "tool-name-start",
        title: "a tool name that begins with neither a letter nor `_`",
        clients: &[Client::error(Target::Gemini, Does::Refuses, "Gemini's API refuses the whole request")
            .seen("2026-11", "Vertex AI reference, function declarations")],
        wrong: r#"[[tools]]
name = "2fa_code"
description = "Make a code for the second factor""#,
        right: r#"[[tools]]
name = "code_2fa"
description = "Make a code for the second factor""#,
        find: tool_name_start,
    },
    Rule {
        id: "tool-name-length",
        title: "a tool name of more characters than a client takes",
        clients: &[
            Client::error(Target::Claude, Does::Refuses, "Claude Desktop and claude.ai refuse more than 64")
                .seen("2026-06", "joshuaswarren/remnic#2705, jamiepine/voicebox#590"),
            Client::error(Target::Openai, Does::Refuses, "OpenAI's API refuses more than 64")
                .seen("2026-08", "openai/codex#8174, microsoft/foundry-dev-tools#201"),
            Client::error(Target::Gemini, Does::Refuses, "Gemini's API refuses more than 64")
                .seen("2026-11", "Vertex AI reference, function declarations"),
        ],
        wrong: r#"[[tools]]
name = "list_all_of_the_open_pull_requests_of_a_repository_with_their_reviews"
description = "List open pull requests""#,
        right: r#"[[tools]]
name = "list_open_pull_requests"
description = "List open pull requests, with their reviews""#,
        find: tool_name_length,
    },
    Rule {
        id: "prefixed-name-length",
        title: "a tool name that is too long behind the server's name",
        clients: &[
            Client::error(
                Target::Claude,
                Does::Refuses,
                "Claude Code calls it `mcp__SERVER__TOOL`, of at most 64 characters",
            )
            .seen("2026-05", "getsentry/XcodeBuildMCP#3"),
            Client::error(
                Target::Cursor,
                Does::Drops,
                "Cursor hides a tool whose name and server's have more than 60 characters",
            )
            .seen("2026-07", "executeautomation/mcp-playwright#145, PostHog/posthog#51483"),
            Client::warning(
                Target::Gemini,
                Does::Cuts,
                "Gemini CLI calls it `mcp_SERVER_TOOL`, and cuts the middle out beyond 63 characters",
            )
            .seen("2026-10", "gemini-cli docs/tools/mcp-server.md"),
        ],
        wrong: r#"[server]
name = "enterprise-database"

[[tools]]
name = "list_the_rows_of_a_table_that_match_a_filter"
description = "List rows""#,
        right: r#"[server]
name = "database"

[[tools]]
name = "list_rows"
description = "List the rows of a table that match a filter""#,
        find: prefixed_name_length,
    },
    Rule {
        id: "server-name-underscore",
        title: "a server name with an underscore",
        clients: &[Client::warning(
            Target::Gemini,
            Does::Misreads,
            "Gemini CLI takes what follows the `_` for a part of the tool's name",
        )
        .seen("2026-10", "gemini-cli docs/tools/mcp-server.md")],
        wrong: "[server]\nname = \"my_server\"",
        right: "[server]\nname = \"my-server\"",
        find: server_name_underscore,
    },
    Rule {
        id: "argument-name",
        title: "an argument with a name that a client refuses",
        clients: &[
            Client::error(
                Target::Claude,
                Does::Refuses,
                "Anthropic's API wants 1 to 64 letters, digits, `_`, `.` and `-`, and refuses the whole request",
            )
            .seen("2026-08", "anthropics/claude-code#79418, decocms/studio#6874"),
            Client::warning(
                Target::Gemini,
                Does::Refuses,
                "Gemini's API wants a letter or `_`, then letters, digits and `_`, 64 at most",
            )
            .seen("2026-11", "Vertex AI reference, function declarations"),
        ],
        wrong: r#"[[tools]]
name = "search"
description = "Search"

[tools.args]
"filter[name]" = { type = "string", description = "Part of the name" }"#,
        right: r#"[[tools]]
name = "search"
description = "Search"

[tools.args]
filter_name = { type = "string", description = "Part of the name" }"#,
        find: argument_name,
    },
];

fn tool_name_characters(cx: &Cx<'_>) -> Vec<Finding> {
    cx.in_tools(|tool| {
        let name = &tool.common.name;
        if !name.value.contains('.') {
            return Vec::new();
        }
        let message = format!("the tool's name `{}` has a dot", name.value);
        let help = format!("call it `{}`", name.value.replace('.', "_"));
        vec![Finding::of(&tool.common, name.span, (message, help))]
    })
}

fn tool_name_start(cx: &Cx<'_>) -> Vec<Finding> {
    cx.in_tools(|tool| {
        let name = &tool.common.name;
        let Some(first) = name.value.chars().next().filter(|c| !c.is_ascii_alphabetic() && *c != '_') else {
            return Vec::new();
        };
        let message = format!("the tool's name `{}` begins with `{first}`", name.value);
        vec![Finding::of(&tool.common, name.span, (message, "begin it with a letter".to_owned()))]
    })
}

fn tool_name_length(cx: &Cx<'_>) -> Vec<Finding> {
    cx.in_tools(|tool| {
        let length = tool.common.name.value.chars().count();
        let Some(over) = length.checked_sub(64).filter(|over| *over > 0) else { return Vec::new() };
        vec![too_long(tool, &format!("the tool's name has {length} characters"), over)]
    })
}

fn too_long(tool: &Tool, message: &str, over: usize) -> Finding {
    let help = format!("shorten it by {}", counted(over, "character"));
    Finding::of(&tool.common, tool.common.name.span, (message.to_owned(), help))
}

/// Who puts how many characters beside the two names, and how many it takes.
const PREFIXES: [(Target, &str, &str, usize); 3] =
    [(Target::Claude, "mcp__", "__", 64), (Target::Cursor, "", "", 60), (Target::Gemini, "mcp_", "_", 63)];

fn prefixed_name_length(cx: &Cx<'_>) -> Vec<Finding> {
    let Some(server) = cx.server else { return Vec::new() };
    cx.in_tools(|tool| {
        let name = tool.common.name.value.as_str();
        let finding = |(target, before, between, most): (Target, &str, &str, usize)| {
            let length = format!("{before}{server}{between}{name}").chars().count();
            let over = length.checked_sub(most).filter(|over| *over > 0)?;
            let message = format!("`{name}` has {length} characters behind the name of its server");
            Some(too_long(tool, &message, over).only(&[target]))
        };
        PREFIXES.into_iter().filter_map(finding).collect()
    })
}

fn server_name_underscore(cx: &Cx<'_>) -> Vec<Finding> {
    let name = cx.contract.server.name.as_ref().filter(|name| name.value.contains('_'));
    let finding = name.map(|name| {
        let message = format!("the server's name `{}` has an underscore", name.value);
        Finding::of_server(name.span, (message, format!("call it `{}`", name.value.replace('_', "-"))))
    });
    finding.into_iter().collect()
}

fn argument_name(cx: &Cx<'_>) -> Vec<Finding> {
    cx.in_tools(|tool| {
        let properties = tool.input.wire.get("properties").and_then(|properties| properties.members());
        let finding = |key: &crate::document::Key| {
            let refused: Vec<Target> =
                [(Target::Claude, fits_claude(&key.name)), (Target::Gemini, fits_gemini(&key.name))]
                    .into_iter()
                    .filter_map(|(target, fits)| (!fits).then_some(target))
                    .collect();
            if refused.is_empty() {
                return None;
            }
            let message =
                format!("the argument's name `{}` is not one that every client takes", key.name.escape_debug());
            let help = match plain(&key.name) {
                Some(plain) => format!("call it `{plain}`"),
                None => "use letters, digits and `_`".to_owned(),
            };
            Some(Finding::of(&tool.common, key.span, (message, help)).only(&refused))
        };
        properties.unwrap_or_default().iter().filter_map(|(key, _)| finding(key)).collect()
    })
}

fn fits_claude(name: &str) -> bool {
    (1..=64).contains(&name.len()) && name.bytes().all(|c| c.is_ascii_alphanumeric() || b"_.-".contains(&c))
}

fn fits_gemini(name: &str) -> bool {
    let first = name.bytes().next().is_some_and(|c| c.is_ascii_alphabetic() || c == b'_');
    first && name.len() <= 64 && name.bytes().all(|c| c.is_ascii_alphanumeric() || c == b'_')
}

/// The nearest name that every client takes, if there is a near one.
fn plain(name: &str) -> Option<String> {
    let words: Vec<&str> = name.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty()).collect();
    Some(words.join("_")).filter(|plain| fits_gemini(plain))
}
