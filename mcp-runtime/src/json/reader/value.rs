//! Values that no Rust type describes.

use serde_json::{Map, Value};

use super::Reader;
use crate::json::fault::refuse;
use crate::json::{ArrayRules, Fault, ObjectRules, Tree};

impl Reader<'_> {
    /// Reads one value of any kind.
    ///
    /// An integer that fits 64 bits is kept exactly, every other number becomes the nearest `f64`.
    ///
    /// # Errors
    ///
    /// If the text is not JSON, if a number is beyond the largest finite `f64`, or if an object has a key twice. JSON
    /// leaves open which of the two counts, so two readers of one message could see different arguments.
    pub fn value(&mut self) -> Result<Value, Fault> {
        Ok(match self.peek() {
            b'"' => Value::String(self.text()?),
            b'[' => {
                let mut items = Vec::new();
                self.items(&ArrayRules::ANY, &mut |reader| {
                    items.push(reader.value()?);
                    Ok(())
                })?;
                Value::Array(items)
            }
            b'{' => {
                let mut members = Map::new();
                self.map(&ObjectRules::ANY, &mut |key, reader| match members.insert(key, reader.value()?) {
                    None => Ok(()),
                    Some(_) => Err(Fault::DUPLICATE),
                })?;
                Value::Object(members)
            }
            b't' | b'f' => Value::Bool(self.boolean()?),
            b'n' => self.null().map(|()| Value::Null)?,
            b'-' | b'0'..=b'9' => Value::Number(self.number_value()?),
            _ => return refuse("expected a value"),
        })
    }

    /// Reads a value that equals the JSON text `expected`, as JSON Schema compares: `1` equals `1.0`, and the order of
    /// an object's members does not count.
    ///
    /// # Errors
    ///
    /// If the next value is another one.
    ///
    /// ```
    /// # use mcp_runtime::json::Reader;
    /// assert!(Reader::new("1.0").constant("1").is_ok());
    /// assert!(Reader::new(r#""\u0061""#).constant(r#""a""#).is_ok());
    /// assert!(Reader::new("true").constant("1").is_err());
    /// ```
    pub fn constant(&mut self, expected: &str) -> Result<(), Fault> {
        let text = self.raw_value()?;
        if text == expected || Tree::parse(text)? == Tree::parse(expected)? {
            return Ok(());
        }
        refuse("not the expected value")
    }
}
