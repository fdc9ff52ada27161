//! Serving a subset of the contract.

use mcp_runtime::testing::Client;
use mcp_runtime::{Revision, Server};
use serde_json::json;

use crate::travel::Travel;
use crate::{ERAS, api};

fn only(groups: &[&str], revision: Revision) -> Client {
    Client::new(Server::new(api::service(Travel)).only(groups.iter().copied())).revision(revision)
}

#[tokio::test]
async fn what_is_in_no_served_group_is_unknown() {
    for era in ERAS {
        let mut client = only(&["reading"], era);
        assert_eq!(client.tools().await.expect_err("as the protocol says").code, -32_601);
        assert_eq!(
            client.call("book", json!({ "city": "Oslo" })).await.expect_err("as the protocol says").code,
            -32_601
        );
        let resources = client.resources().await.expect("as the protocol says");
        assert_eq!((resources.len(), &resources[0]["uri"]), (1, &json!("travel://news")));
        assert_eq!(client.prompts().await.expect("as the protocol says")[0]["name"], "plan");
        assert!(client.read("travel://news").await.is_ok());
        // neither has a group
        assert!(client.read("travel://terms").await.is_err());
        assert!(client.render("postcard", json!({ "type": "x" })).await.is_err());
        assert!(client.complete_prompt("postcard", "type", "").await.is_err());
    }
    let mut client = only(&["booking"], Revision::NEWEST_WITH_SESSION);
    assert_eq!(client.prompts().await.expect_err("as the protocol says").code, -32_601);
    assert_eq!(client.complete_prompt("plan", "city", "").await.expect_err("as the protocol says").code, -32_601);
    assert_eq!(
        client.call("book", json!({ "city": "Oslo" })).await.expect("as the protocol says").text(),
        "booked Oslo"
    );
}

#[tokio::test]
async fn a_template_that_is_not_served_hides_no_other() {
    let mut all = Client::new(api::service(Travel));
    assert_eq!(all.read("travel://secret/Oslo").await.expect("as the protocol says")[0]["text"], "the secret of Oslo");
    let mut reading = only(&["reading"], Revision::NEWEST_WITH_SESSION);
    assert_eq!(reading.read("travel://secret/Oslo").await.expect("as the protocol says")[0]["text"], "Oslo in secret");
}

#[tokio::test]
async fn several_groups_are_served_together() {
    let mut client = only(&["reading", "booking"], Revision::NEWEST_WITH_SESSION);
    assert_eq!(client.tools().await.expect("as the protocol says").len(), 1);
    assert_eq!(client.resource_templates().await.expect("as the protocol says").len(), 2);
}

#[tokio::test]
async fn a_group_that_is_nobodys_stops_the_start() {
    let error = only(&["raeding"], Revision::NEWEST_WITH_SESSION).close().await.expect_err("as the protocol says");
    assert_eq!(error.to_string(), "no feature is in the group `raeding`; there are `booking`, `reading`");
}
