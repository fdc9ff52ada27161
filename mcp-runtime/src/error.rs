//! Why a server could not start or go on.

use std::fmt;
use std::io;

/// The result of starting and running a server.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// An error of the server as a whole. What goes wrong in one request never becomes one.
pub struct Error(Box<Kind>);

enum Kind {
    Duplicate { what: &'static str, name: String, claimants: [String; 2] },
    InvalidDefinition { what: &'static str, name: String, why: String },
    Io(io::Error),
    UnknownGroup { name: String, known: Vec<&'static str> },
}

impl Error {
    pub(crate) fn duplicate(what: &'static str, name: &str, claimants: [&str; 2]) -> Self {
        Self(Box::new(Kind::Duplicate { what, name: name.to_owned(), claimants: claimants.map(str::to_owned) }))
    }

    pub(crate) fn invalid_definition(what: &'static str, name: &str, why: impl Into<String>) -> Self {
        Self(Box::new(Kind::InvalidDefinition { what, name: name.to_owned(), why: why.into() }))
    }

    pub(crate) fn unknown_group(name: &str, known: impl IntoIterator<Item = &'static str>) -> Self {
        Self(Box::new(Kind::UnknownGroup { name: name.to_owned(), known: known.into_iter().collect() }))
    }

    /// Whether two services or providers claim the same name or URI.
    #[must_use]
    pub fn is_duplicate(&self) -> bool {
        matches!(*self.0, Kind::Duplicate { .. })
    }

    /// Whether reading, writing or taking over the standard streams failed.
    #[must_use]
    pub fn is_io(&self) -> bool {
        matches!(*self.0, Kind::Io(_))
    }
}

impl From<io::Error> for Error {
    fn from(error: io::Error) -> Self {
        Self(Box::new(Kind::Io(error)))
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &*self.0 {
            Kind::Duplicate { what, name, claimants: [first, second] } => {
                write!(f, "{what} `{name}` is claimed twice: by {first} and by {second}")
            }
            Kind::InvalidDefinition { what, name, why } => write!(f, "{what} `{name}` cannot be served: {why}"),
            Kind::Io(_) => f.write_str("the transport failed"),
            Kind::UnknownGroup { name, known } if known.is_empty() => {
                write!(f, "no feature is in the group `{name}`, nor in any other")
            }
            Kind::UnknownGroup { name, known } => {
                write!(f, "no feature is in the group `{name}`; there are `{}`", known.join("`, `"))
            }
        }
    }
}

/// The same text as `Display`, followed by the cause: `main` prints errors this way.
impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)?;
        match std::error::Error::source(self) {
            Some(cause) => write!(f, ": {cause}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &*self.0 {
            Kind::Io(error) => Some(error),
            Kind::Duplicate { .. } | Kind::InvalidDefinition { .. } | Kind::UnknownGroup { .. } => None,
        }
    }
}
