//! The slow road of arguments: taken only after the fast one refused them, it names every fault or mends them.

use std::borrow::Cow;

use serde_json::{Map, Value};

use crate::context::{Answer, Context};
use crate::json::{self, Fault, Reader};
use crate::listener::{self, Repaired};
use crate::service::{ResourceTemplate, Tool};
use crate::tool_error::{ToolError, ToolErrorCategory};
use crate::trace::RequestSpan;
use crate::validate::{self, Judgement, Options, Patterns, Repair};

/// What is said of arguments that are a number, say: no model writes such a call, so that none has to read about it.
const WRONG_SHAPE: &str = "`arguments` must be an object";

/// Whether arguments are an object, or what models send in place of one: nothing, or a text.
fn has_shape(arguments: &str) -> bool {
    matches!(arguments.trim_start().as_bytes().first(), None | Some(b'{' | b'"' | b'n'))
}

/// Who knows the patterns of a tool that no generator has seen.
#[cfg(feature = "pattern")]
const KNOWN_PATTERNS: Option<&dyn Patterns> = Some(&crate::pattern::Provided);
#[cfg(not(feature = "pattern"))]
const KNOWN_PATTERNS: Option<&dyn Patterns> = None;

impl Context {
    /// Says which feature is served.
    pub(crate) fn serving(mut self, feature: impl Into<Cow<'static, str>>) -> Self {
        self.state.feature = feature.into();
        self
    }

    /// Says which tool of a contract is served.
    pub(crate) fn serving_tool(mut self, tool: &'static Tool) -> Self {
        self.state.tool = Some(tool);
        self.span().tool(tool.name);
        self.serving(tool.name)
    }

    /// Says which prompt of a contract is served.
    pub(crate) fn serving_prompt(self, name: &'static str) -> Self {
        self.span().prompt(name);
        self.serving(name)
    }

    /// Says which resource is served.
    pub(crate) fn serving_resource(self, uri: impl Into<Cow<'static, str>>) -> Self {
        let uri = uri.into();
        self.span().resource(self.state.peer.engine.shown(&uri));
        self.serving(uri)
    }

    /// The request's span.
    pub(crate) fn span(&self) -> &RequestSpan {
        &self.state.head.span
    }

    /// Whether the server leaves the template out.
    pub(crate) fn hides_template(&self, template: &ResourceTemplate) -> bool {
        self.state.peer.engine.hides_template(template)
    }

    /// Says which media type a resource has.
    pub(crate) fn of_type(mut self, mime_type: Option<Cow<'static, str>>) -> Self {
        self.state.mime_type = mime_type;
        self
    }

    /// Mends refused arguments where the schema leaves one reading, else answers with every fault.
    #[cold]
    pub(crate) fn mend(self, tool: &'static Tool, arguments: &str, fault: Fault) -> Result<(String, Self), Answer> {
        let text = || tool.schema.or_else(|| Reader::new(tool.definition).member("inputSchema"));
        // a definition is valid JSON; should it not be, the fast road's refusal stands
        let Some(schema) = self.state.peer.engine.known_schemas.of(tool.name, text) else {
            return Err(self.refuse(tool, fault));
        };
        if !has_shape(arguments) {
            return Err(self.reject(ToolErrorCategory::InvalidParams, WRONG_SHAPE));
        }
        match self.verdict(validate::judge_by(&schema, arguments, &self.judging(tool))) {
            Ok(Some(mended)) => Ok((mended, self)),
            Ok(None) => Err(self.refuse(tool, fault)),
            Err(report) => Err(self.fail(&ToolError::invalid_params(report))),
        }
    }

    /// Validates the arguments of a tool that has a contract, but no types: gives back the text of an object.
    pub(crate) fn admit(self, tool: &'static Tool, arguments: &str) -> Result<(String, Self), Answer> {
        if !has_shape(arguments) {
            return Err(self.reject(ToolErrorCategory::InvalidParams, WRONG_SHAPE));
        }
        let schema = tool.schema.or_else(|| Reader::new(tool.definition).member("inputSchema")).unwrap_or("true");
        let admitted = match self.verdict(validate::judge(schema, arguments, &self.judging(tool))) {
            Ok(Some(mended)) => mended,
            Ok(None) if arguments.trim_start().is_empty() => "{}".to_owned(),
            Ok(None) => arguments.to_owned(),
            Err(report) => return Err(self.fail(&ToolError::invalid_params(report))),
        };
        match json::decode::<Value>(&admitted) {
            Ok(Value::Object(_)) => Ok((admitted, self)),
            Ok(_) => Err(self.fail(&ToolError::invalid_params("the arguments must be an object"))),
            Err(fault) => Err(self.refuse(tool, fault)),
        }
    }

    /// How the arguments of a tool are judged.
    fn judging<'t>(&self, tool: &'t Tool) -> Options<'t> {
        Options {
            secrets: tool.secrets,
            repair: self.state.peer.engine.repair && tool.settings.repair,
            patterns: Some(&tool.patterns),
        }
    }

    /// Answers that the arguments do not fit, in the fast road's words: it alone found something.
    #[cold]
    pub(crate) fn refuse(self, tool: &'static Tool, fault: Fault) -> Answer {
        self.fail(&ToolError::invalid_params(format!("invalid arguments for `{}`: {fault}", tool.name)))
    }

    /// Validates the arguments of a tool that is known only at run time.
    pub(crate) fn accept(self, schema: &str, arguments: &str) -> Result<(Map<String, Value>, Self), Answer> {
        if !has_shape(arguments) {
            return Err(self.reject(ToolErrorCategory::InvalidParams, WRONG_SHAPE));
        }
        let options = Options { repair: self.state.peer.engine.repair, patterns: KNOWN_PATTERNS, ..Options::default() };
        let accepted = match self.verdict(validate::judge(schema, arguments, &options)) {
            Ok(mended) => json::decode::<Value>(mended.as_deref().unwrap_or(arguments)),
            Err(report) => return Err(self.fail(&ToolError::invalid_params(report))),
        };
        match accepted {
            Ok(Value::Object(arguments)) => Ok((arguments, self)),
            Ok(_) | Err(_) => Err(self.fail(&ToolError::invalid_params("the arguments must be an object"))),
        }
    }

    /// The mended arguments, `None` if the schema accepts them as they are, or the report for the model.
    fn verdict(&self, judgement: Judgement) -> Result<Option<String>, String> {
        if let Some(repaired) = judgement.repaired {
            self.tell_repaired(repaired.repairs);
            return Ok(Some(repaired.arguments));
        }
        if judgement.faults.is_empty() {
            return Ok(None);
        }
        Err(judgement.explain(&self.state.feature))
    }

    fn tell_repaired(&self, changes: Vec<Repair>) {
        let listeners = &self.state.peer.engine.listeners;
        if listeners.any() && !changes.is_empty() {
            listeners.send(listener::Event::Repaired(Repaired {
                tool: self.state.feature.to_string(),
                request_id: self.state.head.id.clone(),
                changes,
            }));
        }
    }
}
