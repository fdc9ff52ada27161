//! Where a folder of handlers lies, and which line makes a module of it.

use std::io;
use std::path::{Component, Path, PathBuf};

use mcp_codegen::stubs::module_name;

/// Where a folder lies, seen from the root of its crate.
#[derive(Debug)]
pub(super) struct Place {
    /// The file of the crate's root.
    pub(super) root: PathBuf,
    /// The lines that declare the folder in that file.
    pub(super) declaration: String,
    /// The file that takes the modules in the folder's stead: the root, for its own folder, or `handlers.rs` beside.
    pub(super) takes_modules: Option<PathBuf>,
}

impl Place {
    /// The place of a folder whose path is resolved. Says in half a sentence why it can be no module.
    pub(super) fn of(folder: &Path, root: &Path) -> Result<Self, String> {
        let source = root.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let source = resolved(source).map_err(|error| format!("cannot be placed in the crate: {error}"))?;
        let root = root.to_owned();
        if folder == source {
            return Ok(Self { takes_modules: Some(root.clone()), declaration: String::new(), root });
        }
        let name = folder.file_name().and_then(|name| name.to_str()).ok_or("has no name that a module could have")?;
        let module = module_name(name);
        if folder.parent() == Some(&source) && module == name {
            let beside = folder.with_file_name(format!("{name}.rs"));
            // As the person named the root, so that both are shown alike.
            let shown = root.with_file_name(format!("{name}.rs"));
            let takes_modules = beside.is_file().then_some(shown);
            return Ok(Self { declaration: format!("mod {module};\n"), takes_modules, root });
        }
        let path = relative(&source, folder).ok_or("is not on the disk of the crate")?;
        let declaration = format!("#[path = {:?}]\nmod {module};\n", format!("{path}/mod.rs"));
        Ok(Self { declaration, takes_modules: None, root })
    }
}

/// A path without links and `..`, also where the end of it is not there yet.
pub(super) fn resolved(path: &Path) -> io::Result<PathBuf> {
    let absolute = std::path::absolute(path)?;
    let mut made = PathBuf::new();
    for step in absolute.components() {
        match step {
            Component::ParentDir => _ = made.pop(),
            Component::CurDir => {}
            step => made.push(step),
        }
        // A link is followed before its `..` is: that is where the system goes.
        if let Ok(real) = made.canonicalize() {
            made = real;
        }
    }
    Ok(made)
}

/// A resolved path as people would write it: from the folder that they are in.
pub(super) fn shown(path: &Path) -> io::Result<PathBuf> {
    let here = std::env::current_dir()?.canonicalize()?;
    Ok(path.strip_prefix(here).unwrap_or(path).to_owned())
}

/// The way from one folder to another, with `/` between the steps.
fn relative(from: &Path, to: &Path) -> Option<String> {
    let (from, to): (Vec<_>, Vec<_>) = (from.components().collect(), to.components().collect());
    let common = from.iter().zip(&to).take_while(|(one, other)| one == other).count();
    if common == 0 {
        return None;
    }
    let up = from[common..].iter().map(|_| Some(".."));
    let down = to[common..].iter().map(|step| step.as_os_str().to_str());
    let steps: Option<Vec<&str>> = up.chain(down).collect();
    steps.map(|steps| steps.join("/"))
}
