//! Rules of clients: each with its examples, silenced where an author says so, and run over what real servers offer.

#[path = "lint/table.rs"]
mod table;

use std::fs;

use mcp_codegen::diagnostic::{Code, Diagnostics, Format, explanation};
use mcp_codegen::lint::{self, Linted, Options, Rule, Target};
use mcp_codegen::source::{Role, SourceFile, Sources};
use mcp_codegen::{Config, generate, load};

#[test]
fn the_wrong_example_of_each_rule_breaks_it_and_the_right_one_does_not() {
    for rule in lint::rules() {
        let targets: Vec<Target> = Target::ALL.iter().map(|(_, target)| *target).collect();
        for client in rule.clients {
            let targets = client.target.map_or_else(|| targets.clone(), |target| vec![target]);
            assert!(breaks(rule, rule.wrong, &targets), "the wrong example of `{}` breaks nothing", rule.id);
            assert!(!breaks(rule, rule.right, &targets), "the right example of `{}` breaks it", rule.id);
        }
    }
}

#[test]
fn the_right_example_of_each_rule_suits_the_usual_clients() {
    // Rules of strict modes ask for what other clients do not like.
    for rule in lint::rules().filter(|rule| !rule.id.starts_with("strict-") && rule.id != "tuple") {
        let found = linted(rule.right, &[]).found;
        let others: Vec<String> = found.sorted().iter().map(|finding| finding.message().to_owned()).collect();
        let is_serious = found.sorted().iter().any(|finding| finding.is_error());
        assert!(!is_serious, "the right example of `{}`: {others:?}", rule.id);
    }
}

#[test]
fn every_record_is_complete() {
    let ids: Vec<&str> = lint::rules().map(|rule| rule.id).collect();
    for rule in lint::rules() {
        assert_eq!(ids.iter().filter(|id| **id == rule.id).count(), 1, "{}", rule.id);
        assert!(!rule.clients.is_empty() && !rule.title.is_empty(), "{}", rule.id);
        let about_clients = !["allowance-without-reason", "unknown-rule", "unused-allowance"].contains(&rule.id);
        for client in rule.clients.iter().filter(|_| about_clients) {
            let (year, month) = client.date.split_once('-').unwrap_or_else(|| panic!("{}: no date", rule.id));
            assert!(year.parse::<u16>().is_ok_and(|year| year >= 2025), "{}", rule.id);
            assert!(month.parse::<u8>().is_ok_and(|month| (1..=12).contains(&month)), "{}", rule.id);
            assert!(!client.source.is_empty() && !client.says.is_empty(), "{}: no source", rule.id);
        }
    }
}

#[test]
fn the_examples_of_each_numbered_rule_are_what_they_say() {
    for (code, _) in Code::ALL {
        let explanation = explanation::of(*code).unwrap_or_else(|| panic!("{code} is not explained"));
        assert!(!explanation.why.is_empty(), "{code}");
        if *code == Code::OPTION {
            continue;
        }
        let found = |examples: &[explanation::Example]| {
            let mut sources = Sources::default();
            for (index, example) in examples.iter().enumerate() {
                sources.add(file(&format!("{index}"), with_lengths(example.text.clone()), example.role));
            }
            match generate(&sources, &Config::new()) {
                Ok(generated) => (generated.warnings, sources),
                Err(found) => (found, sources),
            }
        };
        let (wrong, _) = found(&explanation.wrong);
        let codes: Vec<String> = wrong.sorted().iter().map(|finding| finding.code().to_string()).collect();
        assert!(codes.contains(&code.to_string()), "{code} is not found, but {codes:?}");
        let (right, sources) = found(&explanation.right);
        assert!(right.is_empty(), "{code}: {}", right.render(&sources, Format::Plain));
    }
}

