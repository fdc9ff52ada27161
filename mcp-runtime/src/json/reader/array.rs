//! Arrays.

use super::Reader;
use crate::json::fault::refuse;
use crate::json::tree::{Tree, any_equal};
use crate::json::{ArrayRules, Fault};

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
        let mut texts = Vec::new();
        self.items(rules, &mut |reader| {
            let start = reader.at;
            item(reader)?;
            texts.push(text.get(start..reader.at).unwrap_or_default());
            Ok(())
        })?;
        let trees: Vec<_> = texts.into_iter().map(Tree::parse).collect::<Result<_, _>>()?;
        if any_equal(&trees) { refuse("two items are equal") } else { Ok(()) }
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
