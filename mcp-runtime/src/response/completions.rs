//! Suggestions for the value of a prompt's argument or a template's variable.

use std::collections::BTreeMap;

use crate::json::{Encode, Writer};

/// The most values that one answer may carry.
const MOST: usize = 100;

/// What somebody has typed of one value so far, and which values stand already.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Partial {
    /// What has been typed; empty at the beginning.
    pub value: String,
    /// The other arguments or variables, as far as they are filled in. Clients tell them since 2025-06-18.
    pub arguments: BTreeMap<String, String>,
}

impl Partial {
    /// Somebody has typed this much.
    #[must_use]
    pub fn new(value: impl Into<String>) -> Self {
        Self { value: value.into(), arguments: BTreeMap::new() }
    }
}

/// Suggested values, the best first. A client sees at most 100 of them, and how many there are in all.
///
/// ```
/// use mcp_runtime::{Completions, Partial};
///
/// let cities = ["Oslo", "Paris", "Rome"];
/// let found = Completions::matching(&Partial::new("o"), cities);
/// assert_eq!(found.values(), ["Oslo", "Rome"]);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Completions {
    values: Vec<String>,
    /// What is known beyond the values at hand.
    total: Option<u64>,
    more: bool,
}

impl Completions {
    /// These values, as they stand.
    #[must_use]
    pub fn new(values: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self { values: values.into_iter().map(Into::into).collect(), total: None, more: false }
    }

    /// Those of `values` that fit what was typed, in capitals or not: first those that begin with it, then those that
    /// hold it elsewhere, and among equals in the order given.
    #[must_use]
    pub fn matching(partial: &Partial, values: impl IntoIterator<Item = impl Into<String>>) -> Self {
        let typed = partial.value.to_lowercase();
        let (mut beginning, mut within) = (Vec::new(), Vec::new());
        for value in values {
            let value: String = value.into();
            let small = value.to_lowercase();
            if small.starts_with(&typed) {
                beginning.push(value);
            } else if small.contains(&typed) {
                within.push(value);
            }
        }
        beginning.append(&mut within);
        Self::new(beginning)
    }

    /// Says how many there are in all, where these are not all.
    #[must_use]
    pub fn total(mut self, total: u64) -> Self {
        self.total = Some(total);
        self
    }

    /// Says that there are more, where nobody knows how many.
    #[must_use]
    pub fn and_more(mut self) -> Self {
        self.more = true;
        self
    }

    /// The values.
    #[must_use]
    pub fn values(&self) -> &[String] {
        &self.values
    }

    /// Appends the member `completion`.
    pub(crate) fn write(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(br#""completion":{"values":["#);
        for (index, value) in self.values.iter().take(MOST).enumerate() {
            if index > 0 {
                out.push(b',');
            }
            value.encode(&mut Writer::new(out));
        }
        out.push(b']');
        let (here, sent) = (self.values.len() as u64, self.values.len().min(MOST) as u64);
        let total = self.total.or((!self.more).then_some(here)).map(|total| total.max(here));
        if let Some(total) = total {
            out.extend_from_slice(format!(r#","total":{total}"#).as_bytes());
        }
        let more = self.more || sent < here || total.is_some_and(|total| sent < total);
        out.extend_from_slice(format!(r#","hasMore":{more}}}"#).as_bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(completions: &Completions) -> String {
        let mut out = Vec::new();
        completions.write(&mut out);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn what_begins_with_the_text_comes_before_what_holds_it() {
        let found = Completions::matching(&Partial::new("IN"), ["Berlin", "India", "Oslo", "inn"]);
        assert_eq!(found.values(), ["India", "inn", "Berlin"]);
        assert_eq!(Completions::matching(&Partial::default(), ["b", "a"]).values(), ["b", "a"]);
    }

    #[test]
    fn at_most_100_values_go_out_and_the_rest_is_counted() {
        let many = Completions::new((0..130).map(|number| number.to_string()));
        let text = written(&many);
        assert!(text.ends_with(r#""98","99"],"total":130,"hasMore":true}"#), "{text}");
        assert_eq!(written(&Completions::new(["a"])), r#""completion":{"values":["a"],"total":1,"hasMore":false}"#);
        let some = Completions::new(["a"]);
        assert_eq!(written(&some.clone().total(7)), r#""completion":{"values":["a"],"total":7,"hasMore":true}"#);
        assert_eq!(written(&some.and_more()), r#""completion":{"values":["a"],"hasMore":true}"#);
    }
}