#[test]
fn a_finding_says_what_the_client_does_and_what_to_write() {
    let rule = lint::rules().find(|rule| rule.id == "root-combinator").unwrap();
    let (sources, linted) = run(&expand(rule.wrong), &[Target::Openai, Target::Vscode], &[]);
    insta::assert_snapshot!(linted.found.render(&sources, Format::Plain), @r#"
    error[root-combinator]: `oneOf` stands at the root of the input schema
      --> contract.toml:11:1
       |
     4 | name = "find_user"
       |        -----------
    ...
    11 | oneOf = [{ required = ["id"] }, { required = ["email"] }]
       | ^^^^^ OpenAI's API refuses the whole request; VS Code takes it out without a word
       |
    help: say it by `rules` beside `args`, or in the description, and check it in the handler
    "#);
}

#[test]
fn a_finding_weighs_what_it_weighs_for_the_chosen_clients() {
    let rule = lint::rules().find(|rule| rule.id == "root-combinator").unwrap();
    for (target, is_error) in [(Target::Openai, Some(true)), (Target::Vscode, Some(false)), (Target::Cursor, None)] {
        let found = linted(rule.wrong, &[target]).found;
        let finding = found.sorted().into_iter().find(|finding| finding.code().to_string() == rule.id);
        assert_eq!(finding.map(mcp_codegen::diagnostic::Diagnostic::is_error), is_error, "{target:?}");
    }
}

/// An author can copy what `help` says, whichever way the schema is written.
#[test]
fn an_edit_is_spelled_as_the_schema_is() {
    let schema = r#"{"type": "object", "properties": {"a": {"type": "array", "description": "A"}}}"#;
    let tool = "[[tools]]\nname = \"t\"\ndescription = \"D\"\n";
    let said = |name: &str, role, text: String| {
        let mut sources = Sources::default();
        sources.add(file(name, text, role));
        let linted = lint::lint(&sources, &Config::new().name("s"), &Options::default()).expect("a valid contract");
        linted.found.render(&sources, Format::Plain)
    };
    let table = r#"inputSchema = { type = "object", properties = { a = { type = "array", description = "A" } } }"#;
    let said_of_table = said("a.toml", Role::Toml, format!("format = 1\n{tool}{table}\n"));
    assert!(said_of_table.contains("`items = {}` for anything"), "{said_of_table}");
    for text in [format!("'''{schema}'''"), format!("{schema:?}")] {
        let text = said("a.toml", Role::Toml, format!("format = 1\n{tool}inputSchema = {text}\n"));
        assert!(text.contains("`\"items\": {}` for anything"), "{text}");
    }
    let list = format!(r#"{{"tools": [{{"name": "t", "description": "D", "inputSchema": {schema}}}]}}"#);
    let json = said("a.json", Role::Json, list);
    assert!(json.contains("`\"items\": {}` for anything"), "{json}");
}

/// One edit mends it, so that it is told once.
#[test]
fn a_limit_of_the_server_is_one_finding() {
    let tools = ["a", "b", "c"].map(|name| format!("[[tools]]\nname = \"{name}\"\ndescription = \"D\"\n")).concat();
    let own = "[[tools]]\nname = \"own\"\ndescription = \"D\"\nmaxResult = 600000\n";
    let text = format!("[server]\nname = \"s\"\nmaxResult = 500000\n{tools}{own}");
    let found = linted(&text, &[Target::Claude]).found;
    let messages: Vec<String> = found.sorted().iter().map(|finding| finding.message().to_owned()).collect();
    assert_eq!(messages.len(), 2, "{messages:?}");
    assert!(messages[0].starts_with("a result of 3 tools may have 500000 bytes"), "{messages:?}");
    assert!(messages[1].starts_with("a result of `own` may have 600000 bytes"), "{messages:?}");
}

#[test]
fn a_mode_has_the_rules_of_its_base() {
    let rule = lint::rules().find(|rule| rule.id == "tool-name-characters").unwrap();
    assert!(breaks(rule, rule.wrong, &[Target::OpenaiStrict]));
}

#[test]
fn lengths_are_counted_with_the_prefix_of_each_client() {
    let contract = |length: usize| {
        format!(
            "[server]\nname = \"enterprise-database\"\n[[tools]]\nname = \"{}\"\ndescription = \"D\"\n",
            "t".repeat(length)
        )
    };
    // Claude Code adds 7 characters, Gemini CLI 5, and Cursor none; the server's name has 19.
    for (target, most) in [(Target::Claude, 38), (Target::Cursor, 41), (Target::Gemini, 39)] {
        let over = |length| {
            let found = linted(&contract(length), &[target]).found;
            let helps: Vec<String> = found.sorted().iter().map(|finding| json(finding, "help")).collect();
            helps
        };
        assert_eq!(over(most), Vec::<String>::new(), "{target:?}");
        assert_eq!(over(most + 1), ["shorten it by 1 character"], "{target:?}");
        assert_eq!(over(most + 2), ["shorten it by 2 characters"], "{target:?}");
    }
}

#[test]
fn a_cut_is_shown_where_it_falls() {
    let text = format!("{}CUT", "x".repeat(2048));
    let contract = format!("[[tools]]\nname = \"t\"\ndescription = \"{text}\"\n");
    let (sources, linted) = run(&format!("format = 1\n{contract}"), &[Target::Claude], &[]);
    let found = linted.found.sorted().into_iter().find(|finding| finding.code().to_string() == "long-description");
    let span = found.expect("a finding").span();
    assert_eq!(&sources.file(span.file).text[span.start as usize..span.end as usize], "CUT");
}

#[test]
fn hidden_characters_are_found_wherever_text_stands() {
    let hidden = '\u{202e}';
    for contract in [
        format!("[[tools]]\nname = \"t\"\ndescription = \"a{hidden}b\""),
        format!("[[tools]]\nname = \"t\"\ndescription = \"D\"\ntitle = \"a{hidden}b\""),
        format!(
            "[[tools]]\nname = \"t\"\ndescription = \"D\"\nargs.a = {{ enum = [\"a{hidden}b\"], description = \"D\" }}"
        ),
        format!(
            "[[tools]]\nname = \"t\"\ndescription = \"D\"\nargs.\"a{hidden}\" = {{ type = \"string\", description = \"D\" }}"
        ),
        format!(
            "[[tools]]\nname = \"t\"\ndescription = \"D\"\n[tools.output]\na = {{ type = \"string\", description = \"{hidden}\" }}"
        ),
        format!("[[prompts]]\nname = \"p\"\nmessages = [{{ role = \"user\", text = \"a{hidden}b\" }}]"),
        format!("[[resources]]\nname = \"r\"\nuri = \"x:r\"\ndescription = \"a{hidden}b\""),
        format!("[server]\nname = \"s\"\ninstructions = \"a{hidden}b\""),
        format!("[server]\nname = \"s\"\ntitle = \"a{hidden}b\""),
    ] {
        let (sources, linted) = run(&format!("format = 1\n{contract}\n"), &[Target::Cursor], &[]);
        let finding =
            linted.found.sorted().into_iter().find(|finding| finding.code().to_string() == "hidden-character");
        let span = finding.unwrap_or_else(|| panic!("not found: {contract:?}")).span();
        let place = &sources.file(span.file).text[span.start as usize..span.end as usize];
        assert!(place.contains(hidden), "{contract:?}: {place:?}");
    }
}

#[test]
fn text_of_any_script_and_emoji_hide_nothing() {
    let contract = "[[tools]]\nname = \"t\"\ndescription = \"می‌خواهم 👩‍💻 ❤️ 日本 Größe\"";
    assert!(linted(contract, &[Target::Cursor]).found.is_empty());
}

#[test]
fn an_allowance_silences_one_rule_on_one_feature() {
    let contract =
        "[[tools]]\nname = \"a\"\nallow = { \"missing-description\" = \"obvious\" }\n[[tools]]\nname = \"b\"\n";
    let found = linted(contract, &[]).found;
    let messages: Vec<&str> = found.sorted().iter().map(|finding| finding.message()).collect();
    assert_eq!(messages, ["`b` has no description"]);
}

#[test]
fn an_allowance_on_the_server_and_one_on_the_command_line_hold_everywhere() {
    let tools = "[[tools]]\nname = \"a\"\n[[tools]]\nname = \"b\"\n";
    let server = format!("[server]\nname = \"s\"\nallow = {{ \"missing-description\" = \"obvious\" }}\n{tools}");
    assert!(linted(&server, &[]).found.is_empty());
    let (_, linted) = run(&format!("format = 1\n{tools}"), &[], &["missing-description".to_owned()]);
    assert!(linted.found.is_empty());
}

#[test]
fn an_allowance_is_unused_only_where_its_rule_was_looked_at() {
    let contract = "[[tools]]\nname = \"a\"\ndescription = \"A\"\nallow = { \"tool-count\" = \"few hosts\" }\n";
    for (target, count) in [(Target::Cursor, 1), (Target::Gemini, 0)] {
        assert_eq!(linted(contract, &[target]).found.sorted().len(), count, "{target:?}");
    }
}

#[test]
fn tokens_grow_with_the_text() {
    let one = linted("[[tools]]\nname = \"a\"\ndescription = \"…900 characters…\"\n", &[]).tokens;
    let (cost, total) = (one.tools[0].tokens, one.total());
    assert_eq!((cost, total), (214, cost), "900 bytes, the name, and the schema of no arguments");
    let two = linted("[server]\nname = \"s\"\ninstructions = \"…90 characters…\"\n[[tools]]\nname = \"a\"\ndescription = \"…900 characters…\"\n", &[]).tokens;
    assert_eq!(two.total(), cost + 20);
}

/// Other people's contracts, which are not part of the repository.
#[test]
fn what_real_servers_offer_is_looked_at_without_a_panic() {
    let Some(servers) = support::shared("corpus/servers") else { return };
    let targets: Vec<Target> = Target::ALL.iter().map(|(_, target)| *target).collect();
    let (mut servers_with_findings, mut tools) = (0, 0);
    for entry in fs::read_dir(servers).unwrap() {
        let sources = load::load(&entry.unwrap().path()).unwrap();
        let mut options = Options::default();
        options.targets.clone_from(&targets);
        let linted = lint::lint(&sources, &Config::new(), &options);
        let linted = linted.unwrap_or_else(|found| panic!("{}", found.render(&sources, Format::Plain)));
        servers_with_findings += usize::from(!linted.found.is_empty());
        tools += linted.tokens.tools.len();
        for format in [Format::Plain, Format::Json] {
            assert!(!linted.found.render(&sources, format).is_empty());
        }
    }
    assert_eq!((servers_with_findings, tools), (76, 3119));
}

fn breaks(rule: &Rule, example: &str, targets: &[Target]) -> bool {
    linted(example, targets).found.sorted().iter().any(|finding| finding.code().to_string() == rule.id)
}

/// Looks at a contract that lacks `format = 1`.
fn linted(example: &str, targets: &[Target]) -> Linted {
    run(&expand(example), targets, &[]).1
}

fn run(text: &str, targets: &[Target], allow: &[String]) -> (Sources, Linted) {
    let mut sources = Sources::default();
    sources.add(file("contract.toml", text.to_owned(), Role::Toml));
    let mut options = Options::default();
    options.targets = targets.to_vec();
    options.allow = allow.to_vec();
    let linted = lint::lint(&sources, &Config::new(), &options);
    let fail = |found: Diagnostics| panic!("{text}\n{}", found.render(&sources, Format::Plain));
    let linted = linted.unwrap_or_else(fail);
    (sources, linted)
}

fn file(name: &str, text: String, role: Role) -> SourceFile {
    SourceFile { name: name.to_owned(), path: name.into(), text, role }
}

/// A finding's value for programs.
fn json(finding: &mcp_codegen::diagnostic::Diagnostic, key: &str) -> String {
    let value: serde_json::Value =
        serde_json::from_str(&finding.render(&Sources::default(), Format::Json)).expect("JSON");
    value[key].as_str().unwrap_or_default().to_owned()
}

/// The example as a contract: see [`Rule::wrong`] for its marks.
fn expand(example: &str) -> String {
    let mut text = String::from("format = 1\n\n");
    match example.split_once("# … ") {
        Some((block, rest)) => {
            let count: usize = rest.trim_end_matches(" of them").parse().expect("a count");
            (1..=count).for_each(|number| text.push_str(&block.replace("_1\"", &format!("_{number}\""))));
        }
        None => text.push_str(example),
    }
    with_lengths(text)
}

/// Puts a text of that length in the place of each `…N characters…`.
fn with_lengths(mut text: String) -> String {
    while let Some((before, rest)) = text.split_once('…') {
        let (mark, after) = rest.split_once('…').expect("a mark");
        let count: usize = mark.trim_end_matches(" characters").parse().expect("a count");
        text = format!("{before}{}{after}", "x".repeat(count));
    }
    text
}
