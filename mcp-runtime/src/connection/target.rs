//! The kinds of features that a request can start.

/// What a request wants to start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Target {
    Prompt,
    Resource,
    Tool,
}

impl Target {
    pub(super) const fn method(self) -> &'static str {
        match self {
            Self::Prompt => "prompts/get",
            Self::Resource => "resources/read",
            Self::Tool => "tools/call",
        }
    }

    pub(super) const fn missing_key(self) -> &'static str {
        match self {
            Self::Prompt | Self::Tool => "`params.name` must be a string",
            Self::Resource => "`params.uri` must be a string",
        }
    }
}
