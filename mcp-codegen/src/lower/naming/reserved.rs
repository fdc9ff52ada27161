//! Names that a contract cannot have for its types and traits.

use crate::ir::is_imported;

/// Names that generated code or the prelude means by something else. A type called so gets the suffix `Type`, a trait
/// its kind (`SendTool`).
const RESERVED: &[&str] = &[
    // Of a feature's module.
    "Args",
    "Output",
    "Vars",
    // Of the root.
    "Handler",
    "Service",
    // Of the prelude, any edition.
    "AsMut",
    "AsRef",
    "AsyncFn",
    "AsyncFnMut",
    "AsyncFnOnce",
    "Box",
    "Clone",
    "Copy",
    "Debug",
    "Default",
    "DoubleEndedIterator",
    "Drop",
    "Eq",
    "Err",
    "ExactSizeIterator",
    "Extend",
    "Fn",
    "FnMut",
    "FnOnce",
    "From",
    "FromIterator",
    "Future",
    "Hash",
    "Into",
    "IntoFuture",
    "IntoIterator",
    "Iterator",
    "None",
    "Ok",
    "Option",
    "Ord",
    "PartialEq",
    "PartialOrd",
    "Result",
    "Self",
    "Send",
    "Sized",
    "Some",
    "String",
    "Sync",
    "ToOwned",
    "ToString",
    "TryFrom",
    "TryInto",
    "Unpin",
    "Vec",
    // Written with their path where they are used, but shown by their name.
    "Display",
    "FromStr",
];

/// Whether a type of this name would hide one that generated code needs.
pub(super) fn is_reserved(name: &str) -> bool {
    is_imported(name) || RESERVED.contains(&name)
}
