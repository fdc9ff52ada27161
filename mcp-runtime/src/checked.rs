//! Texts that a handler can hand on without a second look: where a contract says `format = "path"`, `"url"` or
//! `"command-arg"`, arguments arrive as these types, and what is none never reaches the handler.
//!
//! Each is a text that was looked at once, and is kept as it came: it goes back into JSON as the same text.
//!
//! ```
//! use mcp_runtime::{CommandArg, HttpUrl, RelativePath};
//!
//! assert!("notes/today.md".parse::<RelativePath>().is_ok());
//! assert!("../../etc/passwd".parse::<RelativePath>().is_err());
//! assert!("--upload-pack=touch /tmp/x".parse::<CommandArg>().is_err());
//! assert!("https://example.org@192.0.2.1/".parse::<HttpUrl>().is_err());
//! ```

pub(crate) mod command_arg;
pub(crate) mod path;
#[cfg(feature = "fs")]
mod root;
mod text;
pub(crate) mod url;

pub use self::command_arg::CommandArg;
pub use self::path::RelativePath;
#[cfg(feature = "fs")]
pub use self::root::RootDir;
pub use self::text::CheckedTextError;
pub use self::url::HttpUrl;

/// The formats, each with what it asks of a text in words that a model can follow, and an example.
const FORMATS: [(&str, &str, &str); 3] = [
    ("command-arg", command_arg::EXPECTED, "report.txt"),
    ("path", path::EXPECTED, "notes/today.md"),
    ("url", url::EXPECTED, "https://example.org/a"),
];

/// What a format of ours asks of a text, and an example of it.
pub(crate) fn expected(format: &str) -> Option<(&'static str, &'static str)> {
    FORMATS.iter().find(|(name, ..)| *name == format).map(|(_, expected, example)| (*expected, *example))
}

#[cfg(test)]
mod tests {
    use crate::codegen::formats::{COMMAND_ARG, PATH, URL};
    use crate::json::Matcher;

    #[test]
    fn every_example_is_what_it_is_an_example_of() {
        for format in [&COMMAND_ARG, &PATH, &URL] {
            let Some((_, example)) = super::expected(format.source()) else { panic!("{} is unknown", format.source()) };
            assert!(format.is_match(example), "{example}");
        }
    }
}
