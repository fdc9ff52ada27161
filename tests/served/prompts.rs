//! Prompts: rendered, or refused with the argument that is at fault.

use mcp_runtime::testing::Client;
use serde_json::json;

use crate::travel::Travel;
use crate::{ERAS, api};

#[tokio::test]
async fn the_argument_at_fault_is_named_with_a_handler_and_without() {
    for era in ERAS {
        let mut client = Client::new(api::service(Travel)).revision(era);
        for (prompt, arguments, word) in [
            ("plan", json!({ "country": "Italy" }), "missing argument `city`"),
            ("plan", json!({ "country": "Italy", "city": "Rome", "town": "x" }), "unknown argument `town`"),
            ("postcard", json!({}), "missing argument `type`"),
            ("postcard", json!({ "type": "a", "kind": "b" }), "unknown argument `kind`"),
        ] {
            let error = client.render(prompt, arguments).await.expect_err("the arguments do not fit");
            assert!(error.code == -32602 && error.message.ends_with(word), "{error:?}");
        }
    }
}
