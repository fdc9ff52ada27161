//! Progress: paced, and only for those who asked.

use mcp_runtime::testing::Client;
use serde_json::{Value, json};

use crate::travel::Travel;
use crate::{ERAS, api};

#[tokio::test]
async fn notices_are_few_and_the_last_one_comes_before_the_answer() {
    for era in ERAS {
        let mut client = Client::new(api::service(Travel)).revision(era);
        let meta = json!({ "progressToken": "t" });
        let params = json!({ "name": "count", "arguments": { "to": 100_000 }, "_meta": meta });
        assert_eq!(
            client.request("tools/call", params).await.expect("as the protocol says")["content"][0]["text"],
            "done"
        );
        let heard = client.unasked();
        let steps: Vec<f64> = heard.iter().filter_map(|message| message["params"]["progress"].as_f64()).collect();
        assert!(heard.len() < 200 && steps.is_sorted(), "{steps:?}");
        assert_eq!(steps.last(), Some(&100_000.0));
        assert!(heard.iter().all(|message| message["params"]["progressToken"] == "t"));
    }
}

#[tokio::test]
async fn nobody_hears_of_progress_unasked() {
    for era in ERAS {
        let mut client = Client::new(api::service(Travel)).revision(era);
        client.call("count", json!({ "to": 5 })).await.expect("as the protocol says");
        assert_eq!(client.unasked(), Vec::<Value>::new());
    }
}
