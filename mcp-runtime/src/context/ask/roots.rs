//! The folders that the client works in.

use crate::context::Context;
use crate::context::ask::AskError;
use crate::context::ask::inquiry::Inquiry;
use crate::json::{self, ArrayRules, Decode, Fault, Reader, required};
use crate::protocol::Capability;

/// A folder or file of the client's.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Root {
    /// Where it is: a `file://` URI.
    pub uri: String,
    /// What to call it.
    pub name: Option<String>,
}

impl Context {
    /// Asks the client for its roots: the folders within which it wants the server to stay.
    ///
    /// # Errors
    ///
    /// Fails if the client has no roots to tell, or does not answer.
    pub async fn roots(&self) -> Result<Vec<Root>, AskError> {
        self.require(Capability::Roots)?;
        self.inquire(Inquiry { method: "roots/list", key: None, params: None, read }).await
    }
}

fn read(result: &str) -> Result<Vec<Root>, Fault> {
    let mut roots = None;
    Reader::new(result).object(&["roots"], &mut |key, reader| {
        if key != 0 {
            return reader.skip_value();
        }
        let mut listed = Vec::new();
        reader.array(&ArrayRules::ANY, &mut |reader| {
            listed.push(json::decode(reader.raw_value()?)?);
            Ok(())
        })?;
        roots = Some(listed);
        Ok(())
    })?;
    required(roots)
}

impl Decode for Root {
    fn decode(r: &mut Reader<'_>) -> Result<Self, Fault> {
        let (mut uri, mut name) = (None, None);
        r.object(&["uri", "name"], &mut |key, r| {
            match key {
                0 => uri = Some(String::decode(r)?),
                1 => name = Option::decode(r)?,
                _ => return r.skip_value(),
            }
            Ok(())
        })?;
        Ok(Self { uri: required(uri)?, name })
    }
}
