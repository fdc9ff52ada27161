//! The root: what a handler must be, the service, and the static match that routes a request to its method.

use crate::emit::completions;
use crate::emit::exports::Exports;
use crate::emit::runtime::Cx;
use crate::ir::{Content, Tool};
use crate::tokens::{Ident, Tokens, plain_ident, quote, text};

/// `Handler`, `service()` and `Service`.
pub(super) fn service(cx: &Cx<'_>, exports: &Exports<'_>) -> Tokens {
    let bounds = bounds(cx, exports);
    let for_self = bounds.iter().map(|bound| quote! { Self: #bound });
    let for_handler = bounds.iter().map(|bound| quote! { H: #bound });
    let (blanket, served) = (for_handler.clone(), for_handler);
    let service = service_impl(cx, exports);
    quote! {
        /// Everything that the contract asks of a handler.
        pub trait Handler where #(#for_self,)* {}

        impl<H> Handler for H where #(#blanket,)* {}

        /// Serves `handler` as the contract says.
        ///
        /// The bounds are those of [`Handler`], one by one, so that the compiler names the feature that is missing.
        pub fn service<H>(handler: H) -> Service<H> where #(#served,)* {
            Service { handler: ::std::sync::Arc::new(handler) }
        }

        /// The contract's features, each routed to its method of the handler.
        pub struct Service<H> {
            handler: ::std::sync::Arc<H>,
        }

        impl<H> Clone for Service<H> {
            fn clone(&self) -> Self {
                Self { handler: ::std::sync::Arc::clone(&self.handler) }
            }
        }

        impl<H> ::std::fmt::Debug for Service<H> {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                f.debug_struct("Service").finish_non_exhaustive()
            }
        }

        #service
    }
}

/// The traits of all features that have a handler.
fn bounds(cx: &Cx<'_>, exports: &Exports<'_>) -> Vec<Tokens> {
    let ir = cx.ir;
    let tools = ir.tools.iter().map(|tool| exports.handler("tools", &tool.feature));
    let resources = ir.resources.iter().filter(|resource| resource.content.is_none());
    let resources = resources.map(|resource| exports.handler("resources", &resource.feature));
    let templates = ir.templates.iter().map(|template| exports.handler("resource_templates", &template.feature));
    let prompts = ir.prompts.iter().filter(|prompt| prompt.is_handled());
    let prompts = prompts.map(|prompt| exports.handler("prompts", &prompt.feature));
    let bounds: Vec<Tokens> = tools.chain(resources).chain(templates).chain(prompts).collect();
    if bounds.is_empty() { vec![quote! { Send + Sync + 'static }] } else { bounds }
}

fn service_impl(cx: &Cx<'_>, exports: &Exports<'_>) -> Tokens {
    let runtime = &cx.runtime;
    let call_tool = routed(&plain_ident("call_tool"), tool_arms(cx, exports));
    let read_resource = routed(&plain_ident("read_resource"), resource_arms(cx, exports));
    let render_prompt = routed(&plain_ident("render_prompt"), prompt_arms(cx, exports));
    let read_template = read_template(cx, exports);
    let completions = completions::methods(cx, exports);
    quote! {
        impl<H: Handler> #runtime::codegen::Service for Service<H> {
            fn catalogs(&self) -> Vec<&'static Catalog> {
                Vec::from([&CATALOG])
            }

            #call_tool
            #read_resource
            #read_template
            #render_prompt
            #completions
        }
    }
}

/// A method that chooses by the call's key; `Handled` arms need the handler, static ones do not.
fn routed(name: &Ident<'static>, arms: Vec<Arm>) -> Tokens {
    if arms.is_empty() {
        return quote! {
            fn #name<'a>(&self, call: Call<'a>) -> ::std::ops::ControlFlow<Start, Call<'a>> {
                ::std::ops::ControlFlow::Continue(call)
            }
        };
    }
    let handler = handler(arms.iter().any(|arm| arm.handled));
    let arms = arms.into_iter().map(|arm| arm.tokens);
    quote! {
        fn #name<'a>(&self, call: Call<'a>) -> ::std::ops::ControlFlow<Start, Call<'a>> {
            #handler
            ::std::ops::ControlFlow::Break(match call.key() {
                #(#arms)*
                _ => return ::std::ops::ControlFlow::Continue(call),
            })
        }
    }
}

/// One arm of a match, and whether it uses the handler.
struct Arm {
    tokens: Tokens,
    handled: bool,
}

fn handler(needed: bool) -> Option<Tokens> {
    needed.then(|| quote! { let handler = ::std::sync::Arc::clone(&self.handler); })
}

fn tool_arms(cx: &Cx<'_>, exports: &Exports<'_>) -> Vec<Arm> {
    cx.ir.tools.iter().map(|tool| Arm { tokens: tool_arm(tool, exports), handled: true }).collect()
}

fn tool_arm(tool: &Tool, exports: &Exports<'_>) -> Tokens {
    let key = text(&tool.feature.name.wire);
    let (module, handler) = (exports.module("tools", &tool.feature), exports.handler("tools", &tool.feature));
    let finish = plain_ident(if tool.output.is_some() { "structured" } else { "respond" });
    if tool.feature.settings.blocking {
        return quote! {
            #key => call.blocking_tool(
                &#module::TOOL,
                move |args, ctx| #handler::call(&*handler, args, ctx),
                Context::#finish,
            ),
        };
    }
    quote! {
        #key => call.tool(&#module::TOOL, |args, ctx| async move {
            let outcome = ctx.drive(#handler::call(&*handler, args, &ctx)).await;
            ctx.#finish(outcome)
        }),
    }
}

