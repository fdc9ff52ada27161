//! Which arguments of which tool clients repeat as HTTP headers.

use std::borrow::Cow;
use std::collections::HashMap;

use crate::engine::Engine;
use crate::service::ParamHeader;

/// The headers of the tools that are known at start; without those that have none, where all tools are known then. Those of
/// the others are looked up each time.
pub(crate) type ParamHeaders = HashMap<&'static str, &'static [ParamHeader]>;

impl Engine {
    pub(crate) fn fixed_param_headers(&self) -> ParamHeaders {
        let all_known = self.providers.tools.is_empty();
        let tools = self.features.tools.iter().filter(|tool| !(all_known && tool.headers.is_empty()));
        tools.map(|tool| (tool.name, tool.headers)).collect()
    }

    /// The headers of a tool; none for an unknown one.
    pub(crate) fn param_headers<'h>(&self, fixed: &'h ParamHeaders, name: &str) -> Cow<'h, [ParamHeader]> {
        if let Some(headers) = fixed.get(name) {
            return Cow::Borrowed(headers);
        }
        let mut provided = self.providers.tools.iter().flat_map(|provider| provider.tools());
        let tool = provided.find(|tool| tool.name == name);
        Cow::Owned(tool.and_then(|tool| tool.headers().ok()).unwrap_or_default())
    }
}
