//! Log levels, as MCP takes them from RFC 5424.

use std::fmt;

/// How grave a log message is, the mildest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(clippy::exhaustive_enums, reason = "RFC 5424 has these eight")]
pub enum LogLevel {
    /// Details for debugging.
    Debug,
    /// What normally happens.
    Info,
    /// Normal, but worth a look.
    Notice,
    /// Something may be wrong.
    Warning,
    /// Something is wrong.
    Error,
    /// A part of the system fails.
    Critical,
    /// Somebody must act now.
    Alert,
    /// The system is unusable.
    Emergency,
}

impl LogLevel {
    const ALL: [Self; 8] = [
        Self::Debug,
        Self::Info,
        Self::Notice,
        Self::Warning,
        Self::Error,
        Self::Critical,
        Self::Alert,
        Self::Emergency,
    ];

    /// The level's name on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Debug => "debug",
            Self::Info => "info",
            Self::Notice => "notice",
            Self::Warning => "warning",
            Self::Error => "error",
            Self::Critical => "critical",
            Self::Alert => "alert",
            Self::Emergency => "emergency",
        }
    }

    /// The level with this name.
    pub(crate) fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|level| level.as_str() == name)
    }

    /// The level's place in the order, to keep it in an atomic.
    pub(crate) const fn rank(self) -> u8 {
        self as u8
    }

    /// The level at a place in the order; past the end, the gravest.
    pub(crate) fn ranked(rank: u8) -> Self {
        Self::ALL.get(usize::from(rank)).copied().unwrap_or(Self::Emergency)
    }
}

impl fmt::Display for LogLevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
