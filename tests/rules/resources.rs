//! §11: resources.

use serde_json::{Value, json};

use crate::ERAS;
use crate::peer::Peer;

async fn read(peer: &mut Peer, uri: &str) -> Value {
    peer.result("resources/read", json!({ "uri": uri })).await["contents"].take()
}

/// RS1 RS3 RS4
#[tokio::test]
async fn text_bytes_and_several_of_both_are_read() {
    for era in ERAS {
        let mut peer = Peer::of(era).await;
        let plan = json!([{ "uri": "house://plan", "mimeType": "text/plain", "text": "Two floors." }]);
        assert_eq!(read(&mut peer, "house://plan").await, plan);
        let rooms = json!([
            { "uri": "house://0/hall", "mimeType": "text/plain", "text": "hall" },
            { "uri": "house://0/dark", "mimeType": "image/raw", "blob": "AA==" },
        ]);
        assert_eq!(read(&mut peer, "house://rooms").await, rooms);
        assert_eq!(peer.list("resources/templates/list", "resourceTemplates").await.len(), 3);
    }
}

/// RS4
#[tokio::test]
async fn files_of_the_contract_that_are_no_text_are_blobs() {
    for era in ERAS {
        let mut peer = Peer::of(era).await;
        let pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";
        assert_eq!(
            read(&mut peer, "house://pixel").await,
            json!([{ "uri": "house://pixel", "mimeType": "image/png", "blob": pixel }])
        );
        // text by its bytes, but not by its media type
        let deed = "JVBERiwgYXMgZmFyIGFzIHRoaXMgdGVzdCBpcyBjb25jZXJuZWQK";
        assert_eq!(read(&mut peer, "house://deed").await[0]["blob"], deed);
    }
}

/// RS5 RS6
#[tokio::test]
async fn what_does_not_exist_is_an_error_and_never_empty() {
    for era in ERAS {
        let mut peer = Peer::of(era).await;
        for uri in ["", "house:", "house://", "house://%zz", "HOUSE://plan", "house://%ff", "plan", "house://a?lost=1"]
        {
            let error = peer.error("resources/read", json!({ "uri": uri })).await;
            assert_eq!(error["data"]["uri"], uri, "{error}");
        }
        for failing in ["house://1/broken", "house://1/cursed"] {
            assert_eq!(peer.error("resources/read", json!({ "uri": failing })).await["code"], -32_603);
        }
    }
}

/// RS9
#[tokio::test]
async fn an_exact_uri_comes_first_then_the_templates_in_their_order() {
    for era in ERAS {
        let mut peer = Peer::of(era).await;
        for (uri, text) in [
            ("house://plan", "Two floors."),
            ("house://pla%6E", "plan None [] house://plan"),
            ("house://1/hall", "hall on floor 1"),
            ("house://1/the%20hall%2F%2525", "the hall/%25 on floor 1"),
            // no floor of ours, and no single room: the second template's
            ("house://12/hall", "12/hall None [] house://12/hall"),
            (
                "house://1/hall/desk?tag=a&depth=2&tag=b",
                r#"1/hall/desk Some(2) ["a", "b"] house://1/hall/desk?depth=2&tag=a&tag=b"#,
            ),
        ] {
            assert_eq!(read(&mut peer, uri).await[0]["text"], text, "{uri}");
        }
    }
}

/// RS7
#[tokio::test]
async fn nobody_subscribes_where_nothing_is_told() {
    for era in ERAS {
        let mut peer = Peer::of(era).await;
        for method in ["resources/subscribe", "resources/unsubscribe"] {
            assert_eq!(peer.error(method, json!({ "uri": "house://plan" })).await["code"], -32_601);
        }
    }
}
