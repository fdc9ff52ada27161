//! The texts of a contract and places in them: every later stage points back here.

use std::path::{Path, PathBuf};

/// All texts that one run reads, in the order in which they were found.
///
/// A `Sources` is filled at the edge (the command line, a build script, a test); everything behind it works on text.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    files: Vec<SourceFile>,
    /// Where the lines of each begin, but for the first.
    lines: Vec<Vec<u32>>,
    folders: Vec<PathBuf>,
    unreadable: Vec<(PathBuf, String)>,
}

/// One text, with the path to show to people.
#[derive(Clone, Debug)]
pub struct SourceFile {
    /// As shown in generated headers: relative to the contract's folder, with `/` on every system.
    pub name: String,
    /// Where it lies, for messages and `rerun-if-changed`; empty for a text that never was a file.
    pub path: PathBuf,
    /// The text itself, without a byte order mark. What is no text stands here in Base64.
    pub text: String,
    /// Whether it is a contract, or a file that a contract names (`{ file = "x.json" }`).
    pub role: Role,
}

/// What a source file is read as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Role {
    /// A contract in JSON: native, or a list answer of a server.
    Json,
    /// A native contract in TOML.
    Toml,
    /// Named by a contract: a schema or the content of a resource. Read only where it is named.
    Attachment,
    /// Named by a contract, and not UTF-8: the content of a resource, in Base64.
    Binary,
}

/// Names one file of a [`Sources`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileId(u32);

/// A range of bytes in one file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// The file.
    pub file: FileId,
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

/// A value and the place that said it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Spanned<T> {
    /// What was said.
    pub value: T,
    /// Where.
    pub span: Span,
}

impl Sources {
    /// Adds a text and returns its id. A leading byte order mark is dropped.
    ///
    /// # Panics
    ///
    /// Panics at the 2^32th text.
    pub fn add(&mut self, mut file: SourceFile) -> FileId {
        if let Some(rest) = file.text.strip_prefix('\u{feff}') {
            file.text = String::from(rest);
        }
        let id = FileId(u32::try_from(self.files.len()).expect("fewer than 2^32 files"));
        let starts = file.text.bytes().zip(1..).filter(|(byte, _)| *byte == b'\n').map(|(_, next)| next);
        self.lines.push(starts.collect());
        self.files.push(file);
        id
    }

    /// Takes a file for what a contract names, and no longer for a contract of its own.
    pub fn make_attachment(&mut self, id: FileId) {
        if let Some(file) = self.files.get_mut(id.0 as usize) {
            file.role = Role::Attachment;
        }
    }

    /// Remembers a folder that was listed, so that a build script notices new files in it.
    pub fn add_folder(&mut self, folder: PathBuf) {
        self.folders.push(folder);
    }

    /// The file behind an id.
    ///
    /// # Panics
    ///
    /// Panics if the id comes from another `Sources`.
    #[must_use]
    pub fn file(&self, id: FileId) -> &SourceFile {
        &self.files[id.0 as usize]
    }

    /// Whether a span lies in one of these files; what an option did wrong lies in none.
    pub(crate) fn has(&self, span: Span) -> bool {
        (span.file.0 as usize) < self.files.len()
    }

    /// All files with their ids, in reading order.
    pub fn files(&self) -> impl Iterator<Item = (FileId, &SourceFile)> {
        (0..).map(FileId).zip(&self.files)
    }

    /// Line and column of a byte, both from one; the column in characters.
    pub(crate) fn position(&self, file: FileId, offset: usize) -> (usize, usize) {
        let (starts, text) = (&self.lines[file.0 as usize], &self.file(file).text);
        let line = starts.partition_point(|start| *start as usize <= offset);
        let start = line.checked_sub(1).map_or(0, |before| starts[before] as usize);
        let before = text.get(start..offset).unwrap_or_default();
        (line + 1, before.chars().count() + 1)
    }

    /// Where `text`, the value of the string at `span`, begins in its file; nothing if the string is written with escapes.
    pub(crate) fn inside_string(&self, span: Span, text: &str) -> Option<Span> {
        let written = self.file(span.file).text.get(span.start as usize..span.end as usize)?;
        let start = span.start as usize + written.find(text)?;
        Some(Span::new(span.file, start..start + text.len()))
    }

    /// The file that lies at `path`, if it was read.
    #[must_use]
    pub fn at(&self, path: &Path) -> Option<FileId> {
        self.files().find(|(_, file)| file.path == path).map(|(id, _)| id)
    }

    /// Remembers why a file that a contract names could not be read.
    pub fn add_unreadable(&mut self, path: PathBuf, reason: impl Into<String>) {
        self.unreadable.push((path, reason.into()));
    }

    /// Why the file at `path` could not be read, if that was tried.
    #[must_use]
    pub fn unreadable(&self, path: &Path) -> Option<&str> {
        self.unreadable.iter().find(|(tried, _)| tried == path).map(|(_, reason)| reason.as_str())
    }

    /// All files that were tried in vain: a build script watches for them.
    pub fn unreadable_paths(&self) -> impl Iterator<Item = &Path> {
        self.unreadable.iter().map(|(path, _)| path.as_path())
    }

    /// All folders that were listed.
    #[must_use]
    pub fn folders(&self) -> &[PathBuf] {
        &self.folders
    }
}

impl Role {
    /// Whether it is a contract itself, and not what one names.
    #[must_use]
    pub fn is_contract(self) -> bool {
        match self {
            Self::Json | Self::Toml => true,
            Self::Attachment | Self::Binary => false,
        }
    }
}

impl SourceFile {
    /// The file as messages show it: where it lies as seen from here, so that a person or a program can open it; its
    /// name where it never was a file. With `/` on every system.
    pub(crate) fn shown(&self) -> String {
        if self.path.as_os_str().is_empty() {
            return self.name.clone();
        }
        let shown = self.path.display().to_string();
        if std::path::MAIN_SEPARATOR == '/' { shown } else { shown.replace(std::path::MAIN_SEPARATOR, "/") }
    }
}

impl Span {
    /// No place in any text.
    pub(crate) const NOWHERE: Self = Self { file: FileId(u32::MAX), start: 0, end: 0 };

    /// A span of `range` in `file`.
    #[must_use]
    pub fn new(file: FileId, range: std::ops::Range<usize>) -> Self {
        let clamp = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        Self { file, start: clamp(range.start), end: clamp(range.end) }
    }

    /// Whether another span lies in this one.
    pub(crate) fn holds(self, other: Self) -> bool {
        self.file == other.file && self.start <= other.start && other.end <= self.end
    }
}

impl<T> Spanned<T> {
    /// Joins a value with its place.
    pub const fn new(value: T, span: Span) -> Self {
        Self { value, span }
    }

    /// The same place with another value.
    pub fn map<U>(self, f: impl FnOnce(T) -> U) -> Spanned<U> {
        Spanned { value: f(self.value), span: self.span }
    }
}
