//! The feature `pattern` is off.

/// Stops the build where generated code needs the feature `pattern` of this crate, and it is off.
#[doc(hidden)]
#[macro_export]
macro_rules! require_pattern {
    () => {
        ::core::compile_error!(
            "this contract has `pattern`s that need an engine: enable the feature `pattern` of mcp-runtime \
             (`cargo add mcp-runtime --features pattern`)"
        );
    };
}
