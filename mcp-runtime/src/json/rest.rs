//! The members of an object that its schema allows and does not declare.

mod kept;
mod values;

use std::fmt;

use serde_json::Value;

use self::kept::Kept;

use super::{Decode, Encode, Fault, Reader, Writer};

/// Undeclared members, in the order in which they came. Costs no allocation while it is empty.
///
/// What was read is kept as text, and made into values when somebody first looks at one.
///
/// ```
/// use mcp_runtime::json::{self, Rest};
///
/// let rest: Rest = json::decode(r#"{"b": 1, "a": [2]}"#)?;
/// assert_eq!(rest.get("b"), Some(&1.into()));
/// assert_eq!(rest.iter().map(|(key, _)| key).collect::<Vec<_>>(), ["b", "a"]);
/// assert!(json::decode::<Rest>(r#"{"b": 1, "b": 2}"#).is_err());
/// # Ok::<(), json::Fault>(())
/// ```
#[derive(Clone, Default)]
pub struct Rest {
    /// Behind a pointer, since mostly there is none.
    kept: Option<Box<Kept>>,
}

impl Rest {
    /// The value of a member.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&Value> {
        self.kept.as_deref()?.values().get(key)
    }

    /// Sets a member, and gives back the value that it had.
    pub fn insert(&mut self, key: impl Into<String>, value: impl Into<Value>) -> Option<Value> {
        self.kept.get_or_insert_default().change(|values| values.insert(key.into(), value.into()))
    }

    /// The members, in the order in which they came.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Value)> {
        let members = self.kept.as_deref().map_or(&[][..], |kept| &kept.values().members);
        members.iter().map(|(key, value)| (key.as_str(), value))
    }

    /// How many members there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.kept.as_deref().map_or(0, |kept| kept.values().members.len())
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.kept.is_none()
    }

    /// Reads one member: the reader's [`key`](Reader::key) and the value that follows.
    ///
    /// # Errors
    ///
    /// If the value is not JSON, or the key has come before.
    #[inline(never)]
    pub fn read(&mut self, r: &mut Reader<'_>) -> Result<(), Fault> {
        if let Some(kept) = &mut self.kept {
            return kept.read(r);
        }
        self.kept = Some(Kept::first(r)?);
        Ok(())
    }
}

/// Most are empty, and need no call for this.
impl Drop for Rest {
    #[inline]
    fn drop(&mut self) {
        if let Some(kept) = self.kept.take() {
            Kept::free(kept);
        }
    }
}

/// Prints the members as a map.
impl fmt::Debug for Rest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}

/// The order of the members does not count.
impl PartialEq for Rest {
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len() && self.iter().all(|(key, value)| other.get(key) == Some(value))
    }
}

impl FromIterator<(String, Value)> for Rest {
    fn from_iter<I: IntoIterator<Item = (String, Value)>>(members: I) -> Self {
        let mut rest = Self::default();
        for (key, value) in members {
            rest.insert(key, value);
        }
        rest
    }
}

/// An object with any members.
impl Decode for Rest {
    fn decode(r: &mut Reader<'_>) -> Result<Self, Fault> {
        if let Some(text) = r.raw_members()? {
            return Ok(Self { kept: Kept::all(text) });
        }
        let mut rest = Self::default();
        let mut members = r.members(&[]);
        while members.next(r)?.is_some() {
            rest.read(r)?;
        }
        Ok(rest)
    }
}

impl Encode for Rest {
    fn encode(&self, w: &mut Writer<'_>) {
        w.begin_object();
        w.rest(self);
        w.end_object();
    }
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use serde_json::json;

    use super::*;
    use crate::json::{decode, encode, keys};

    /// Undeclared members beside a declared one, which come one by one.
    struct Beside(Rest);

