//! A contract as it was in a revision of git.

use std::error::Error;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

use mcp_codegen::load;
use mcp_codegen::source::Sources;

/// Reads `REV` or `REV:PATH`. Without a path it is that of the contract that lies here now; a path begins at the root of the
/// repository.
pub(super) fn load(text: &str, now: &Path) -> Result<Sources, Box<dyn Error>> {
    let (revision, path) = text.split_once(':').map_or((text, None), |(revision, path)| (revision, Some(path)));
    let folder = folder_of(now);
    let commit =
        git(folder, &["rev-parse", "--verify", "--quiet", "--end-of-options", &format!("{revision}^{{commit}}")])
            .map_err(|error| format!("git knows no revision `{revision}`{error}"))?;
    let root = PathBuf::from(git(folder, &["rev-parse", "--show-toplevel"])?);
    let path = match path {
        Some(path) => PathBuf::from(path),
        None => Path::new(&git(folder, &["rev-parse", "--show-prefix"])?).join(name_of(now)),
    };
    let copy = tempfile::tempdir().map_err(|error| format!("no temporary folder can be created: {error}"))?;
    check_out(&root, &commit, (copy.path(), &path))?;
    let sources = load::load(&copy.path().join("tree").join(&path))
        .map_err(|_| format!("`{}` holds no contract in the revision `{revision}`", path.display()))?;
    Ok(shown_as(&sources, &copy.path().join("tree"), &format!("git:{revision}")))
}

/// Writes what the revision has there, with all that lies beside it, into `copy/tree`. Neither the index nor the files of
/// the repository are touched.
fn check_out(root: &Path, commit: &str, (copy, path): (&Path, &Path)) -> Result<(), Box<dyn Error>> {
    let tree = copy.join("tree");
    std::fs::create_dir(&tree).map_err(|error| format!("cannot create `{}`: {error}", tree.display()))?;
    let is_file = path.extension().is_some_and(|ending| ending == "toml" || ending == "json");
    let wanted = if is_file { folder_of(path) } else { path };
    let wanted = if wanted.as_os_str().is_empty() { Path::new(".") } else { wanted };
    let mut command = Command::new("git");
    command.arg("-C").arg(root).arg("--work-tree").arg(&tree).env("GIT_INDEX_FILE", copy.join("index"));
    command.args(["checkout", "--quiet", commit, "--"]).arg(wanted);
    let output = command.output()?;
    if !output.status.success() {
        return Err(format!("`{}` is not in that revision", path.display()).into());
    }
    Ok(())
}

/// One line that git answers.
fn git(folder: &Path, arguments: &[&str]) -> Result<String, Box<dyn Error>> {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let output = Command::new("git").arg("-C").arg(folder).args(arguments).output();
    let output = output.map_err(|error| format!("git cannot be run: {error}"))?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        let said = said.trim().trim_start_matches("fatal: ");
        return Err(if said.is_empty() { String::new() } else { format!(": {said}") }.into());
    }
    Ok(String::from_utf8(output.stdout)?.trim_end().to_owned())
}

/// The folder itself, or that of the file.
fn folder_of(path: &Path) -> &Path {
    if path.is_dir() { path } else { path.parent().unwrap_or(Path::new("")) }
}

fn name_of(path: &Path) -> &OsStr {
    if path.is_dir() { OsStr::new("") } else { path.file_name().unwrap_or_default() }
}

/// The same texts under paths that people know.
fn shown_as(sources: &Sources, tree: &Path, revision: &str) -> Sources {
    let mut shown = Sources::default();
    let path = |path: &Path| Path::new(revision).join(path.strip_prefix(tree).unwrap_or(path));
    for (_, file) in sources.files() {
        let mut file = file.clone();
        file.path = path(&file.path);
        shown.add(file);
    }
    for unreadable in sources.unreadable_paths() {
        shown.add_unreadable(path(unreadable), sources.unreadable(unreadable).unwrap_or_default());
    }
    shown
}
