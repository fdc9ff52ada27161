//! Use from a build script: reads a contract, generates, writes to `OUT_DIR`, and tells cargo what to watch.

use std::env;
use std::error::Error as StdError;
use std::fmt;
use std::io::{self, Write};
use std::iter;
use std::path::{Path, PathBuf};

use crate::config::Config;
use crate::diagnostic::{Diagnostics, Format};
use crate::source::Sources;
use crate::{load, output};

/// Why a build script got no code.
///
/// `Display` and `Debug` both give the whole report with excerpts, because `fn main() -> Result<…>` prints `Debug`.
pub struct Error {
    kind: Kind,
}

enum Kind {
    /// The contract has faults: the rendered report.
    Contract(String),
    Load(load::Error),
    NoName,
    NotInBuildScript,
    Output(output::Error),
    Stdout(io::Error),
}

impl Config {
    /// Generates the code of the contract at `path`, a file or a folder, for `include_service!` to take up.
    ///
    /// Made for build scripts:
    ///
    /// ```no_run
    /// fn main() -> Result<(), Box<dyn std::error::Error>> {
    ///     mcp_codegen::Config::new().name("weather").compile("specs")?;
    ///     Ok(())
    /// }
    /// ```
    ///
    /// Writes `$OUT_DIR/NAME.rs`, and only if its text changes. Cargo is told to run the script again when a file or a
    /// folder that was read changes. Warnings about the contract become cargo's warnings.
    ///
    /// # Errors
    ///
    /// Fails if the contract cannot be read or has faults, if the file cannot be written, and outside of build scripts.
    pub fn compile(self, path: impl AsRef<Path>) -> Result<(), Error> {
        let out_dir = env::var_os("OUT_DIR").ok_or(Kind::NotInBuildScript)?;
        self.compile_to(path, PathBuf::from(out_dir))
    }

    /// Does what [`compile`](Self::compile) does, with another folder than `$OUT_DIR`.
    ///
    /// # Errors
    ///
    /// As [`compile`](Self::compile).
    pub fn compile_to(self, path: impl AsRef<Path>, out_dir: impl AsRef<Path>) -> Result<(), Error> {
        let sources = load::load(path.as_ref()).map_err(Kind::Load)?;
        watch(&sources).map_err(Kind::Stdout)?;
        let generated = crate::generate(&sources, &self.single_file(true));
        let generated = generated.map_err(|found| Kind::Contract(found.render(&sources, Format::Plain)))?;
        warn(&generated.warnings, &sources).map_err(Kind::Stdout)?;
        let name = generated.name.ok_or(Kind::NoName)?;
        let text = generated.files.get("mod.rs").unwrap_or_default();
        output::write_if_changed(&out_dir.as_ref().join(format!("{name}.rs")), text).map_err(Kind::Output)?;
        Ok(())
    }
}

/// Names everything that was read, or would have been, so that cargo runs the script again when it changes.
fn watch(sources: &Sources) -> io::Result<()> {
    let mut cargo = io::stdout().lock();
    let files = sources.files().map(|(_, file)| file.path.as_path());
    let folders = sources.folders().iter().map(PathBuf::as_path);
    for path in files.chain(folders).chain(sources.unreadable_paths()) {
        writeln!(cargo, "cargo::rerun-if-changed={}", path.display())?;
    }
    Ok(())
}

/// One line each: cargo puts its own words before every line.
fn warn(warnings: &Diagnostics, sources: &Sources) -> io::Result<()> {
    let mut cargo = io::stdout().lock();
    for warning in warnings.sorted() {
        writeln!(cargo, "cargo::warning={}", warning.headline(sources))?;
    }
    Ok(())
}

impl From<Kind> for Error {
    fn from(kind: Kind) -> Self {
        Self { kind }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            Kind::Contract(report) => write!(f, "the contract has faults\n\n{}", report.trim_end()),
            Kind::Load(error) => write!(f, "cannot read the contract: {error}"),
            Kind::NoName => {
                f.write_str("the contract names no server: add `[server] name = \"…\"`, or call `Config::name`")
            }
            Kind::NotInBuildScript => f.write_str("`OUT_DIR` is not set: `compile` is for build scripts"),
            Kind::Output(error) => write!(f, "{error}"),
            Kind::Stdout(_) => f.write_str("cannot talk to cargo"),
        }
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)?;
        let mut causes = iter::successors(self.source(), |&error| error.source());
        causes.try_for_each(|cause| write!(f, ": {cause}"))
    }
}

impl StdError for Error {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        match &self.kind {
            Kind::Load(error) => error.source(),
            Kind::Output(error) => error.source(),
            Kind::Stdout(error) => Some(error),
            Kind::Contract(_) | Kind::NoName | Kind::NotInBuildScript => None,
        }
    }
}
