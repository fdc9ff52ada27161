//! The ways in and out. They know bytes, not tools.

#[cfg(feature = "http")]
pub mod http;
#[cfg(feature = "stdio")]
pub(crate) mod stdio;
