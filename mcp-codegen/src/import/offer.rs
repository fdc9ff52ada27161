//! What a server offers, from its answers and back to them.

use serde_json::value::RawValue;

use super::{Draft, Feature, Imported, layout, write};
use crate::config::Config;
use crate::contract::Common;
use crate::diagnostic::Diagnostics;
use crate::document::json::{self, Place};
use crate::document::{Node, NodeKind};
use crate::read;
use crate::source::{Sources, Span};

/// What a server says of itself and lists, in the JSON texts in which it says so.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Offer {
    /// `serverInfo`.
    pub server_info: Option<Box<RawValue>>,
    /// How to use the server, for the model.
    pub instructions: Option<String>,
    /// The definitions of `tools/list`, those of all pages.
    pub tools: Vec<Box<RawValue>>,
    /// The definitions of `resources/list`.
    pub resources: Vec<Box<RawValue>>,
    /// The definitions of `resources/templates/list`.
    pub resource_templates: Vec<Box<RawValue>>,
    /// The definitions of `prompts/list`.
    pub prompts: Vec<Box<RawValue>>,
    /// What was odd about the lists, a sentence each.
    pub notes: Vec<String>,
}

/// Writes down what a server offers. The notes become comments at the head of the file.
///
/// Reading the text gives the definitions back, equal as JSON: schemas to the letter where they are not written in a short
/// form, and less the nulls of keys that need not be there.
///
/// ```
/// use mcp_codegen::import::{Offer, from_offer};
/// use serde_json::value::RawValue;
///
/// let mut offer = Offer::default();
/// let tool = r#"{"name":"now","inputSchema":{"type":"object","properties":{"zone":{"type":"string"}},"additionalProperties":false}}"#;
/// offer.tools.push(RawValue::from_string(tool.to_owned()).unwrap());
/// let imported = from_offer(&offer, &[]);
/// assert!(imported.text.ends_with("[[tools]]\nname = \"now\"\n\n[tools.args]\nzone = { type = \"string\" }\n"));
/// ```
#[must_use]
pub fn from_offer(offer: &Offer, notes: &[String]) -> Imported {
    let mut lost = Vec::new();
    let mut draft = Draft {
        server: server(offer, &mut lost),
        tools: features("tool", &offer.tools, &mut lost),
        resources: features("resource", &offer.resources, &mut lost),
        templates: features("resource template", &offer.resource_templates, &mut lost),
        prompts: features("prompt", &offer.prompts, &mut lost),
        ..Draft::default()
    };
    draft.notes = notes.iter().chain(&offer.notes).chain(&lost).cloned().collect();
    let mut imported = write::write(&draft);
    imported.left_out.splice(0..0, lost);
    imported
}

fn server(offer: &Offer, lost: &mut Vec<String>) -> Option<Node> {
    let mut info = match node(offer.server_info.as_ref()?.get()) {
        Ok(info) => info,
        Err(why) => {
            lost.push(format!("left out: what the server says of itself; {why}"));
            return None;
        }
    };
    if let Some(instructions) = &offer.instructions {
        info.push("instructions", Node::string(instructions, info.span));
    }
    Some(info)
}

/// The features of one kind. One whose JSON two readers could understand differently is not taken.
fn features(what: &str, texts: &[Box<RawValue>], lost: &mut Vec<String>) -> Vec<Feature> {
    let mut features = Vec::with_capacity(texts.len());
    for (index, text) in texts.iter().enumerate() {
        let number = index + 1;
        match node(text.get()) {
            Ok(node) if node.members().is_some() => features.push(Feature::new(node)),
            Ok(node) => lost.push(format!("left out: {what} {number} of the list, which is {}", node.describe())),
            Err(why) => lost.push(format!("left out: {what} {number} of the list; {why}")),
        }
    }
    features
}

/// JSON text as a node; or what is wrong with it.
pub(crate) fn node(text: &str) -> Result<Node, String> {
    let mut found = Diagnostics::default();
    let node = json::read(text, Place::At(Span::default()), &mut found);
    match (node, found.sorted().first()) {
        (Some(node), None) => Ok(node),
        (_, Some(fault)) => Err(fault.message().to_owned()),
        (None, None) => Err("the text is not JSON".to_owned()),
    }
}

impl Offer {
    /// What a server of this contract offers, at the newest revision.
    ///
    /// # Errors
    ///
    /// Gives back what is wrong with the contract, if anything is.
    pub fn of(sources: &Sources, config: &Config) -> Result<Self, Diagnostics> {
        let contract = read(sources, config)?.contract;
        let definition = |common: &Common| raw(&common.definition);
        Ok(Self {
            server_info: contract.server.info.as_ref().and_then(raw),
            instructions: contract.server.instructions.map(|text| text.value),
            tools: contract.tools.iter().filter_map(|tool| definition(&tool.common)).collect(),
            resources: contract.resources.iter().filter_map(|resource| definition(&resource.common)).collect(),
            resource_templates: contract.templates.iter().filter_map(|template| definition(&template.common)).collect(),
            prompts: contract.prompts.iter().filter_map(|prompt| definition(&prompt.common)).collect(),
            notes: Vec::new(),
        })
    }
}

impl Offer {
    /// The same as one list answer, which is a contract too: JSON for people to read.
    #[must_use]
    pub fn to_json(&self) -> String {
        let mut answer = Node::object(Span::default());
        let mut lost = Vec::new();
        if let Some(server) = server(self, &mut lost) {
            answer.push("server", server);
        }
        let lists = [
            ("tools", &self.tools),
            ("resources", &self.resources),
            ("resourceTemplates", &self.resource_templates),
            ("prompts", &self.prompts),
        ];
        for (key, texts) in lists {
            let features = features(key, texts, &mut lost).into_iter().map(|feature| feature.definition);
            answer.push(key, Node::new(NodeKind::Array(features.collect()), Span::default()));
        }
        layout::json(&answer) + "\n"
    }
}

/// A node prints as JSON, so that nothing is lost here.
fn raw(node: &Node) -> Option<Box<RawValue>> {
    RawValue::from_string(node.to_json()).ok()
}
