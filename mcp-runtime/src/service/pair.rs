//! Two services as one, without `dyn`.

use std::ops::ControlFlow;

use crate::service::{Call, Catalog, Service, Start};

/// Two services side by side: what the first does not have is asked of the second.
#[derive(Debug)]
pub struct Pair<A, B>(pub(crate) A, pub(crate) B);

impl<A: Service, B: Service> Service for Pair<A, B> {
    fn catalogs(&self) -> Vec<&'static Catalog> {
        let mut catalogs = self.0.catalogs();
        catalogs.extend(self.1.catalogs());
        catalogs
    }

    fn call_tool<'a>(&self, call: Call<'a>) -> ControlFlow<Start, Call<'a>> {
        self.1.call_tool(self.0.call_tool(call)?)
    }

    fn read_resource<'a>(&self, call: Call<'a>) -> ControlFlow<Start, Call<'a>> {
        self.1.read_resource(self.0.read_resource(call)?)
    }

    fn read_template<'a>(&self, call: Call<'a>) -> ControlFlow<Start, Call<'a>> {
        self.1.read_template(self.0.read_template(call)?)
    }

    fn render_prompt<'a>(&self, call: Call<'a>) -> ControlFlow<Start, Call<'a>> {
        self.1.render_prompt(self.0.render_prompt(call)?)
    }

    fn complete_prompt<'a>(&self, call: Call<'a>) -> ControlFlow<Start, Call<'a>> {
        self.1.complete_prompt(self.0.complete_prompt(call)?)
    }

    fn complete_template<'a>(&self, call: Call<'a>) -> ControlFlow<Start, Call<'a>> {
        self.1.complete_template(self.0.complete_template(call)?)
    }
}
