//! A contract as a server, before there is any code: what it shows in its examples is what the server answers.
//!
//! The same catalog, the same validation of arguments and the same bytes in lists as those of generated code; only the
//! handlers are made up. Nothing is answered that the contract would refuse.

mod catalog;
mod examples;
mod formats;
mod prompt;
mod resource;
mod service;
mod template;
mod tool;

pub(crate) use self::formats::matcher;

use std::fmt;
use std::sync::Arc;

use mcp_runtime::codegen::Catalog;

use crate::config::Config;
use crate::contract::Contract;
use crate::diagnostic::Diagnostics;
use crate::ir::Ir;
use crate::source::Sources;
use crate::{Valid, read};

/// What came of a contract that can be served.
#[derive(Debug)]
#[non_exhaustive]
pub struct Mocked {
    /// The service.
    pub mock: Mock,
    /// What is odd about the contract, but stops nothing.
    pub warnings: Diagnostics,
}

/// A service that answers as a contract says. Give it to `mcp_runtime::Server::new`.
///
/// A call whose arguments are those of an example gets its `output`; any other gets that of the example that is nearest,
/// and where there is none a value of the output schema, the same each time. Static resources and prompts are as they are.
pub struct Mock {
    catalog: &'static Catalog,
    tools: Vec<Arc<tool::Tool>>,
    resources: Vec<resource::Resource>,
    templates: Vec<Arc<template::Template>>,
    prompts: Vec<Arc<prompt::Prompt>>,
    hear: Arc<Hear>,
}

type Hear = dyn Fn(&Request<'_>) + Send + Sync;

/// A request that reached the mock, valid as it was or mended.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Request<'a> {
    /// `tools/call`, `resources/read`, `prompts/get` or `completion/complete`.
    pub method: &'static str,
    /// The name, or the URI.
    pub name: &'a str,
    /// The arguments as JSON, where there can be some; nothing where the contract calls one of them secret.
    pub arguments: Option<&'a str>,
    /// Where the answer comes from, such as `example 1`.
    pub answer: &'a str,
}

/// Makes a service of a contract.
///
/// What a service holds for its clients stays in memory for as long as the process runs: make one, not one each minute.
///
/// ```
/// use mcp_codegen::source::{Role, SourceFile, Sources};
///
/// let mut sources = Sources::default();
/// let text = "format = 1\nserver = { name = 'a' }\n[[tools]]\nname = 'ping'\n".to_owned();
/// sources.add(SourceFile { name: "a.toml".to_owned(), path: "a.toml".into(), text, role: Role::Toml });
/// let mocked = mcp_codegen::mock::mock(&sources, &mcp_codegen::Config::new()).unwrap();
/// let server = mcp_runtime::Server::new(mocked.mock);
/// # let _ = server;
/// ```
///
/// # Errors
///
/// Gives back what is wrong with the contract, if anything is.
pub fn mock(sources: &Sources, config: &Config) -> Result<Mocked, Diagnostics> {
    let Valid { contract, checked, warnings, .. } = read(sources, config)?;
    Ok(Mocked { mock: Mock::new(&contract, checked.ir()), warnings })
}

impl Mock {
    /// The features of both in one order: one was made from the other.
    fn new(contract: &Contract, ir: &Ir) -> Self {
        let catalog = catalog::catalog(ir);
        let tools = contract.tools.iter().zip(catalog.tools);
        let resources = ir.resources.iter().zip(catalog.resources);
        let templates = contract.templates.iter().zip(&ir.templates).zip(catalog.templates);
        let prompts = contract.prompts.iter().zip(&ir.prompts).zip(catalog.prompts);
        // A format that is asserted somewhere is so everywhere.
        let matchers: &[_] = &ir.types.formats().collect::<Vec<_>>();
        Self {
            catalog,
            tools: tools.map(|(written, constants)| Arc::new(tool::Tool::new(written, constants))).collect(),
            resources: resources.map(|(ir, constants)| resource::Resource::new(ir, constants)).collect(),
            templates: templates
                .map(|(both, constants)| Arc::new(template::Template::new(both, constants, matchers)))
                .collect(),
            prompts: prompts
                .map(|((written, ir), constants)| Arc::new(prompt::Prompt::new((written, ir), constants)))
                .collect(),
            hear: Arc::new(|_| {}),
        }
    }

    /// Calls `hear` for each request that is answered, as it is answered.
    #[must_use]
    pub fn on_request(self, hear: impl Fn(&Request<'_>) + Send + Sync + 'static) -> Self {
        Self { hear: Arc::new(hear), ..self }
    }
}

impl fmt::Debug for Mock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Mock").field("catalog", &self.catalog).finish_non_exhaustive()
    }
}
