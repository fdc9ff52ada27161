//! What `init` writes: the templates of `templates/project`, filled in. No I/O.

use std::error::Error;
use std::fmt;
use std::path::PathBuf;

use askama::Template;

/// A new project.
#[derive(Debug)]
pub(crate) struct Project {
    pub(crate) name: PackageName,
    /// The folder that holds mcp-runtime and mcp-codegen, where those on the registry are not meant.
    pub(crate) checkout: Option<PathBuf>,
}

/// A name that cargo takes for a package, its program and its test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PackageName(String);

/// Why a name is none.
#[derive(Debug)]
pub(crate) struct InvalidName(String);

/// Names that mean something else to cargo or rustc: keywords, crates that every program has, this project's
/// dependencies, and folders of cargo's.
const RESERVED: &[&str] = &[
    "abstract",
    "alloc",
    "as",
    "async",
    "await",
    "become",
    "box",
    "break",
    "build",
    "const",
    "continue",
    "core",
    "crate",
    "deps",
    "do",
    "dyn",
    "else",
    "enum",
    "examples",
    "extern",
    "false",
    "final",
    "fn",
    "for",
    "gen",
    "if",
    "impl",
    "in",
    "incremental",
    "let",
    "loop",
    "macro",
    "match",
    "mcp-codegen",
    "mcp-runtime",
    "mod",
    "move",
    "mut",
    "override",
    "priv",
    "proc_macro",
    "pub",
    "ref",
    "return",
    "self",
    "static",
    "std",
    "struct",
    "super",
    "test",
    "tokio",
    "trait",
    "true",
    "try",
    "type",
    "typeof",
    "unsafe",
    "unsized",
    "use",
    "virtual",
    "where",
    "while",
    "yield",
];

impl PackageName {
    /// Takes a name as it is.
    pub(crate) fn parse(name: &str) -> Result<Self, InvalidName> {
        let is_part = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
        let starts_well = name.starts_with(|c: char| c.is_ascii_alphabetic());
        if starts_well && name.chars().all(is_part) && !RESERVED.contains(&name) {
            Ok(Self(name.to_owned()))
        } else {
            Err(InvalidName(name.to_owned()))
        }
    }

    /// Makes the nearest name out of a folder's.
    pub(crate) fn made_from(folder: &str) -> Self {
        let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let words: Vec<_> = folder.split(|c| !is_word(c)).filter(|word| !word.is_empty()).collect();
        let name = words.join("-").to_ascii_lowercase();
        let candidates = [name.clone(), format!("{name}-server"), format!("mcp-{name}")];
        let first = candidates.iter().find_map(|candidate| Self::parse(candidate).ok());
        first.filter(|_| !name.is_empty()).unwrap_or_else(|| Self("mcp-server".to_owned()))
    }
}

impl fmt::Display for PackageName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Display for InvalidName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "`{}` cannot be the name of a package: begin with a letter, then letters, digits, `-` and `_`",
            self.0
        )
    }
}

impl Error for InvalidName {}

#[derive(Template)]
#[template(path = "project/Cargo.toml.j2", escape = "none")]
struct CargoToml<'a> {
    name: &'a str,
    runtime: String,
    codegen: String,
}

#[derive(Template)]
#[template(path = "project/build.rs.j2", escape = "none")]
struct BuildRs<'a> {
    name: &'a str,
}

#[derive(Template)]
#[template(path = "project/contract.toml.j2", escape = "none")]
struct Contract<'a> {
    name: &'a str,
}

#[derive(Template)]
#[template(path = "project/gitignore.j2", escape = "none")]
struct Gitignore;

#[derive(Template)]
#[template(path = "project/main.rs.j2", escape = "none")]
struct MainRs<'a> {
    name: &'a str,
}

#[derive(Template)]
#[template(path = "project/README.md.j2", escape = "none")]
struct Readme<'a> {
    name: &'a str,
}

#[derive(Template)]
#[template(path = "project/tests.rs.j2", escape = "none")]
struct Tests<'a> {
    name: &'a str,
}

/// The project's files, by path below its folder.
pub(crate) fn files(project: &Project) -> askama::Result<Vec<(String, String)>> {
    let name = project.name.0.as_str();
    let runtime = dependency(project, "mcp-runtime", "");
    let codegen = dependency(project, "mcp-codegen", ", default-features = false");
    let texts = [
        (".gitignore".to_owned(), Gitignore.render()?),
        ("Cargo.toml".to_owned(), CargoToml { name, runtime, codegen }.render()?),
        ("README.md".to_owned(), Readme { name }.render()?),
        ("build.rs".to_owned(), BuildRs { name }.render()?),
        (format!("specs/{name}.toml"), Contract { name }.render()?),
        ("specs/mcp-codegen.schema.json".to_owned(), mcp_codegen::contract_schema().trim_end().to_owned()),
        ("src/main.rs".to_owned(), MainRs { name }.render()?),
        ("tests/server.rs".to_owned(), Tests { name }.render()?),
    ];
    // askama drops the newline at a template's end.
    Ok(texts.into_iter().map(|(path, text)| (path, text + "\n")).collect())
}

/// A dependency's value in Cargo.toml.
fn dependency(project: &Project, package: &str, options: &str) -> String {
    let source = match &project.checkout {
        Some(folder) => format!("path = {}", toml_string(&folder.join(package).display().to_string())),
        None => format!("version = \"{}\"", env!("CARGO_PKG_VERSION")),
    };
    format!("{{ {source}{options} }}")
}

/// A basic string; what stands in a path needs no more escapes than these.
fn toml_string(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_become_names_that_cargo_takes() {
        let cases = [
            ("weather", "weather"),
            ("My Server (2)", "my-server-2"),
            ("8ball", "mcp-8ball"),
            ("test", "test-server"),
            ("", "mcp-server"),
            ("天気", "mcp-server"),
        ];
        for (folder, name) in cases {
            assert_eq!(PackageName::made_from(folder).0, name, "{folder}");
        }
    }

    #[test]
    fn wrong_names_are_refused() {
        for name in ["", "1st", "a b", "fn", "ä", "-x", "a.b", "mcp-runtime"] {
            assert!(PackageName::parse(name).is_err(), "{name}");
        }
    }
}
