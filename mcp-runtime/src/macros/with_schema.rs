//! The feature `schema` is on.

/// Stops the build where generated code needs the feature `schema` of this crate, and it is off.
#[doc(hidden)]
#[macro_export]
macro_rules! require_schema {
    () => {};
}
