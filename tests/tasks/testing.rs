//! Tasks as a user of `mcp_runtime::testing` meets them.

use mcp_runtime::Revision;
use mcp_runtime::testing::{Client, check_examples};
use serde_json::json;

use crate::jobs::Jobs;
use crate::{api, nothing};

#[tokio::test]
async fn a_client_in_the_process_follows_a_task() {
    for revision in [Revision::NEWEST_WITH_SESSION, Revision::V2026_07_28] {
        let mut client = Client::new(api::service(Jobs::default())).revision(revision);
        let written = client.call_as_task("write", json!({ "bytes": 2 })).await.expect("a result");
        assert_eq!(written.text(), "xx");
        let failed = client.call_as_task("fail", nothing()).await.expect("a result");
        assert!(failed.is_error());
        assert_eq!(client.call_as_task("measure", nothing()).await.expect_err("an error").code, -32_603);
        assert_eq!(client.call("compute", json!({ "millis": 80 })).await.expect("a result").text(), "done");
    }
}

/// The example of a tool that runs as a task only is a test, too.
#[tokio::test]
async fn examples_of_tasks_are_checked() {
    check_examples(api::service(Jobs::default())).await.expect("the handler does as the contract shows");
}
