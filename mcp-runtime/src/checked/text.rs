//! What the checked texts have in common.

use std::fmt;

/// Why a text is not of its type: the message says what would be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckedTextError(pub(super) &'static str);

impl fmt::Display for CheckedTextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected {}", self.0)
    }
}

impl std::error::Error for CheckedTextError {}

/// Gives a type around a text its ways in and out. There is one way in, and it checks.
macro_rules! checked_text {
    ($name:ident, $expected:expr, $accepts:path) => {
        impl $name {
            /// The text as it came.
            #[must_use]
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl std::str::FromStr for $name {
            type Err = $crate::checked::CheckedTextError;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                Self::try_from(text.to_owned())
            }
        }

        impl TryFrom<String> for $name {
            type Error = $crate::checked::CheckedTextError;

            fn try_from(text: String) -> Result<Self, Self::Error> {
                if $accepts(&text) { Ok(Self(text)) } else { Err($crate::checked::CheckedTextError($expected)) }
            }
        }

        impl From<$name> for String {
            fn from(checked: $name) -> Self {
                checked.0
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl AsRef<str> for $name {
            fn as_ref(&self) -> &str {
                &self.0
            }
        }
    };
}

pub(super) use checked_text;
