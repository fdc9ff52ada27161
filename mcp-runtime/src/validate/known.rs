//! The schemas of tools whose arguments were refused before, read once.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex};

use crate::json::Tree;
use crate::lock::lock;

/// Schemas that have been read, by the tool's name. A model that got it wrong once will do so again.
#[derive(Default)]
pub(crate) struct KnownSchemas {
    kept: Mutex<Kept>,
}

#[derive(Default)]
struct Kept {
    schemas: BTreeMap<&'static str, Arc<Tree<'static>>>,
    bytes: usize,
}

/// The most bytes of text whose trees are kept, which take some ten times as much. The schemas of most servers fit; what
/// does not is read each time.
const MOST_BYTES: usize = 512 * 1024;

impl KnownSchemas {
    /// The schema of a tool, whose text is asked for once; nothing, if there is none or it is no JSON.
    pub(crate) fn of(
        &self,
        name: &'static str,
        text: impl FnOnce() -> Option<&'static str>,
    ) -> Option<Arc<Tree<'static>>> {
        // nothing is left half done while it is locked
        let mut kept = lock(&self.kept);
        if let Some(schema) = kept.schemas.get(name) {
            return Some(Arc::clone(schema));
        }
        let text = text()?;
        let schema = Arc::new(Tree::parse(text).ok()?);
        if kept.bytes + text.len() <= MOST_BYTES {
            kept.bytes += text.len();
            kept.schemas.insert(name, Arc::clone(&schema));
        }
        Some(schema)
    }
}

impl fmt::Debug for KnownSchemas {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KnownSchemas").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_schema_is_read_once_while_there_is_room() {
        let known = KnownSchemas::default();
        let small = r#"{"type":"object"}"#;
        let large: &'static str = format!(r#"{{"title":"{}"}}"#, "x".repeat(MOST_BYTES)).leak();
        let is_kept = |name, text| {
            let read = || known.of(name, || Some(text)).unwrap();
            Arc::ptr_eq(&read(), &read())
        };
        assert!(is_kept("small", small));
        assert!(!is_kept("large", large));
        assert!(is_kept("another", small));
        assert!(known.of("none", || None).is_none());
    }
}
