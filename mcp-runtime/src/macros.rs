//! The macros that stand between a crate and its generated code.

#[cfg(feature = "pattern")]
mod with_pattern;
#[cfg(feature = "schema")]
mod with_schema;
#[cfg(not(feature = "pattern"))]
mod without_pattern;
#[cfg(not(feature = "schema"))]
mod without_schema;

/// Takes up the code that `mcp_codegen::Config::compile` generated in the build script.
///
/// The name is the one that the build script gave: `Config::name`, or else the contract's server name. The macro stands
/// alone in a module, under whose name the crate then finds its features:
///
/// ```text
/// mod api {
///     mcp_runtime::include_service!("weather");
/// }
/// use api::GetWeather;
/// ```
#[macro_export]
macro_rules! include_service {
    ($name:literal) => {
        ::core::include!(::core::concat!(::core::env!("OUT_DIR"), "/", $name, ".rs"));
    };
}

/// Stops the build where generated code and this runtime do not fit together. Generated code begins with it.
///
/// ```
/// mcp_runtime::require_abi!(1);
/// ```
///
/// Code of another generation does not compile, and the error says what to do:
///
/// ```compile_fail
/// mcp_runtime::require_abi!(0);
/// ```
#[macro_export]
macro_rules! require_abi {
    ($abi:literal) => {
        const _: () = ::core::assert!(
            $crate::codegen::ABI == $abi,
            "this code was generated for another version of mcp-runtime: bring mcp-codegen to the same version, then \
             run `mcp-codegen generate` again (with a build script: `cargo update -p mcp-codegen`)"
        );
    };
}
