//! Reads a contract from the disk: a file, or a folder with all that is in it, and the files that those name.
//!
//! This is the edge; behind it everything works on the texts of a [`Sources`].

use std::collections::BTreeSet;
use std::fmt;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;

use crate::contract::attachments;
use crate::diagnostic::Diagnostics;
use crate::document;
use crate::source::{Role, SourceFile, Sources};

/// A folder with a file of this name is passed over.
const IGNORE: &str = ".mcp-codegen-ignore";

/// A file may have this many bytes.
const MAX_BYTES: u64 = 64 << 20;

/// Reads the contract at `path`.
///
/// A folder is read recursively in sorted order. Dot files, `*.schema.json` and folders that hold a
/// `.mcp-codegen-ignore` are passed over. What links lead to again is read once, where it is met first. Only regular
/// files of at most 64 MiB are read. A file that a contract names and that cannot be read is no error here: it
/// is reported at the place that names it.
///
/// # Errors
///
/// Fails where `path` cannot be read, or holds no contract file.
pub fn load(path: &Path) -> Result<Sources, LoadError> {
    let mut sources = Sources::default();
    let metadata = fs::metadata(path).map_err(|error| LoadError::read(path, error))?;
    if metadata.is_dir() {
        Walk { root: path, sources: &mut sources, seen: BTreeSet::new() }.folder(path)?;
    } else {
        let role = role(path).ok_or_else(|| LoadError { path: path.to_owned(), kind: Kind::Extension })?;
        file(path, path, (role, &mut sources))?;
    }
    if sources.files().next().is_none() {
        return Err(LoadError { path: path.to_owned(), kind: Kind::Empty });
    }
    let root = if metadata.is_dir() { path } else { path.parent().unwrap_or(Path::new("")) };
    attach(root, &mut sources);
    Ok(sources)
}

/// Why a contract could not be read at all.
#[derive(Debug)]
pub struct LoadError {
    path: PathBuf,
    kind: Kind,
}

#[derive(Debug)]
enum Kind {
    Empty,
    Extension,
    Read(io::Error),
}

impl LoadError {
    fn read(path: &Path, error: io::Error) -> Self {
        Self { path: path.to_owned(), kind: Kind::Read(error) }
    }

    /// What could not be read.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether there was nothing to read: a folder without a contract.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        matches!(self.kind, Kind::Empty)
    }
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = self.path.display();
        match self.kind {
            Kind::Empty => write!(f, "the folder `{path}` holds no contract: no `.toml` and no `.json` file"),
            Kind::Extension => {
                write!(f, "the file `{path}` is no contract: its name ends neither in `.toml` nor in `.json`")
            }
            Kind::Read(_) => write!(f, "`{path}` cannot be read"),
        }
    }
}

impl std::error::Error for LoadError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.kind {
            Kind::Empty | Kind::Extension => None,
            Kind::Read(error) => Some(error),
        }
    }
}

/// A walk through a folder.
struct Walk<'a> {
    root: &'a Path,
    sources: &'a mut Sources,
    /// What was read, by its path without links: a link may lead to any of it again.
    seen: BTreeSet<PathBuf>,
}

impl Walk<'_> {
    fn folder(&mut self, path: &Path) -> Result<(), LoadError> {
        if !self.is_new(path)? {
            return Ok(());
        }
        self.sources.add_folder(path.to_owned());
        let failed = |error| LoadError::read(path, error);
        let mut entries = fs::read_dir(path).map_err(failed)?.collect::<io::Result<Vec<_>>>().map_err(failed)?;
        entries.sort_by_key(fs::DirEntry::file_name);
        if entries.iter().any(|entry| entry.file_name() == IGNORE) {
            return Ok(());
        }
        for entry in entries {
            let path = entry.path();
            if entry.file_name().to_string_lossy().starts_with('.') {
                continue;
            }
            if path.is_dir() {
                self.folder(&path)?;
            } else if let Some(role) = role(&path)
                && self.is_new(&path)?
            {
                file(self.root, &path, (role, self.sources))?;
            }
        }
        Ok(())
    }

    /// Whether this was not read before, by this way or another.
    fn is_new(&mut self, path: &Path) -> Result<bool, LoadError> {
        let real = fs::canonicalize(path).map_err(|error| LoadError::read(path, error))?;
        Ok(self.seen.insert(real))
    }
}

fn file(root: &Path, path: &Path, (role, sources): (Role, &mut Sources)) -> Result<(), LoadError> {
    let text = bytes(path).and_then(text).map_err(|error| LoadError::read(path, error))?;
    sources.add(SourceFile { name: shown(root, path), path: path.to_owned(), text, role });
    Ok(())
}

/// What a regular file holds: any other may wait for a writer, or never end.
fn bytes(path: &Path) -> io::Result<Vec<u8>> {
    let metadata = fs::metadata(path)?;
    if !metadata.is_file() {
        return Err(io::Error::other(if metadata.is_dir() { "it is a folder" } else { "it is no regular file" }));
    }
    let mut bytes = Vec::new();
    // It may grow meanwhile.
    fs::File::open(path)?.take(MAX_BYTES + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(io::Error::other(format!("it is larger than {} MiB", MAX_BYTES >> 20)));
    }
    Ok(bytes)
}

fn text(bytes: Vec<u8>) -> io::Result<String> {
    String::from_utf8(bytes).map_err(|_| io::Error::other("it is not UTF-8 text"))
}

