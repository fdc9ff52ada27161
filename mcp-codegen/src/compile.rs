//! Use from a build script: reads a contract, generates, writes to `OUT_DIR`, and tells cargo what to watch.

use std::env;
use std::error::Error as StdError;
use std::fmt;
use std::io::{self, Write};
use std::iter;
use std::path::{Path, PathBuf};

use crate::config::Config;
use crate::diagnostic::{Diagnostics, Format};
use crate::load::{self, LoadError};
use crate::output;
use crate::source::Sources;

/// Why a build script got no code.
///
/// `Display` and `Debug` both give the whole report with excerpts, because `fn main() -> Result<…>` prints `Debug`.
pub struct Error {
    kind: Kind,
}

enum Kind {
    /// Standard output, on which cargo listens, is closed.
    Cargo(io::Error),
    /// The contract has faults: the rendered report.
    Contract(String),
    Load(LoadError),
    NoName,
    NotInBuildScript,
    Output(output::Error),
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
        let run = Run { path: path.as_ref(), out_dir: out_dir.as_ref() };
        run.compile(&self.single_file(true), &mut io::stdout().lock())
    }
}

/// Where to read and where to write.
struct Run<'a> {
    path: &'a Path,
    out_dir: &'a Path,
}

impl Run<'_> {
    /// Reads, generates, writes; speaks to `cargo`.
    fn compile(&self, config: &Config, cargo: &mut dyn Write) -> Result<(), Error> {
        let sources = load::load(self.path).map_err(Kind::Load)?;
        watch(&sources, cargo).map_err(Kind::Cargo)?;
        let generated = crate::generate(&sources, config);
        let generated = generated.map_err(|found| Kind::Contract(found.render(&sources, Format::Plain)))?;
        warn(&generated.warnings, &sources, cargo).map_err(Kind::Cargo)?;
        let name = generated.name.ok_or(Kind::NoName)?;
        let text = generated.files.get("mod.rs").unwrap_or_default();
        output::write_if_changed(&self.out_dir.join(format!("{name}.rs")), text).map_err(Kind::Output)?;
        Ok(())
    }
}

/// Names everything that was read, or would have been, so that cargo runs the script again when it changes.
fn watch(sources: &Sources, cargo: &mut dyn Write) -> io::Result<()> {
    let files = sources.files().map(|(_, file)| file.path.as_path());
    let folders = sources.folders().iter().map(PathBuf::as_path);
    for path in files.chain(folders).chain(sources.unreadable_paths()) {
        writeln!(cargo, "cargo::rerun-if-changed={}", path.display())?;
    }
    Ok(())
}

/// One line each: cargo puts its own words before every line.
fn warn(warnings: &Diagnostics, sources: &Sources, cargo: &mut dyn Write) -> io::Result<()> {
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
            Kind::Load(error) => fmt::Display::fmt(error, f),
            Kind::NoName => {
                f.write_str("the contract names no server: add `[server] name = \"…\"`, or call `Config::name`")
            }
            Kind::NotInBuildScript => f.write_str("`OUT_DIR` is not set: `compile` is for build scripts"),
            Kind::Output(error) => fmt::Display::fmt(error, f),
            Kind::Cargo(_) => f.write_str("cannot talk to cargo"),
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
            Kind::Cargo(error) => Some(error),
            Kind::Contract(_) | Kind::NoName | Kind::NotInBuildScript => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    const CONTRACT: &str = "format = 1\n[server]\nname = \"weather\"\n[[tools]]\nname = \"echo\"\n";

    /// Compiles `contract` in a folder of its own; returns what cargo was told, and the folder.
    fn compile(contract: &str) -> (Result<String, Error>, tempfile::TempDir) {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir(dir.path().join("specs")).unwrap();
        fs::write(dir.path().join("specs/weather.toml"), contract).unwrap();
        (compile_again(&dir), dir)
    }

    fn compile_again(dir: &tempfile::TempDir) -> Result<String, Error> {
        let mut cargo = Vec::new();
        let run = Run { path: &dir.path().join("specs"), out_dir: dir.path() };
        run.compile(&Config::new().single_file(true), &mut cargo).map(|()| String::from_utf8(cargo).unwrap())
    }

    #[test]
    fn the_contracts_name_names_the_file_and_cargo_watches_all_that_was_read() {
        let (told, dir) = compile(CONTRACT);
        let specs = dir.path().join("specs");
        let expected =
            [specs.join("weather.toml"), specs].map(|path| format!("cargo::rerun-if-changed={}\n", path.display()));
        assert_eq!(told.unwrap(), expected.concat());
        assert!(fs::read_to_string(dir.path().join("weather.rs")).unwrap().contains("pub mod echo {"));
    }

    #[test]
    fn a_file_that_the_contract_includes_is_watched_by_its_own_name() {
        let resource = "[[resources]]\nname = \"guide\"\nuri = \"weather://guide\"\nfile = \"../texts/guide.md\"\n";
        let (told, dir) = compile(&format!("{CONTRACT}{resource}"));
        assert!(told.is_err(), "there is no such file yet");
        fs::create_dir(dir.path().join("texts")).unwrap();
        fs::write(dir.path().join("texts/guide.md"), "Ask for a city.").unwrap();
        fs::write(dir.path().join("texts/other.md"), "Nobody reads this.").unwrap();
        let told = compile_again(&dir).unwrap();
        assert!(told.lines().any(|line| line.ends_with("guide.md")) && !told.contains("other.md"), "{told}");
        assert!(!told.lines().any(|line| line.ends_with("texts")), "{told}");
    }

    #[test]
    fn a_second_run_writes_nothing() {
        let (_, dir) = compile(CONTRACT);
        let written = || fs::metadata(dir.path().join("weather.rs")).unwrap().modified().unwrap();
        let before = written();
        compile_again(&dir).unwrap();
        assert_eq!(written(), before);
    }

    #[test]
    fn a_contract_without_a_name_needs_one() {
        let (told, _dir) = compile("format = 1\n[[tools]]\nname = \"echo\"\n");
        assert!(told.unwrap_err().to_string().contains("`Config::name`"));
    }

    #[test]
    fn faults_are_shown_with_excerpts_by_main_too() {
        let error = compile(&CONTRACT.replace("[[tools]]", "[[tolls]]")).0.unwrap_err();
        assert!(error.to_string().contains("weather.toml:4:3\n"), "{error}");
        assert_eq!(format!("{error:?}"), error.to_string());
    }
}
