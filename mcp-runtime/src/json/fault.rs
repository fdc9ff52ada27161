//! Why a text was refused, in one static sentence.

use std::error::Error;
use std::fmt;

/// The reader's refusal: a reason, and nothing that costs an allocation.
///
/// It knows no place. Whoever has to explain a refusal reads the text again, slowly and completely
/// in order to name every fault and its place.
///
/// ```
/// use mcp_runtime::json::{self, Fault};
///
/// let fault = json::decode::<i64>("1.5").unwrap_err();
/// assert_eq!(fault.reason(), "expected an integer");
/// assert_eq!(Fault::new("not a postcode").to_string(), "not a postcode");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fault(&'static str);

impl Fault {
    /// A refusal for this reason.
    #[must_use]
    pub const fn new(reason: &'static str) -> Self {
        Self(reason)
    }

    /// The reason: lower case, no full stop.
    #[must_use]
    pub const fn reason(self) -> &'static str {
        self.0
    }

    pub(crate) const MISSING: Self = Self("missing argument");
    pub(crate) const OUT_OF_RANGE: Self = Self("out of range");
    pub(crate) const DUPLICATE: Self = Self("duplicate key");
    pub(crate) const TOO_DEEP: Self = Self("nested too deeply");
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

impl Error for Fault {}

/// Refuses, away from the road that good input takes.
#[cold]
#[inline(never)]
pub(super) fn refuse<T>(reason: &'static str) -> Result<T, Fault> {
    Err(Fault(reason))
}
