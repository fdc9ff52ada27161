//! For whom a contract is looked at.

use std::collections::BTreeSet;

/// A client, a provider of models, or a mode of one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Target {
    /// Anthropic's API, Claude Desktop, claude.ai and Claude Code.
    Claude,
    /// Anthropic's API with `strict: true` on tools.
    ClaudeStrict,
    /// GitHub Copilot on the command line.
    CopilotCli,
    /// The editor Cursor.
    Cursor,
    /// Google's Gemini API and Gemini CLI.
    Gemini,
    /// Gemini, where a client sends schemas as `parameters` without mending them.
    GeminiRaw,
    /// OpenAI's API and its clients.
    Openai,
    /// OpenAI's API with `strict: true` on functions.
    OpenaiStrict,
    /// Smaller clients: LM Studio, FastGPT, LangGraph's adapters, the Kuadrant gateway, older TypeScript clients.
    Others,
    /// Visual Studio Code with GitHub Copilot.
    Vscode,
    /// The editors Windsurf and Antigravity.
    Windsurf,
}

impl Target {
    /// All of them, each with the name by which it is chosen.
    pub const ALL: &[(&'static str, Self)] = &[
        ("claude", Self::Claude),
        ("claude-strict", Self::ClaudeStrict),
        ("copilot-cli", Self::CopilotCli),
        ("cursor", Self::Cursor),
        ("gemini", Self::Gemini),
        ("gemini-raw", Self::GeminiRaw),
        ("openai", Self::Openai),
        ("openai-strict", Self::OpenaiStrict),
        ("others", Self::Others),
        ("vscode", Self::Vscode),
        ("windsurf", Self::Windsurf),
    ];

    /// Those that are meant where none is chosen: all but the modes that a client must ask for.
    pub const USUAL: &[Self] = &[
        Self::Claude,
        Self::CopilotCli,
        Self::Cursor,
        Self::Gemini,
        Self::Openai,
        Self::Others,
        Self::Vscode,
        Self::Windsurf,
    ];

    /// The target of that name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().find(|(known, _)| *known == name).map(|(_, target)| *target)
    }

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(_, target)| *target == self).map_or("", |(name, _)| name)
    }

    /// Whose mode it is: what hurts there hurts here.
    const fn base(self) -> Option<Self> {
        match self {
            Self::ClaudeStrict => Some(Self::Claude),
            Self::GeminiRaw => Some(Self::Gemini),
            Self::OpenaiStrict => Some(Self::Openai),
            Self::Claude
            | Self::CopilotCli
            | Self::Cursor
            | Self::Gemini
            | Self::Openai
            | Self::Others
            | Self::Vscode
            | Self::Windsurf => None,
        }
    }
}

/// The chosen ones and those whose modes they are.
pub(super) fn with_their_bases(chosen: &[Target]) -> BTreeSet<Target> {
    let chosen = if chosen.is_empty() { Target::USUAL } else { chosen };
    chosen.iter().copied().chain(chosen.iter().filter_map(|target| target.base())).collect()
}
