//! A client in the same process, for tests: no program, no socket, and every message goes the way that it goes in
//! earnest.
//!
//! ```
//! use mcp_runtime::Service;
//! use mcp_runtime::testing::Client;
//! use serde_json::json;
//!
//! // #[tokio::test], with the generated `api::service(…)`
//! async fn the_forecast_for_oslo_is_rain(service: impl Service) {
//!     let mut client = Client::new(service);
//!     let forecast = client.call("get_weather", json!({ "city": "Oslo" })).await.unwrap();
//!     assert_eq!(forecast.structured().unwrap()["conditions"], "rain");
//!     let refused = client.call("get_weather", json!({ "city": "" })).await.unwrap();
//!     assert!(refused.is_error() && refused.text().contains("city"));
//! }
//! ```
//!
//! The examples of the contract are tests that somebody has written already: [`check_examples`] runs them all.

mod answer;
mod client;
mod examples;
mod tasks;

pub use self::answer::{CallResult, ErrorAnswer};
pub use self::client::Client;
pub use self::examples::{Mismatches, check_examples};
