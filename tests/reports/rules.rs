//! Rules about names, which stand in no schema that clients see: whoever breaks one is told which.

use serde_json::json;

use crate::{accepted, client, refused};

#[tokio::test]
async fn a_broken_rule_is_named_in_words() {
    for (arguments, told) in [
        (json!({}), "arguments: give exactly one of `cash`, `card`"),
        (
            json!({ "cash": 1, "card": "a", "code": "s" }),
            "arguments: give exactly one of `cash`, `card`; there are `cash` and `card`",
        ),
        (json!({ "card": "a" }), "/code: missing; it is needed, as `card` is there"),
        (
            json!({ "cash": 1, "coupon": "a", "member": "b" }),
            "arguments: `coupon` and `member` exclude each other; leave one out",
        ),
    ] {
        let expected = format!("invalid arguments for `pay`:\n- {told}");
        assert_eq!(refused("pay", arguments).await, expected);
    }
    let told = refused("pay", json!({ "cash": 1, "card": "a", "coupon": 5.5, "member": null })).await;
    assert!(told.contains("exactly one") && told.contains("/code"), "all at once: {told}");
}

#[tokio::test]
async fn null_for_an_argument_that_a_rule_forbids_is_absence() {
    assert!(
        accepted("pay", json!({ "cash": "1", "card": null, "coupon": null, "member": "b" }))
            .await
            .contains("cash: Some(1)")
    );
}

#[tokio::test]
async fn rules_stand_in_the_description_and_in_no_keyword() {
    let tools = client().tools().await.expect("a list");
    let pay = tools.iter().find(|tool| tool["name"] == "pay").expect("the tool");
    let text = pay["description"].as_str().expect("a description");
    for word in ["`cash`", "`card`", "`code`", "`coupon`", "`member`"] {
        assert!(text.contains(word), "{text}");
    }
    assert!(pay["inputSchema"].get("allOf").is_none());
}
