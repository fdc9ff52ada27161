//! Formats that the contract or the configuration asserts, or gives a type.

use std::net::{Ipv4Addr, Ipv6Addr};

use mcp_runtime::codegen::{Decode, Encode, Writer, decode};
use mcp_runtime::testing::Client;
use mcp_runtime::{Context, Field, Server, ToolError, ToolResponse};
use serde_json::{Value, json};

/// What the contract in `served/formats.toml` becomes.
mod api {
    mcp_runtime::include_service!("formats");
}

use api::tools::connect::Args;
use api::tools::{connect, judge};

struct App;

impl api::Connect for App {
    async fn call(&self, args: Args, _: &Context) -> Result<connect::Output, ToolError> {
        Ok(connect::Output { at: args.at.unwrap_or_else(|| "yesterday".to_owned()) })
    }
}

impl api::Judge for App {
    async fn call(&self, _: judge::Args, _: &Context) -> Result<ToolResponse, ToolError> {
        Ok("fine".into())
    }
}

fn accepts<T: Decode>(arguments: &Value) -> bool {
    decode::<T>(&arguments.to_string()).is_ok()
}

#[test]
fn strings_of_an_asserted_format_alone_are_accepted() {
    for (good, bad) in [
        (json!({ "id": "67e55044-10b1-426f-9247-bb680e5fe0c8" }), json!({ "id": "67e55044" })),
        (json!({ "at": "1990-12-31T23:59:60.5Z" }), json!({ "at": "1990-12-31T22:59:60.5Z" })),
        (json!({ "mail": "ada@example.org" }), json!({ "mail": "ada" })),
    ] {
        assert!(accepts::<Args>(&good) && !accepts::<Args>(&bad), "{good} {bad}");
    }
    assert!(!accepts::<Args>(&json!({ "at": "2026-01-01T00:00:00Z" })), "a length beside a format");
    assert!(!accepts::<Args>(&json!({ "mail": "bob@example.org" })), "a pattern beside a format");
    assert!(accepts::<Args>(&json!({ "day": "never" })), "a format that nobody asserts");
}

#[test]
fn the_validator_asserts_the_same_formats() {
    assert!(accepts::<judge::Args>(&json!({ "id": "67e55044-10b1-426f-9247-bb680e5fe0c8", "day": "never" })));
    assert!(accepts::<judge::Args>(&json!({ "id": 7 })), "a format is about strings");
    assert!(!accepts::<judge::Args>(&json!({ "id": "7" })));
}

#[test]
fn a_format_has_its_type_wherever_it_stands() {
    let text = r#"{"hosts":["192.0.2.7"],"names":{"a":"192.0.2.8"},"next":"::1","either":"192.0.2.9","fallback":["192.0.2.1"]}"#;
    let args: Args = decode(text).expect("valid arguments");
    assert_eq!(args.hosts.as_deref(), Some(&[Ipv4Addr::new(192, 0, 2, 7)][..]));
    assert_eq!(args.names.as_ref().and_then(|names| names.get("a")), Some(&Ipv4Addr::new(192, 0, 2, 8)));
    assert_eq!(args.next, Field::Value(Ipv6Addr::LOCALHOST));
    assert_eq!(args.either, Some(connect::Either::String(Ipv4Addr::new(192, 0, 2, 9))));
    let mut written = Vec::new();
    args.encode(&mut Writer::new(&mut written));
    assert_eq!(String::from_utf8_lossy(&written), text);
    for refused in [json!({ "hosts": ["192.0.2"] }), json!({ "next": "192.0.2.1" }), json!({ "names": { "a": "b" } })] {
        assert!(!accepts::<Args>(&refused), "{refused}");
    }
}

#[test]
fn a_key_of_a_map_that_comes_twice_is_refused_whatever_the_values_are() {
    let twice = decode::<Args>(r#"{"names":{"a":"192.0.2.8","a":"192.0.2.9"}}"#);
    assert!(twice.is_err(), "two readers would see two values");
}

#[tokio::test]
async fn the_report_says_what_a_format_looks_like() {
    let mut client = Client::new(Server::new(api::service(App)));
    let refused = client.call("connect", json!({ "id": "7", "mail": "b", "at": "now, or nearly at once" })).await;
    let refused = refused.expect("a result");
    assert!(refused.is_error());
    assert_eq!(
        refused.text(),
        "invalid arguments for `connect`:\n\
         - /id: expected a string of the format uuid, such as 67e55044-10b1-426f-9247-bb680e5fe0c8, got \"7\"\n\
         - /mail: expected a string that matches the pattern ^a, got \"b\"\n\
         - /mail: expected a string of the format email, such as ada@example.org, got \"b\"\n\
         - /at: expected a string of the format date-time, such as 2026-12-01T08:30:00Z, got \"now, or nearly at once\""
    );
}

#[tokio::test]
async fn results_are_held_to_asserted_formats() {
    let mut client = Client::new(Server::new(api::service(App)));
    let good = client.call("connect", json!({ "at": "2026-01-01T00:00:00.5Z" })).await;
    assert!(good.is_ok_and(|result| !result.is_error()));
    assert!(client.call("connect", json!({})).await.is_err(), "`yesterday` is no date-time");
}
