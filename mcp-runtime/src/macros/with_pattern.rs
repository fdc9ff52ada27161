//! The feature `pattern` is on.

/// Stops the build where generated code needs the feature `pattern` of this crate, and it is off.
#[doc(hidden)]
#[macro_export]
macro_rules! require_pattern {
    () => {};
}
