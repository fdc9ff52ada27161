//! The digest of the contract, by which a client knows a server again.

use mcp_runtime::{Server, Service};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use crate::api;
use crate::formats::{self, App};
use crate::schemas::Judged;
use crate::travel::Travel;

const KEY: &str = "io.github.mcp-codegen/contract-hash";

/// What a server says in both eras of itself, and of its tools.
async fn told<S: Service>(server: impl Fn() -> Server<S>) -> [Value; 4] {
    let meta = json!({ "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {} });
    let hello =
        json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": { "name": "c", "version": "1" } });
    let (mut session, mut stateless) = (Judged::of(server()), Judged::of(server()));
    let params = json!({ "_meta": meta });
    [
        session.ask(1, "initialize", hello).await,
        session.ask(2, "tools/list", json!({})).await,
        stateless.ask(1, "server/discover", params.clone()).await,
        stateless.ask(2, "tools/list", params).await,
    ]
    .map(|mut answer| answer["result"]["_meta"][KEY].take())
}

#[tokio::test]
async fn clients_of_both_eras_are_told_the_digest_once() {
    let digest = json!(api::CONTRACT_HASH);
    let told = told(|| Server::new(api::service(Travel))).await;
    assert_eq!(told, [digest.clone(), Value::Null, digest, Value::Null]);
}

#[tokio::test]
async fn several_services_have_a_digest_of_their_own_and_order() {
    let both = told(|| Server::new(api::service(Travel)).with(formats::api::service(App::new()))).await;
    let turned = told(|| Server::new(formats::api::service(App::new())).with(api::service(Travel))).await;
    let digest = |first: &str, second: &str| {
        let bytes = Sha256::digest(format!("{first}{second}"));
        json!(bytes.iter().map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().concat())
    };
    let (travel, other) = (api::CONTRACT_HASH, formats::api::CONTRACT_HASH);
    assert_eq!([&both[0], &both[2]], [&digest(travel, other); 2]);
    assert_eq!([&turned[0], &turned[2]], [&digest(other, travel); 2]);
}

#[tokio::test]
async fn a_server_can_keep_its_digest() {
    let told = told(|| Server::new(api::service(Travel)).tell_contract_hash(false)).await;
    assert_eq!(told, [const { Value::Null }; 4]);
}