/// Adds the files that the contracts name.
fn attach(root: &Path, sources: &mut Sources) {
    if !sources.files().any(|(_, file)| may_name_files(&file.text)) {
        return;
    }
    // Whatever is wrong with the texts is said when they are read in earnest.
    let documents = document::read(sources, &mut Diagnostics::default());
    for path in attachments(&documents, sources) {
        if let Some(id) = sources.at(&path) {
            let is_native =
                documents.iter().any(|document| document.file == id && document.root.get("format").is_some());
            if !is_native {
                sources.make_attachment(id);
            }
            continue;
        }
        match bytes(&path).map(String::from_utf8) {
            Ok(content) => {
                let name = shown(root, &path);
                let (text, role) = match content {
                    Ok(text) => (text, Role::Attachment),
                    Err(error) => (BASE64.encode(error.into_bytes()), Role::Binary),
                };
                sources.add(SourceFile { name, path, text, role });
            }
            Err(error) => {
                let reason = reason(&error);
                sources.add_unreadable(path, reason);
            }
        }
    }
}

/// Whether the key `file` can stand in a contract. Most have none, and are not read twice then.
fn may_name_files(text: &str) -> bool {
    // A key can be written with escapes.
    ["file", "\\u", "\\U", "\\x"].iter().any(|sign| text.contains(sign))
}

/// In our own words where we have some: the system's differ from one to the next.
fn reason(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "there is no such file".to_owned(),
        _ => error.to_string(),
    }
}

/// What a file in a contract's folder is, if it is part of the contract.
fn role(path: &Path) -> Option<Role> {
    let name = path.file_name()?.to_str()?;
    match path.extension()?.to_str()? {
        "toml" => Some(Role::Toml),
        "json" if !name.ends_with(".schema.json") => Some(Role::Json),
        _ => None,
    }
}

/// The path as people see it: from the root on, with `/` on every system.
fn shown(root: &Path, path: &Path) -> String {
    let relative = path.strip_prefix(root).ok().filter(|relative| !relative.as_os_str().is_empty());
    let name = relative.or_else(|| path.file_name().map(Path::new)).unwrap_or(path);
    name.components().map(|step| step.as_os_str().to_string_lossy()).collect::<Vec<_>>().join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_read_in_order_less_what_is_passed_over() {
        let root = std::env::temp_dir().join(format!("mcp-codegen-load-{}", std::process::id()));
        let write = |name: &str, text: &str| {
            let path = root.join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        write("b.toml", "format = 1\n[[tools]]\nname = 't'\ninputSchema = { file = 'a/in.json' }\n");
        write("a/c.json", "[]");
        write("a/in.json", "{}");
        write("a/x.schema.json", "{}");
        write(".hidden.toml", "");
        write("off/d.toml", "");
        write("off/.mcp-codegen-ignore", "");
        let sources = load(&root).unwrap();
        let told: Vec<_> = sources.files().map(|(_, file)| (file.name.as_str(), file.role)).collect();
        fs::remove_dir_all(&root).unwrap();
        assert_eq!(told, [("a/c.json", Role::Json), ("a/in.json", Role::Attachment), ("b.toml", Role::Toml)]);
        assert_eq!(sources.folders().len(), 3);
    }

    #[test]
    fn a_file_is_found_however_its_key_is_written() {
        for key in ["file", r#""fi\u006ce""#, r#""\U00000066ile""#, r#""\x66ile""#] {
            let root = tempfile::tempdir().unwrap();
            let contract = format!("format = 1\n[[tools]]\nname = 't'\ninputSchema = {{ {key} = 'in.json' }}\n");
            fs::write(root.path().join("a.toml"), contract).unwrap();
            fs::write(root.path().join("in.json"), "{}").unwrap();
            let sources = load(&root.path().join("a.toml")).unwrap();
            let attached = sources.files().filter(|(_, file)| file.role == Role::Attachment).count();
            assert_eq!(attached, 1, "{key}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn what_links_lead_to_is_read_once() {
        use std::os::unix::fs::symlink;
        let root = std::env::temp_dir().join(format!("mcp-codegen-links-{}", std::process::id()));
        fs::create_dir_all(root.join("a")).unwrap();
        fs::write(root.join("a/b.json"), "[]").unwrap();
        symlink(".", root.join("c")).unwrap();
        symlink("..", root.join("a/up")).unwrap();
        symlink("a/b.json", root.join("d.json")).unwrap();
        let sources = load(&root).unwrap();
        let told: Vec<_> = sources.files().map(|(_, file)| file.name.as_str()).collect();
        fs::remove_dir_all(&root).unwrap();
        assert_eq!((told, sources.folders().len()), (vec!["a/b.json"], 2));
    }

    #[test]
    fn only_regular_files_of_some_size_are_read() {
        let root = std::env::temp_dir().join(format!("mcp-codegen-special-{}", std::process::id()));
        fs::create_dir_all(&root).unwrap();
        fs::File::create(root.join("large.txt")).unwrap().set_len(MAX_BYTES + 1).unwrap();
        let contract = "format = 1\n[[resources]]\nname = 'r'\nuri = 'x:r'\nfile = ";
        let named = [("large.txt", "larger than 64 MiB"), (".", "a folder")];
        let special = cfg!(unix).then_some(("/dev/zero", "no regular file"));
        for (name, reason) in named.into_iter().chain(special) {
            fs::write(root.join("a.toml"), format!("{contract}'{name}'\n")).unwrap();
            let sources = load(&root).unwrap();
            let told: Vec<_> = sources.unreadable_paths().filter_map(|path| sources.unreadable(path)).collect();
            assert!(told.len() == 1 && told[0].contains(reason), "{name}: {told:?}");
        }
        fs::remove_dir_all(&root).unwrap();
    }

    #[test]
    fn what_is_no_contract_is_an_error() {
        assert!(load(Path::new("no/such/folder")).unwrap_err().to_string().contains("cannot be read"));
        assert!(load(Path::new(file!())).is_err());
    }
}
