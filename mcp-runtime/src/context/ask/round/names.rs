//! Keys that a handler chose for its questions, and what it asked under them.

use std::collections::BTreeMap;

use crate::json::{Encode, Fault, ObjectRules, Reader, Writer};

/// The questions with keys of the handler's own, in this run and those before.
#[derive(Debug, Default)]
pub(super) struct Names(BTreeMap<String, Asked>);

#[derive(Debug)]
struct Asked {
    digest: String,
    /// In this run.
    is_claimed: bool,
}

/// How a key stands to a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Claim {
    /// It is the question's: nothing else was asked under it.
    Own,
    /// It was that of another question in an earlier run: what was answered is no answer to this one.
    Other,
    /// Another question of this run has it.
    Taken,
}

impl Names {
    /// Gives the key to the question with this digest.
    pub(super) fn claim(&mut self, key: &str, digest: &str) -> Claim {
        let asked = Asked { digest: digest.to_owned(), is_claimed: true };
        match self.0.insert(key.to_owned(), asked) {
            Some(before) if before.is_claimed => Claim::Taken,
            Some(before) if before.digest != digest => Claim::Other,
            Some(_) | None => Claim::Own,
        }
    }

    /// Reads what an earlier run wrote.
    pub(super) fn read(&mut self, reader: &mut Reader<'_>) -> Result<(), Fault> {
        reader.map(&ObjectRules::ANY, &mut |key, reader| {
            let digest = reader.string()?.into_owned();
            self.0.insert(key, Asked { digest, is_claimed: false });
            Ok(())
        })
    }
}

impl Encode for Names {
    fn encode(&self, w: &mut Writer<'_>) {
        w.begin_object();
        for (key, asked) in &self.0 {
            w.entry(key, &asked.digest);
        }
        w.end_object();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_belongs_to_one_question() {
        let mut first = Names::default();
        assert_eq!(
            [first.claim("a", "1"), first.claim("b", "1"), first.claim("a", "1")],
            [Claim::Own, Claim::Own, Claim::Taken]
        );
        let mut text = Vec::new();
        first.encode(&mut Writer::new(&mut text));
        let mut next = Names::default();
        next.read(&mut Reader::new(std::str::from_utf8(&text).unwrap())).unwrap();
        assert_eq!(
            [next.claim("a", "1"), next.claim("b", "2"), next.claim("c", "2")],
            [Claim::Own, Claim::Other, Claim::Own]
        );
    }
}