fn resource_arms(cx: &Cx<'_>, exports: &Exports<'_>) -> Vec<Arm> {
    let arm = |resource: &crate::ir::Resource| {
        let key = text(&resource.uri);
        let module = exports.module("resources", &resource.feature);
        let content = resource.content.as_ref().map(|content| match content {
            Content::Text(_) => quote! { #key => call.text(&#module::RESOURCE, #module::TEXT), },
            Content::Blob(_) => quote! { #key => call.blob(&#module::RESOURCE, #module::BLOB), },
        });
        if let Some(tokens) = content {
            return Arm { tokens, handled: false };
        }
        let handler = exports.handler("resources", &resource.feature);
        let tokens = quote! {
            #key => call.resource(&#module::RESOURCE, |ctx| async move {
                let outcome = ctx.drive(#handler::read(&*handler, &ctx)).await;
                ctx.contents(outcome)
            }),
        };
        Arm { tokens, handled: true }
    };
    cx.ir.resources.iter().map(arm).collect()
}

fn prompt_arms(cx: &Cx<'_>, exports: &Exports<'_>) -> Vec<Arm> {
    let arm = |prompt: &crate::ir::Prompt| {
        let key = text(&prompt.feature.name.wire);
        let module = exports.module("prompts", &prompt.feature);
        if prompt.messages.is_some() {
            let tokens = quote! { #key => call.static_prompt(&#module::PROMPT, #module::MESSAGES), };
            return Arm { tokens, handled: false };
        }
        let handler = exports.handler("prompts", &prompt.feature);
        let tokens = quote! {
            #key => call.prompt(&#module::PROMPT, |args, ctx| async move {
                let outcome = ctx.drive(#handler::render(&*handler, args, &ctx)).await;
                ctx.messages(outcome)
            }),
        };
        Arm { tokens, handled: true }
    };
    cx.ir.prompts.iter().map(arm).collect()
}

/// Templates are asked one after the other, in declaration order.
fn read_template(cx: &Cx<'_>, exports: &Exports<'_>) -> Tokens {
    let handler = handler(!cx.ir.templates.is_empty());
    let templates = cx.ir.templates.iter().map(|template| {
        let module = exports.module("resource_templates", &template.feature);
        let handler = exports.handler("resource_templates", &template.feature);
        quote! {
            if let Some(vars) = call.vars(&#module::TEMPLATE, #module::Vars::from_uri) {
                return ::std::ops::ControlFlow::Break(call.template(&#module::TEMPLATE, vars, |vars, ctx| async move {
                    let outcome = ctx.drive(#handler::read(&*handler, vars, &ctx)).await;
                    ctx.contents(outcome)
                }));
            }
        }
    });
    quote! {
        fn read_template<'a>(&self, call: Call<'a>) -> ::std::ops::ControlFlow<Start, Call<'a>> {
            #handler
            #(#templates)*
            ::std::ops::ControlFlow::Continue(call)
        }
    }
}
