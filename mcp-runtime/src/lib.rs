//! The runtime of MCP servers that mcp-codegen generates.

pub mod context;
pub mod json;
pub mod service;
pub mod validate;
