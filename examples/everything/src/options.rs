//! What the command line says.

use std::env;

pub(crate) const USAGE: &str = "usage: everything [--http ADDRESS] [--page-size FEATURES]";

/// What can be chosen.
#[derive(Debug, Default)]
pub(crate) struct Options {
    /// Where to listen, such as `127.0.0.1:8080`; `None` for standard input and output.
    pub(crate) http: Option<String>,
    /// Features on a page of a list; `None` for all.
    pub(crate) page_size: Option<usize>,
}

impl Options {
    /// Reads the arguments of the process.
    pub(crate) fn of_command_line() -> Result<Self, String> {
        Self::read(env::args().skip(1))
    }

    fn read(mut arguments: impl Iterator<Item = String>) -> Result<Self, String> {
        let mut options = Self::default();
        while let Some(argument) = arguments.next() {
            let mut value = || arguments.next().ok_or_else(|| format!("`{argument}` lacks its value"));
            match argument.as_str() {
                "--http" => options.http = Some(value()?),
                "--page-size" => {
                    let size = value()?;
                    options.page_size = Some(size.parse().map_err(|_| format!("`{size}` is no number of features"))?);
                }
                _ => return Err(format!("unknown option `{argument}`")),
            }
        }
        Ok(options)
    }
}
