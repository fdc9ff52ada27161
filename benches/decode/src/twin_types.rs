//! What the twins use under the names that generated code has for it.

/// Absent and null are one to plain serde.
pub(crate) type Field<T> = Option<T>;
pub(crate) use serde_json::Value;
/// Members that no schema declares.
pub(crate) type Rest = serde_json::Map<String, Value>;
