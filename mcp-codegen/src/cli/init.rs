//! `init`: a new project from the templates.

use std::error::Error;
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::{InitArgs, Outcome, console};
use crate::scaffold::{self, PackageName, Project};

pub(super) fn run(args: &InitArgs) -> Result<Outcome, Box<dyn Error>> {
    let dir = std::path::absolute(&args.dir)?;
    let name = match &args.name {
        Some(name) => PackageName::parse(name)?,
        None => PackageName::made_from(&dir.file_name().map(OsStr::to_string_lossy).unwrap_or_default()),
    };
    let checkout = checkout(args.runtime_path.as_deref())?;
    let project = Project { name, checkout };
    refuse_if_taken(&dir)?;
    for (path, text) in scaffold::files(&project)? {
        let path = dir.join(path);
        fs::create_dir_all(path.parent().unwrap_or(&dir)).map_err(|error| because("create", &path, &error))?;
        fs::write(&path, text).map_err(|error| because("write", &path, &error))?;
    }
    console::talk(&format!("created the server `{}` in `{}`", project.name, args.dir.display()))?;
    if let Some(checkout) = &project.checkout {
        console::talk(&format!("it uses mcp-runtime and mcp-codegen in `{}`", checkout.display()))?;
    }
    if let Some(workspace) = enclosing_workspace(&dir) {
        console::talk(&format!("note: `{}` is a workspace: add the folder to its members", workspace.display()))?;
    }
    console::talk(&format!("next: run `cargo test` in `{}`", args.dir.display()))?;
    Ok(Outcome::Fine)
}

/// A folder that holds anything is somebody's.
fn refuse_if_taken(dir: &Path) -> io::Result<()> {
    let mut entries = match fs::read_dir(dir) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(because("read", dir, &error)),
    };
    match entries.next() {
        None => Ok(()),
        Some(_) => Err(io::Error::other(format!("`{}` is not empty: choose a new folder", dir.display()))),
    }
}

/// The folder that holds mcp-runtime and mcp-codegen, or `None` for the published ones. A program that was built in a
/// checkout makes projects that use that checkout.
fn checkout(runtime: Option<&Path>) -> io::Result<Option<PathBuf>> {
    let Some(runtime) = runtime else {
        let built_in = Path::new(env!("CARGO_MANIFEST_DIR")).parent();
        return Ok(built_in.filter(|parent| parent.join("mcp-runtime/Cargo.toml").is_file()).map(Path::to_owned));
    };
    let folder = runtime.canonicalize().map_err(|error| because("find", runtime, &error))?;
    let holds_both = |folder: &&Path| folder.join("mcp-runtime/Cargo.toml").is_file();
    let checkout = [Some(&*folder), folder.parent()].into_iter().flatten().find(holds_both);
    let Some(checkout) = checkout else {
        let message = format!("`{}` is neither the folder of mcp-runtime nor the one around it", runtime.display());
        return Err(io::Error::other(message));
    };
    Ok(Some(checkout.to_owned()))
}

/// The workspace that cargo would take the new package to belong to.
fn enclosing_workspace(dir: &Path) -> Option<PathBuf> {
    // `../hello` lies beside this folder and not in it, so the words of the path do not count
    let dir = dir.canonicalize().ok()?;
    let manifests = dir.ancestors().skip(1).map(|folder| folder.join("Cargo.toml"));
    let mut texts = manifests.filter_map(|path| fs::read_to_string(&path).ok().map(|text| (path, text)));
    texts.find(|(_, text)| text.lines().any(|line| line.trim_end() == "[workspace]")).map(|(path, _)| path)
}

fn because(action: &str, path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("cannot {action} `{}`: {error}", path.display()))
}
