//! Paths that lead nowhere but down.

use std::ops::Deref;
use std::path::Path;

use super::text::checked_text;

pub(super) const EXPECTED: &str = "a relative path with / between its parts and without ..";

/// A path from a folder of yours downwards, by its text alone: the format `path`.
///
/// It is relative, its parts are separated by `/`, and none of them is `..`. There is no backslash, no control character and
/// no drive (`C:`) in it, so that it is the same path on every system. `.` is the folder itself.
///
/// A text knows nothing of links: a path that looks harmless may pass through one that leads elsewhere. So open it under
/// a `RootDir` (feature `fs`), which follows no link out, or hold [`Path::canonicalize`] against your folder where nobody
/// else can write to it.
///
/// ```
/// use std::path::Path;
/// use mcp_runtime::RelativePath;
///
/// let path: RelativePath = "notes/today.md".parse()?;
/// assert_eq!(Path::new("/srv/files").join(&path), Path::new("/srv/files/notes/today.md"));
///
/// for refused in ["", "/etc/passwd", "a/../../b", "..\\b", "C:b", "a\0b"] {
///     assert!(refused.parse::<RelativePath>().is_err(), "{refused}");
/// }
/// # Ok::<(), mcp_runtime::CheckedTextError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RelativePath(String);

checked_text!(RelativePath, EXPECTED, accepts);

impl Deref for RelativePath {
    type Target = Path;

    fn deref(&self) -> &Path {
        Path::new(&self.0)
    }
}

impl AsRef<Path> for RelativePath {
    fn as_ref(&self) -> &Path {
        self
    }
}

/// Whether a text is a relative path without a way up, on every system.
pub(crate) fn accepts(text: &str) -> bool {
    let has_drive = text.as_bytes().first().is_some_and(u8::is_ascii_alphabetic) && text[1..].starts_with(':');
    let is_absolute = text.starts_with('/');
    let is_strange = text.contains(|c: char| c == '\\' || c.is_control());
    !text.is_empty() && !is_absolute && !has_drive && !is_strange && text.split('/').all(stays)
}

/// Whether a part leads nowhere but down. Windows passes over dots and blanks at its end: what is nothing else may be `..`.
fn stays(part: &str) -> bool {
    matches!(part, "" | ".") || !part.trim_end_matches(['.', ' ']).is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whatever_leads_elsewhere_is_refused() {
        for text in [
            "",
            "/",
            "/etc/passwd",
            "//host/share",
            "..",
            "../a",
            "a/..",
            "a/../b",
            "a/b/../../../c",
            "./..",
            "a//..",
            "..\\a",
            "a\\..\\b",
            "\\\\host\\share",
            "\\a",
            "C:",
            "c:\\a",
            "C:a",
            "C:/a",
            "a\0",
            "\0",
            "a\nb",
            "a\u{7f}",
            "a\u{85}b",
            ".. ",
            "a/.. /b",
            "...",
            ". ",
            " ",
            " .",
        ] {
            assert!(!accepts(text), "{text:?}");
        }
    }

    #[test]
    fn whatever_leads_down_is_accepted() {
        for text in [
            "a",
            "a/b",
            ".",
            "./a",
            "a/./b",
            "a//b",
            "a/",
            ".git/config",
            "a..b",
            "..a",
            "a..",
            "a b",
            " a",
            "é/ß",
            "12:30.log",
            "-",
            "~/a",
            "%2e%2e/a",
            "..%2fa",
            "．．/a",
            "ab:c",
        ] {
            assert!(accepts(text), "{text:?}");
            let path: RelativePath = text.parse().expect(text);
            assert_eq!((path.to_string().as_str(), path.as_ref() as &Path), (text, Path::new(text)));
        }
    }
}
