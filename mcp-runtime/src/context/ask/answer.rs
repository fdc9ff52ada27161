//! What a stateless client hears when a handler was dropped at a question.

use std::sync::PoisonError;

use crate::context::ask::Binding;
use crate::context::ask::round::Told;
use crate::context::{Answer, Context};
use crate::listener;
use crate::peer::Principal;
use crate::protocol::input_required_head;
use crate::response::RequestError;
use crate::tool_error::ToolError;

impl Context {
    /// Writes the answer that says what is asked.
    #[cold]
    pub(in crate::context) fn input_required(mut self, method: &'static str) -> Answer {
        let asking = self.state.asking.take().unwrap_or_default();
        let round = asking.round.into_inner().unwrap_or_else(PoisonError::into_inner);
        let told = {
            let (key, arguments) = (self.state.feature.as_ref(), self.raw_arguments());
            let principal = self.state.principal.as_ref().map(Principal::as_str);
            let binding = Binding { method, key, arguments, principal };
            round.tell(&self.state.peer.engine, binding)
        };
        match told {
            Told::Questions(members) => {
                let mut out = std::mem::take(&mut self.state.buffer);
                self.state.head.write(&mut out);
                input_required_head(&self.state.peer.engine, &mut out);
                out.extend_from_slice(&members);
                out.extend_from_slice(b"}}");
                self.finished(listener::Outcome::Asked, None);
                self.answered(out)
            }
            Told::Refusal(why) => self.refuse_request(&RequestError::invalid_params(why)),
            Told::Failure(why) if self.state.head.is_tool => self.fail(&ToolError::internal(why)),
            Told::Failure(why) => self.refuse_request(&RequestError::internal(why)),
        }
    }
}
