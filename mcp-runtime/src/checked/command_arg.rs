//! Arguments of commands that are no options.

use std::ffi::OsStr;
use std::ops::Deref;

use super::text::checked_text;

pub(super) const EXPECTED: &str = "an argument that is not empty, does not begin with - and has no control characters";

/// One argument for a command: the format `command-arg`.
///
/// It is not empty, does not begin with `-`, where a command would take it for an option, and has no control characters,
/// such as NUL or the end of a line. It is for [`Command::arg`](std::process::Command::arg), which hands it on as it is: never
/// for a text that a shell reads (`sh -c`), where every blank and `;` would have a meaning. A command that knows `--` should get it
/// first, for what else it may read into its arguments (`+`, `@file`, on Windows `/`).
///
/// ```
/// use std::process::Command;
/// use mcp_runtime::CommandArg;
///
/// let branch: CommandArg = "release; rm -rf ~".parse()?;
/// let mut log = Command::new("git");
/// log.args(["log", "--end-of-options"]).arg(&branch); // an odd name of a branch, and nothing else
///
/// assert!("--output=/etc/passwd".parse::<CommandArg>().is_err());
/// # Ok::<(), mcp_runtime::CheckedTextError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CommandArg(String);

checked_text!(CommandArg, EXPECTED, accepts);

impl Deref for CommandArg {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl AsRef<OsStr> for CommandArg {
    fn as_ref(&self) -> &OsStr {
        self.0.as_ref()
    }
}

/// Whether a text can stand as an argument that is no option.
pub(crate) fn accepts(text: &str) -> bool {
    !text.is_empty() && !text.starts_with('-') && !text.contains(char::is_control)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_and_control_characters_are_refused() {
        for text in ["", "-", "-o", "--", "--output=x", "a\0b", "a\nb", "\t", "a\u{1b}[0m", "\u{85}", "a\u{7f}"] {
            assert!(!accepts(text), "{text:?}");
        }
        for text in ["a", " -o", "a-b", "$(id)", "; id", "é", "\u{2013}o", "a b", "+1", "@a"] {
            assert!(accepts(text), "{text:?}");
        }
    }
}
