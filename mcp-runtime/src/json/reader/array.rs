//! Arrays.

use super::Reader;
use crate::json::fault::refuse;
use crate::json::tree::{Tree, any_equal};
use crate::json::{ArrayRules, Fault};

/// So many items of an array are held against each other without an allocation.
const FEW: usize = 8;

impl Reader<'_> {
    /// Reads an array by a schema's rules. `item` is called at each item and must read it.
    ///
    /// # Errors
    ///
    /// If the next value is not an array, if it breaks a rule, or if `item` refuses.
    pub fn array(
        &mut self,
        rules: &ArrayRules,
        item: &mut dyn FnMut(&mut Self) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        if !rules.unique {
            return self.items(rules, item);
        }
        let text = self.text;
        let (mut few, mut count, mut many) = ([""; FEW], 0, Vec::new());
        self.items(rules, &mut |reader| {
            reader.peek();
            let start = reader.at;
            item(reader)?;
            let text = text.get(start..reader.at).unwrap_or_default();
            if let Some(place) = few.get_mut(count) {
                *place = text;
            } else {
                if many.is_empty() {
                    many.extend_from_slice(&few);
                }
                many.push(text);
            }
            count += 1;
            Ok(())
        })?;
        let texts = if many.is_empty() { &mut few[..count] } else { &mut many[..] };
        if any_same(texts)? { refuse("two items are equal") } else { Ok(()) }
    }

    /// `array` without the rule of uniqueness.
    pub(in crate::json) fn items(
        &mut self,
        rules: &ArrayRules,
        item: &mut dyn FnMut(&mut Self) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        self.open(b'[', "expected an array")?;
        let mut count = 0;
        let mut more = !self.close(b']');
        while more {
            count += 1;
            if count > rules.max_items {
                return refuse("too many items");
            }
            item(self)?;
            more = self.more(b']')?;
        }
        if count < rules.min_items { refuse("too few items") } else { Ok(()) }
    }
}

/// Whether two of the values are equal. Where each has one text only, the texts are compared, which needs no tree.
fn any_same(texts: &mut [&str]) -> Result<bool, Fault> {
    if !texts.iter().all(|text| has_one_text(text.as_bytes())) {
        let trees: Vec<_> = texts.iter().map(|text| Tree::parse(text)).collect::<Result<_, _>>()?;
        return Ok(any_equal(&trees));
    }
    if texts.len() <= FEW {
        return Ok((1..texts.len()).any(|index| texts[..index].contains(&texts[index])));
    }
    texts.sort_unstable();
    Ok(texts.windows(2).any(|pair| pair[0] == pair[1]))
}

/// Whether no other text stands for the same value: a string without escapes, or an integer in plain digits.
///
/// The text must be that of a value.
fn has_one_text(text: &[u8]) -> bool {
    match text {
        [b'"', rest @ ..] => !rest.contains(&b'\\'),
        [b'-', b'0', ..] => false,
        [b'-' | b'0'..=b'9', rest @ ..] => rest.iter().all(u8::is_ascii_digit),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::FEW;
    use crate::json::{ArrayRules, Fault, Reader};

    #[test]
    fn equal_items_are_found_however_they_are_written() {
        let rules = ArrayRules { unique: true, ..ArrayRules::ANY };
        let unique = |text: &str| Reader::new(text).array(&rules, &mut Reader::skip_value);
        let many = (0..FEW + 4).map(|number| number.to_string()).collect::<Vec<_>>().join(", ");
        for good in [
            &format!("[{many}]"),
            r#"["a", "b", "A"]"#,
            "[1, 2, -1, 12]",
            r#"["1", 1, true, null, [], {}]"#,
            "[0]",
            "[]",
        ] {
            assert_eq!(unique(good), Ok(()), "{good}");
        }
        for bad in [
            &format!("[{many}, 3]"),
            &format!("[{many}, 3.0]"),
            r#"["a", "b",  "a"]"#,
            "[3, 1, 2, 1]",
            r#"["a", "\u0061"]"#,
            "[1, 1.0]",
            "[0, -0]",
            "[[1], [1e0]]",
        ] {
            assert_eq!(unique(bad), Err(Fault::new("two items are equal")), "{bad}");
        }
    }
}
