//! §7 and §8: what stands in every result, and the codes of errors.

use mcp_runtime::{ErrorCode, Revision};
use serde_json::{Value, json};

use crate::ERAS;
use crate::peer::Peer;

/// What can be cached, and what cannot.
fn requests() -> [(&'static str, Value, bool); 8] {
    [
        ("tools/list", json!({}), true),
        ("prompts/list", json!({}), true),
        ("resources/list", json!({}), true),
        ("resources/templates/list", json!({}), true),
        ("resources/read", json!({ "uri": "house://plan" }), true),
        ("resources/read", json!({ "uri": "house://1/hall" }), true),
        ("tools/call", json!({ "name": "contents" }), false),
        ("prompts/get", json!({ "name": "rules" }), false),
    ]
}

/// R1 R3 R5 R6
#[tokio::test]
async fn a_stateless_result_says_that_it_is_complete_and_how_long_it_may_be_kept() {
    let mut peer = Peer::of(Revision::V2026_07_28).await;
    for (method, params, is_cached) in requests() {
        let result = peer.result(method, params).await;
        assert_eq!(result["resultType"], "complete", "{method}");
        let caching = is_cached.then(|| (json!(60_000), json!("public")));
        assert_eq!(result.get("ttlMs").cloned().zip(result.get("cacheScope").cloned()), caching, "{method}");
    }
}

/// R2
#[tokio::test]
async fn sessions_hear_nothing_of_that() {
    for revision in Revision::ALL.into_iter().filter(|revision| !revision.is_stateless()) {
        let mut peer = Peer::of(revision).await;
        for (method, params, _) in requests() {
            let result = peer.result(method, params).await;
            for key in ["resultType", "ttlMs", "cacheScope"] {
                assert_eq!(result.get(key), None, "{revision}: {method}");
            }
        }
    }
}

/// R4 PG1
#[tokio::test]
async fn all_pages_of_a_list_may_be_kept_by_the_same() {
    let mut peer = Peer::of(Revision::V2026_07_28).await;
    let mut cursor = json!({});
    for _ in 0..3 {
        let page = peer.result("tools/list", cursor).await;
        assert_eq!(page["cacheScope"], "public");
        cursor = json!({ "cursor": page["nextCursor"] });
    }
    assert_eq!(cursor["cursor"], Value::Null, "three pages of two");
}

/// X1 X2
#[test]
fn no_code_is_sent_but_those_of_the_protocol() {
    use ErrorCode::{
        InternalError, InvalidParams, InvalidRequest, MethodNotFound, MissingClientCapability, ParseError,
        ResourceNotFound, UnsupportedProtocolVersion,
    };
    let codes = [
        (ParseError, -32_700),
        (InvalidRequest, -32_600),
        (MethodNotFound, -32_601),
        (InvalidParams, -32_602),
        (InternalError, -32_603),
        (ResourceNotFound, -32_002),
        (MissingClientCapability, -32_021),
        (UnsupportedProtocolVersion, -32_022),
    ];
    for (code, number) in codes {
        assert_eq!(code.code(), number);
    }
}

/// RS5 X1
#[tokio::test]
async fn the_code_of_an_unknown_resource_is_that_of_its_era() {
    for (era, code) in ERAS.into_iter().zip([-32_002, -32_602]) {
        let mut peer = Peer::of(era).await;
        for uri in ["house:nowhere", "house://1/none"] {
            let error = peer.error("resources/read", json!({ "uri": uri })).await;
            assert_eq!((&error["code"], &error["data"]["uri"]), (&json!(code), &json!(uri)));
        }
    }
}
