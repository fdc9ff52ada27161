//! Lists that are served page by page.

use mcp_runtime::Server;
use mcp_runtime::testing::Client;
use serde_json::{Value, json};

use crate::travel::Travel;
use crate::{ERAS, api};

fn names(list: &Value) -> Vec<&str> {
    list.as_array().into_iter().flatten().filter_map(|one| one["name"].as_str()).collect()
}

#[tokio::test]
async fn a_server_chooses_the_size_of_its_pages() {
    for era in ERAS {
        let mut whole = Client::new(api::service(Travel)).revision(era);
        let whole = whole.request("prompts/list", json!({})).await.expect("a list");
        assert_eq!((names(&whole["prompts"]), whole.get("nextCursor")), (vec!["plan", "postcard"], None));

        let mut paged = Client::new(Server::new(api::service(Travel)).page_size(1)).revision(era);
        let first = paged.request("prompts/list", json!({})).await.expect("a page");
        assert_eq!(names(&first["prompts"]), ["plan"]);
        let second = paged.request("prompts/list", json!({ "cursor": first["nextCursor"] })).await.expect("a page");
        assert_eq!((names(&second["prompts"]), second.get("nextCursor")), (vec!["postcard"], None));
        for cursor in ["", "0", "2", "x"] {
            let refused = paged.request("prompts/list", json!({ "cursor": cursor })).await.expect_err("no such page");
            assert_eq!(refused.code, -32_602, "{cursor}");
        }
    }
}

#[tokio::test]
async fn no_page_is_empty() {
    let mut client = Client::new(Server::new(api::service(Travel)).page_size(0));
    let first = client.request("prompts/list", json!({})).await.expect("a page");
    assert_eq!(names(&first["prompts"]), ["plan"]);
}
