//! The feature `schema` is off.

/// Stops the build where generated code needs the feature `schema` of this crate, and it is off.
#[doc(hidden)]
#[macro_export]
macro_rules! require_schema {
    () => {
        ::core::compile_error!(
            "this contract has schemas that no Rust type can hold exactly: enable the feature `schema` of mcp-runtime \
             (`cargo add mcp-runtime --features schema`)"
        );
    };
}
