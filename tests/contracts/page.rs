//! `docs`: a page that has all of the contract, and nothing that could run.

use mcp_codegen::Config;
use mcp_codegen::docs::Docs;
use mcp_codegen::load;
use support::Sandbox;

/// A contract whose every text wants to be markup.
const HOSTILE: &str = r##"format = 1

[server]
name = "hostile"
version = "</title><script>alert(1)</script>"
title = "</title><script>alert(1)</script>"
description = "a </script><img src=x onerror=alert(1)> \u202E reversed"
websiteUrl = "javascript:alert(1)"
instructions = "# heading\n- item *b* [x](javascript:alert(1)) `code` <b>"

[[tools]]
name = "x"
title = "\"><script>alert(2)</script>"
description = "`</code><script>alert(3)</script>` | pipe\n\n--></style></script>"

[tools.args]
"</code><b>" = { type = "string", default = "</pre><script>alert(4)</script>", description = "```\nfence" }
tree = { ref = "Node", required = true, description = "A tree" }
shape = { oneOf = [{ properties = { kind = { const = "circle", required = true }, radius = { type = "number", exclusiveMinimum = 0 } } }, { properties = { kind = { const = "square", required = true } } }] }
token = { type = "string", secret = true, minLength = 1, maxLength = 64 }
map = { type = "object", additionalProperties = { type = "array", items = { type = "integer", minimum = 3 } } }

[defs.Node]
label = { type = "string", required = true }
children = { type = "array", items = { ref = "Node" } }

[[resources]]
uri = "x:</code>"
name = "</h3>"
text = "</pre><script>alert(5)</script>"
"##;

fn docs(contract: &str) -> Docs {
    let sandbox = Sandbox::new();
    sandbox.write("specs/weather.toml", contract);
    let sources = load::load(&sandbox.path("specs")).expect("a contract");
    Docs::read(&sources, &Config::new()).unwrap_or_else(|found| panic!("{found:?}"))
}

fn snapshot(name: &str, text: &str) {
    insta::with_settings!({ omit_expression => true, prepend_module_to_snapshot => false, snapshot_path => "../snapshots" }, {
        insta::assert_snapshot!(name, text);
    });
}

/// A page without its style and script.
fn body(html: &str) -> &str {
    let start = html.find("<body>").expect("a body");
    &html[start..html.rfind("<script>").expect("the script")]
}

#[test]
fn the_markdown_of_a_hostile_contract_is_text() {
    snapshot("docs-hostile.md", &docs(HOSTILE).to_markdown().unwrap());
}

#[test]
fn the_html_of_a_hostile_contract_is_text() {
    let html = docs(HOSTILE).to_html().unwrap();
    snapshot("docs-hostile.html", body(&html));
    assert_eq!(html.matches("<script").count(), 1, "our own script, and no other");
    assert!(!html.contains("onerror=alert(1)>") && !html.contains("href=\"javascript"));
    assert!(!html.contains('\u{202e}'), "what turns the direction of text is written as its number");
}

#[test]
fn a_page_of_every_kind_of_feature() {
    let sources = load::load(&support::workspace().join("specs/valid/all-kinds.toml")).unwrap();
    let docs = Docs::read(&sources, &Config::new()).unwrap();
    snapshot("docs-all-kinds.md", &docs.to_markdown().unwrap());
    snapshot("docs-all-kinds.html", body(&docs.to_html().unwrap()));
}

/// What a page would load by itself. Links that a reader follows are no such thing.
#[test]
fn a_page_loads_nothing() {
    let website = "websiteUrl = \"https://example.com/\"\nicons = [{ src = \"https://example.com/x.png\" }]\nversion";
    let html = docs(&support::WEATHER.replace("version", website)).to_html().unwrap();
    assert!(html.contains("<a href=\"https://example.com/\" rel=\"noopener noreferrer\">"), "{html}");
    for loads in [" src=", "<link", "@import", "url(", "fetch(", "XMLHttpRequest", "<img", "<iframe", "<object"] {
        assert!(!html.contains(loads), "{loads}");
    }
    let policy = "default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-";
    assert!(html.contains(policy), "a browser holds the page to that, too");
}

#[test]
fn every_link_inside_a_page_leads_somewhere() {
    let html = docs(HOSTILE).to_html().unwrap();
    let targets = html.split(" href=\"#").skip(1).filter_map(|rest| rest.split('"').next());
    let targets: Vec<&str> = targets.collect();
    assert!(targets.len() > 5, "{targets:?}");
    for target in targets {
        assert!(html.contains(&format!(" id=\"{target}\"")), "{target}");
    }
}

#[test]
fn published_servers_become_pages() {
    let Some(servers) = support::shared("corpus/servers") else { return };
    for entry in std::fs::read_dir(servers).unwrap() {
        let path = entry.unwrap().path();
        let sources = load::load(&path).unwrap();
        let docs = Docs::read(&sources, &Config::new().name("server"))
            .unwrap_or_else(|found| panic!("{}: {found:?}", path.display()));
        let html = docs.to_html().unwrap();
        assert_eq!(html.matches("<script").count(), 1, "{}", path.display());
        assert!(!docs.to_markdown().unwrap().is_empty());
    }
}

#[test]
fn the_file_says_what_is_written() {
    let sandbox = Sandbox::new();
    for (file, begins) in [("a.html", "<!DOCTYPE html>"), ("a.md", "# weather 1.0.0\n")] {
        let run = sandbox.run(&["docs", "specs", "-o", file]);
        assert_eq!((run.code, run.stderr), (Some(0), format!("wrote `{file}`\n")));
        assert!(sandbox.read(file).starts_with(begins), "{}", sandbox.read(file));
        assert_eq!(sandbox.run(&["docs", "specs", "-o", file]).stderr, format!("nothing to change in `{file}`\n"));
    }
    assert_eq!(sandbox.run(&["docs", "specs"]).stdout, sandbox.read("a.md"));
    assert_eq!(sandbox.run(&["docs", "specs", "--as", "html"]).stdout, sandbox.read("a.html"));
    assert_eq!(sandbox.run(&["docs", "specs", "-o", "a.pdf"]).code, Some(2));
    sandbox.write("specs/weather.toml", "format = 1\n[[tools]]\n");
    assert_eq!(sandbox.run(&["docs", "specs", "-o", "b.html"]).code, Some(1));
    assert!(!sandbox.path("b.html").exists());
}

#[test]
fn an_address_that_is_none_becomes_no_link() {
    let sandbox = Sandbox::new();
    let address = r"https://x/ <img src=x onerror=alert(1)>\n\n# H";
    sandbox.write("page.toml", &format!("format = 1\n[server]\nname = \"s\"\nwebsiteUrl = \"{address}\"\n"));
    for kind in ["html", "markdown"] {
        let run = sandbox.run(&["docs", "page.toml", "--as", kind]);
        assert!(run.code == Some(0) && !run.stdout.contains("<img"), "{}{}", run.stdout, run.stderr);
    }
}
