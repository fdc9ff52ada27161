//! The ways in and out. They know bytes, not tools.

#[cfg(feature = "stdio")]
pub(crate) mod stdio;
