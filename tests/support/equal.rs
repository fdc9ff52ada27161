//! Equality of JSON values, as JSON Schema has it.

use serde_json::Value;

/// Whether what was written again is what was read: `1` is `1.0`, and what was filled in for an absent member counts
/// as absent.
#[must_use]
pub fn is_kept(read: &Value, written: &Value) -> bool {
    match (read, written) {
        (Value::Number(read), Value::Number(written)) => read == written || read.as_f64() == written.as_f64(),
        (Value::Array(read), Value::Array(written)) => {
            read.len() == written.len() && read.iter().zip(written).all(|(read, written)| is_kept(read, written))
        }
        (Value::Object(read), Value::Object(written)) => {
            read.iter().all(|(key, read)| written.get(key).is_some_and(|written| is_kept(read, written)))
        }
        (read, written) => read == written,
    }
}
