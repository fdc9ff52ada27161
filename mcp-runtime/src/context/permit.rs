//! Whether the caller may use a feature, by the scopes that the contract asks for.

use crate::context::{Answer, Context};
use crate::jsonrpc::{ErrorCode, write_error};
use crate::listener::Outcome;
use crate::peer::Principal;
use crate::service::Settings;
use crate::tool_error::ToolErrorCategory;

impl Context {
    /// On whose behalf the request is made, with the scopes and claims that came with it; `None` where nobody made
    /// certain of that: on stdio, where the client started us, and over HTTP without an authenticator.
    #[must_use]
    pub fn principal(&self) -> Option<&Principal> {
        self.state.principal.as_ref()
    }

    /// Goes on if the caller has the scopes that the feature needs; its settings hold from here on.
    pub(crate) fn permit(mut self, settings: &Settings) -> Result<Self, Answer> {
        self.state.max_result = settings.max_result;
        let may = self.state.peer.engine.permits(self.principal(), settings.scopes);
        if may { Ok(self) } else { Err(self.deny(settings.scopes)) }
    }

    #[cold]
    fn deny(mut self, scopes: &'static [&'static str]) -> Answer {
        let message = format!("`{}` needs the scope `{}`", self.state.feature, scopes.join(" "));
        if self.state.head.is_tool {
            self.tool_error(ToolErrorCategory::PermissionDenied, &message);
        }
        self.finished(Outcome::Failed, Some(&message));
        self.span().failed(ErrorCode::InvalidRequest.code());
        let mut out = std::mem::take(&mut self.state.buffer);
        write_error(&mut out, Some(&self.state.head.id), ErrorCode::InvalidRequest, &message);
        self.state.denied = scopes;
        self.answered(out)
    }
}

impl Answer {
    /// The scopes without which the caller was turned away; empty for every other answer.
    pub(crate) fn denied(&self) -> &'static [&'static str] {
        self.state.denied
    }
}
