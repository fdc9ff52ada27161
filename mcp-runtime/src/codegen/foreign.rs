//! Types of the author's, by way of serde.

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::json::Fault;

/// Makes one of a text.
///
/// # Errors
///
/// If the type refuses the text.
pub fn from_text<T: DeserializeOwned>(text: impl Into<String>) -> Result<T, Fault> {
    serde_json::from_value(Value::String(text.into())).map_err(|_| Fault::new("a text that its type does not accept"))
}

/// Makes JSON of one; what serde cannot write becomes null.
pub fn to_value<T: Serialize>(value: &T) -> Value {
    serde_json::to_value(value).unwrap_or_default()
}
