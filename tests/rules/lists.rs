//! §14, and what is common to all lists.

use mcp_runtime::Revision;
use serde_json::{Value, json};

use crate::peer::Peer;

const LISTS: [(&str, &str); 4] = [
    ("tools/list", "tools"),
    ("resources/list", "resources"),
    ("resources/templates/list", "resourceTemplates"),
    ("prompts/list", "prompts"),
];

/// PG1 PG2 T4
#[tokio::test]
async fn pages_hold_what_the_contract_says_in_its_order_each_time() {
    let declared = [
        vec!["echo", "contents", "names", "talk", "act", "grind"],
        vec!["plan", "pixel", "deed", "rooms"],
        vec!["room", "path", "safe"],
        vec!["greet", "rules", "leave"],
    ];
    for revision in Revision::ALL {
        let mut peer = Peer::of(revision).await;
        for ((method, member), declared) in LISTS.into_iter().zip(&declared) {
            let pages = peer.pages(method, member).await;
            let names: Vec<Vec<&str>> = pages.iter().map(|page| page.iter().map(name).collect()).collect();
            let expected: Vec<Vec<&str>> = declared.chunks(2).map(<[_]>::to_vec).collect();
            assert_eq!(names, expected, "{revision}: {method}");
            assert_eq!(peer.pages(method, member).await, pages);
        }
    }
}

fn name(entry: &Value) -> &str {
    entry["name"].as_str().expect("a name")
}

/// PG1 PG2
#[tokio::test]
async fn a_cursor_that_no_page_has_named_is_refused_and_holds_in_another_instance() {
    for revision in Revision::ALL {
        let mut peer = Peer::of(revision).await;
        let cursor = peer.result("tools/list", json!({})).await["nextCursor"].take();
        assert!(cursor.is_string(), "{cursor}");
        for wrong in [json!(""), json!("99"), json!("-1"), json!("x"), json!(2), json!([])] {
            for (method, _) in LISTS {
                assert_eq!(peer.error(method, json!({ "cursor": wrong })).await["code"], -32_602, "{method} {wrong}");
            }
        }
        let mut other = Peer::of(revision).await;
        assert_eq!(name(&other.result("tools/list", json!({ "cursor": cursor })).await["tools"][0]), "names");
    }
}

/// LC4 T2 RS2 RS3 P1 G2 G3
#[tokio::test]
async fn a_revision_sees_the_members_that_it_knows() {
    let (old, words, icons) = (Revision::V2025_03_26, Revision::V2025_06_18, Revision::V2025_11_25);
    for revision in Revision::ALL {
        let mut peer = Peer::of(revision).await;
        let has = |entry: &Value, since: &[(&str, Revision)]| {
            for (key, since) in since {
                assert_eq!(entry.get(key).is_some(), revision >= *since, "{revision}: {key} in {entry}");
            }
        };
        let tools = peer.list("tools/list", "tools").await;
        let first = Revision::V2024_11_05;
        has(&tools[0], &[("description", first), ("inputSchema", first), ("annotations", old), ("title", words)]);
        has(&tools[0], &[("outputSchema", words), ("_meta", words), ("icons", icons)]);
        // what is no object was no output before
        has(&tools[2], &[("outputSchema", Revision::V2026_07_28)]);
        let resources = peer.list("resources/list", "resources").await;
        has(
            &resources[0],
            &[("mimeType", first), ("size", first), ("annotations", first), ("title", words), ("icons", icons)],
        );
        let templates = peer.list("resources/templates/list", "resourceTemplates").await;
        has(&templates[0], &[("uriTemplate", first), ("mimeType", first), ("title", words)]);
        let prompts = peer.list("prompts/list", "prompts").await;
        has(&prompts[0], &[("description", first), ("arguments", first), ("title", words)]);
        has(&prompts[0]["arguments"][0], &[("name", first), ("required", first), ("title", words)]);
    }
}