    impl Decode for Beside {
        fn decode(r: &mut Reader<'_>) -> Result<Self, Fault> {
            let mut rest = Rest::default();
            let mut members = r.members(const { &keys(["known"]) });
            while let Some(key) = members.next(r)? {
                match key {
                    0 => r.skip_value()?,
                    _ => rest.read(r)?,
                }
            }
            Ok(Self(rest))
        }
    }

    /// What is kept of an object, however it is read.
    fn both(text: &str) -> Result<Rest, Fault> {
        let (whole, beside) = (decode::<Rest>(text), decode::<Beside>(text).map(|Beside(rest)| rest));
        assert_eq!(whole, beside, "{text}");
        whole
    }

    #[test]
    fn members_are_those_of_a_tree_whatever_they_are() {
        let long = "é".repeat(100);
        for value in [
            "1",
            "-0.0",
            "1e2",
            "123456789012345678901",
            "true",
            "false",
            "null",
            r#""a\u0062\n""#,
            "[]",
            "{}",
            r#"[1, {"a": [2, "x"]}]"#,
            &format!("\"{long}\""),
        ] {
            for count in [1, 2, 3, 15, 16, 17, 40] {
                let mut text = String::from("{");
                for place in 0..count {
                    let _ = write!(text, "{}\"k\\u0061{place}\" : {value}", if place == 0 { "" } else { " ,  " });
                }
                text.push_str(" } ");
                let rest = both(&text).unwrap();
                let Ok(Value::Object(tree)) = decode(&text) else { panic!("{text} is read as a tree") };
                assert_eq!((rest.len(), rest.is_empty()), (count, false));
                assert!(tree.iter().all(|(key, value)| rest.get(key) == Some(value)), "{text}");
                assert_eq!(rest.iter().map(|(key, _)| key.len()).max(), tree.keys().map(String::len).max());
                assert_eq!(decode::<Rest>(&encode(&rest)), Ok(rest.clone()));
            }
        }
    }

    #[test]
    fn what_a_tree_refuses_is_refused_as_text() {
        for count in [0, 1, 14, 15, 16, 30] {
            let before = (0..count).map(|place| format!("\"k{place}\":1,")).collect::<Vec<_>>().concat();
            for bad in [
                "\"a\":1e400",
                "\"a\":01",
                "\"a\":\"\\ud800\"",
                "\"a\":{\"b\":1,\"\\u0062\":2}",
                "\"a\":[{\"b\":1,\"b\":2}]",
                "\"a\":tru",
                "\"a\":",
                "\"a\"",
                "\"a\":1,\"a\":1",
                "\"a\":1,\"\\u0061\":1",
                "\"\\u0061\":1,\"a\":1",
                "\"a\":1,\"b\":2,\"a\":1",
                "\"\":1,\"\":1",
            ] {
                assert!(both_refuse(&format!("{{{before}{bad}}}")), "{before}{bad}");
            }
        }
    }

    fn both_refuse(text: &str) -> bool {
        decode::<Rest>(text).is_err() && decode::<Beside>(text).is_err()
    }

    #[test]
    fn members_can_be_read_after_some_were_looked_at_or_set() {
        let mut r = Reader::new(r#"{"a":1,"b":2,"c":3,"b":4}"#);
        let mut rest = Rest::default();
        let mut members = r.members(&[]);
        for (key, value) in [("a", 1), ("b", 2)] {
            assert_eq!(members.next(&mut r), Ok(Some(usize::MAX)));
            rest.read(&mut r).unwrap();
            assert_eq!(rest.get(key), Some(&json!(value)));
        }
        assert_eq!(rest.insert("a", "x"), Some(json!(1)));
        assert_eq!(members.next(&mut r), Ok(Some(usize::MAX)));
        rest.read(&mut r).unwrap();
        assert_eq!(format!("{rest:?}"), r#"{"a": String("x"), "b": Number(2), "c": Number(3)}"#);
        assert_eq!(members.next(&mut r), Ok(Some(usize::MAX)));
        assert_eq!(rest.read(&mut r), Err(Fault::DUPLICATE));
    }
}
