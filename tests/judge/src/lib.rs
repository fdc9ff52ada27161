//! Generated code for the schemas of the public JSON Schema test suite, for random ones and, with the feature `corpus`,
//! for those of published servers: what each accepts, and what it writes again.
//!
//! The build script generates it. Where the schemas are not beside the workspace, everything here is empty.

pub mod cases;

use mcp_runtime::codegen::{self, Decode, Encode, Fault, Tool, Writer};

/// Decodes the text of a value, and encodes the value again.
pub type Again = fn(&str) -> Result<String, Fault>;

/// A schema as generated code.
#[derive(Debug)]
pub struct Judged {
    /// The group of the suite, or the server, and the place in it; nothing and the seed of a random one.
    pub place: (&'static str, usize),
    /// The tool.
    pub tool: &'static Tool,
    /// By the type of the arguments.
    pub input: Again,
    /// By the type of the result.
    pub output: Option<Again>,
}

/// A schema that the generator refused.
#[derive(Debug)]
pub struct Refused {
    /// The group of the suite, or the server, and the place in it; nothing and the seed of a random one.
    pub place: (&'static str, usize),
    /// The first fault.
    pub reason: &'static str,
}

/// Decodes and encodes.
///
/// # Errors
///
/// If the type refuses the value.
fn again<T: Decode + Encode>(text: &str) -> Result<String, Fault> {
    let value: T = codegen::decode(text)?;
    let mut bytes = Vec::new();
    value.encode(&mut Writer::new(&mut bytes));
    String::from_utf8(bytes).map_err(|_| Fault::new("no text"))
}

include!(concat!(env!("OUT_DIR"), "/judged.rs"));
