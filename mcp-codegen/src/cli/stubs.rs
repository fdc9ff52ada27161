//! `stubs`: a starting impl for each feature that the crate does not implement.

use std::error::Error;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use mcp_codegen::stubs::{self, Crate, Failure, Options, Plan, Stub};
use mcp_codegen::{Config, load};

use self::place::Place;
use super::console::{self, View};
use super::{Outcome, StubsArgs, contract};

mod place;

/// Larger files are no code that somebody wrote.
const MAX_BYTES: u64 = 16 << 20;

/// The first line of a file of `mod` lines that this command wrote.
const MODULES: &str = "//! Handlers, a module for each feature. `mcp-codegen stubs` adds modules at the end.\n";

pub(super) fn run(args: &StubsArgs, view: View) -> Result<Outcome, Box<dyn Error>> {
    let sources = load::load(&args.contract.specs)?;
    let output = place::resolved(&args.output)?;
    let root = match &args.root {
        Some(root) => root.clone(),
        None => root_of(&args.output, &output)?,
    };
    let place = Place::of(&output, &root).map_err(|why| format!("`{}` {why}", args.output.display()))?;
    let krate = Crate::read(&root, &read)?;
    let mut options = Options::default();
    options.handler.clone_from(&args.handler);
    options.api.clone_from(&args.api);
    let plan = match stubs::plan(&sources, &contract::named(&args.contract, Config::new()), &krate, &options) {
        Ok(plan) => plan,
        Err(Failure::Contract(found)) => {
            view.report(&found, &sources)?;
            return Ok(Outcome::Findings);
        }
        Err(Failure::Unclear(why)) => return Err(why.into()),
        Err(_) => return Err("the crate cannot be read".into()),
    };
    view.report(&plan.warnings, &sources)?;
    if view.outcome(&plan.warnings) == Outcome::Findings {
        return Ok(Outcome::Findings);
    }
    view.report(&plan.left, &krate.sources)?;
    write(&plan, &place::shown(&output)?, &place)?;
    Ok(view.outcome(&plan.left))
}

/// The text of a file, or nothing where there is none.
fn read(path: &Path) -> io::Result<Option<String>> {
    let because = |error: io::Error| io::Error::new(error.kind(), format!("cannot read `{}`: {error}", path.display()));
    match fs::metadata(path) {
        Ok(found) if !found.is_file() => Ok(None),
        Ok(found) if found.len() > MAX_BYTES => Err(io::Error::other(format!("`{}` is too large", path.display()))),
        Ok(_) => fs::read_to_string(path).map(Some).map_err(because),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(because(error)),
    }
}

/// `src/main.rs`, or else `src/lib.rs`, of the package that the folder lies in, which is given as it was typed and as it is.
fn root_of(typed: &Path, output: &Path) -> Result<PathBuf, Box<dyn Error>> {
    let package = output.ancestors().skip(1).find(|folder| folder.join("Cargo.toml").is_file());
    let package = package.ok_or_else(|| format!("`{}` lies in no package of cargo's", typed.display()))?;
    let roots = ["src/main.rs", "src/lib.rs"].map(|root| package.join(root));
    let root = roots.into_iter().find(|root| root.is_file());
    let root = root.ok_or_else(|| {
        format!(
            "`{}` has neither src/main.rs nor src/lib.rs; name the root of the crate: `--root FILE`",
            package.display()
        )
    })?;
    Ok(place::shown(&root)?)
}

fn write(plan: &Plan, folder: &Path, place: &Place) -> Result<(), Box<dyn Error>> {
    if plan.stubs.is_empty() {
        let features = console::count(plan.implemented, "feature");
        console::talk(&format!("nothing to do: the crate implements {features} of the contract"))?;
        return Ok(());
    }
    let because = |error| format!("cannot create the folder `{}`: {error}", folder.display());
    fs::create_dir_all(folder).map_err(because)?;
    let mut written: Vec<&Stub> = Vec::new();
    let mut taken: Vec<&Stub> = Vec::new();
    for stub in &plan.stubs {
        let is_new = create(&folder.join(&stub.file), &stub.text)?;
        if is_new { written.push(stub) } else { taken.push(stub) }
    }
    for stub in &written {
        console::talk(&format!("wrote `{}` for {}", folder.join(&stub.file).display(), stub.feature))?;
    }
    for stub in &taken {
        let path = folder.join(&stub.file).display().to_string();
        console::talk(&format!("warning: `{path}` is there and stays, but {} is not implemented", stub.feature))?;
        console::talk("help: declare it as a module of the crate, or write the impl")?;
    }
    declare(folder, &written, place)
}

/// Creates a file, unless there is one.
fn create(path: &Path, text: &str) -> io::Result<bool> {
    let file = fs::OpenOptions::new().write(true).create_new(true).open(path);
    match file {
        Ok(mut file) => file.write_all(text.as_bytes()).map(|()| true),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(false),
        Err(error) => Err(io::Error::new(error.kind(), format!("cannot write `{}`: {error}", path.display()))),
    }
}

/// Makes modules of the files: in the folder's own `mod.rs` if this command wrote it, else by telling what to add.
fn declare(folder: &Path, written: &[&Stub], place: &Place) -> Result<(), Box<dyn Error>> {
    let mut written = written.to_vec();
    written.sort_by_key(|stub| &stub.file);
    let lines: String = written.iter().map(|stub| line(stub)).collect();
    if lines.is_empty() {
        return Ok(());
    }
    let own = folder.join("mod.rs");
    if let Some(file) = &place.takes_modules {
        return Ok(console::talk(&format!("next: add to `{}`:\n\n{lines}", file.display()))?);
    }
    if create(&own, &format!("{MODULES}\n{lines}"))? {
        let next = format!("next: add to `{}`:\n\n{}", place.root.display(), place.declaration);
        return Ok(console::talk(&format!("wrote `{}`\n{next}", own.display()))?);
    }
    if !read(&own)?.unwrap_or_default().starts_with(MODULES) {
        return Ok(console::talk(&format!("next: add to `{}`:\n\n{lines}", own.display()))?);
    }
    let because = |error: io::Error| io::Error::new(error.kind(), format!("cannot write `{}`: {error}", own.display()));
    let file = fs::OpenOptions::new().append(true).open(&own);
    file.and_then(|mut file| file.write_all(format!("\n{lines}").as_bytes())).map_err(because)?;
    Ok(console::talk(&format!("added {} to `{}`", console::count(written.len(), "module"), own.display()))?)
}

/// rustc looks for no file by a name beyond ASCII, unless it is told.
fn line(stub: &Stub) -> String {
    let path = if stub.file.is_ascii() { String::new() } else { format!("#[path = \"{}\"]\n", stub.file) };
    format!("{path}mod {};\n", stub.module)
}
