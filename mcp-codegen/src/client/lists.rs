//! All that a server offers: each list that it declares, page after page.

use std::collections::BTreeSet;

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use super::error::Error;
use super::message::{METHOD_NOT_FOUND, Params, Refusal};
use super::{Client, Era};
use crate::document::Node;
use crate::import::{Offer, node};

type Items = Vec<Box<RawValue>>;

/// Hears how far the lists are.
pub type Watch<'w> = dyn FnMut(&'static str, usize) + 'w;

/// What is to be said of lists, and who hears how far they are.
struct Heard<'w> {
    notes: Vec<String>,
    watch: &'w mut Watch<'w>,
}

impl<'w> Heard<'w> {
    fn by_nobody(watch: &'w mut Watch<'w>) -> Self {
        Self { notes: Vec::new(), watch }
    }
}

/// What all result pages have in common.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Page {
    #[serde(default)]
    next_cursor: Option<String>,
    #[serde(default)]
    tools: Items,
    #[serde(default)]
    resources: Items,
    #[serde(default)]
    resource_templates: Items,
    #[serde(default)]
    prompts: Items,
}

/// A list of a server.
struct List {
    method: &'static str,
    capability: &'static str,
    items: fn(Page) -> Items,
}

const TOOLS: List = List { method: "tools/list", capability: "tools", items: |page| page.tools };
const RESOURCES: List = List { method: "resources/list", capability: "resources", items: |page| page.resources };
const TEMPLATES: List =
    List { method: "resources/templates/list", capability: "resources", items: |page| page.resource_templates };
const PROMPTS: List = List { method: "prompts/list", capability: "prompts", items: |page| page.prompts };

impl Client {
    /// Asks for all that the server offers.
    ///
    /// Lists that the server does not declare are not asked for. One that it declares and does not know is empty, and a
    /// note says so, but for that of templates, which many servers lack.
    ///
    /// # Errors
    ///
    /// Fails where the server fails, or where its lists have no end.
    pub fn offer(&mut self) -> Result<Offer, Error> {
        self.offer_with(&mut |_, _| {})
    }

    /// The same; `watch` is told after each page which list it is of, and how many features of it there are so far.
    ///
    /// # Errors
    ///
    /// Fails where [`offer`](Self::offer) does.
    pub fn offer_with(&mut self, watch: &mut Watch<'_>) -> Result<Offer, Error> {
        let mut offer = Offer {
            server_info: self.hello.info.clone(),
            instructions: self.hello.instructions.clone(),
            ..Offer::default()
        };
        let mut left = self.limits.list_bytes;
        let mut heard = Heard { notes: Vec::new(), watch };
        offer.tools = self.list(&TOOLS, &mut left, &mut heard)?;
        offer.resources = self.list(&RESOURCES, &mut left, &mut heard)?;
        offer.resource_templates = self.list(&TEMPLATES, &mut left, &mut heard)?;
        offer.prompts = self.list(&PROMPTS, &mut left, &mut heard)?;
        offer.notes = heard.notes;
        if self.is_stateless() && self.hello.sessions {
            self.add_what_sessions_say(&mut offer, &mut left)?;
        }
        offer.notes.extend(self.beyond_lists());
        Ok(offer)
    }

    /// What the server can do, and no list says for which feature.
    fn beyond_lists(&self) -> impl Iterator<Item = String> {
        let subscribe = self.hello.capabilities.pointer("/resources/subscribe").and_then(Value::as_bool);
        let subscriptions = "the server takes subscriptions to resources, and its lists do not say to which: `updates = true` \
                             makes one of a resource or a template";
        let completions = "the server completes arguments, and its lists do not say which: `complete = true` asks for it at an \
                           argument of a prompt or a variable of a template";
        let said = [(subscribe == Some(true), subscriptions), (self.can("completions"), completions)];
        said.into_iter().filter(|(is_so, _)| *is_so).map(|(_, note)| note.to_owned())
    }

    /// Adds what a server says in sessions only: all of `serverInfo`, and the key `execution`, by which a tool may be a task.
    fn add_what_sessions_say(&mut self, offer: &mut Offer, left: &mut usize) -> Result<(), Error> {
        let Some(hello) = self.open_session()? else { return Ok(()) };
        let listed = if offer.tools.is_empty() {
            Ok(Vec::new())
        } else {
            self.list(&TOOLS, left, &mut Heard::by_nobody(&mut |_, _| {}))
        };
        self.close_session();
        offer.server_info = hello.info.or(offer.server_info.take());
        let listed: Vec<Node> = listed?.iter().filter_map(|tool| node(tool.get()).ok()).collect();
        for tool in &mut offer.tools {
            let Ok(mut definition) = node(tool.get()) else { continue };
            let named = |other: &&Node| {
                other.get("name").and_then(Node::as_str) == definition.get("name").and_then(Node::as_str)
            };
            let execution = listed.iter().find(named).and_then(|other| other.get("execution"));
            if let Some(execution) = execution.filter(|_| definition.get("execution").is_none()) {
                definition.push("execution", execution.clone());
                // A node prints as JSON, so that the tool is not lost here.
                *tool = RawValue::from_string(definition.to_json()).unwrap_or_else(|_| tool.clone());
            }
        }
        Ok(())
    }

    /// Asks for the tools alone.
    pub(super) fn tools(&mut self) -> Result<Items, Error> {
        let mut left = self.limits.list_bytes;
        self.list(&TOOLS, &mut left, &mut Heard::by_nobody(&mut |_, _| {}))
    }

    fn list(&mut self, list: &List, left: &mut usize, heard: &mut Heard<'_>) -> Result<Items, Error> {
        let method = list.method;
        let mut items = Vec::new();
        let mut cursor = None;
        let mut seen = BTreeSet::new();
        if !self.can(list.capability) {
            return Ok(items);
        }
        for _ in 0..self.limits.pages {
            let page = match self.page(list, cursor.as_deref(), left)? {
                Ok(page) => page,
                Err(refusal) if refusal.code == METHOD_NOT_FOUND && items.is_empty() => {
                    if method != TEMPLATES.method {
                        heard
                            .notes
                            .push(format!("the server declares `{}`, but does not know `{method}`", list.capability));
                    }
                    return Ok(items);
                }
                Err(refusal) => return Err(Error::refused(&format!("`{method}`"), &refusal)),
            };
            cursor.clone_from(&page.next_cursor);
            items.extend((list.items)(page));
            (heard.watch)(method, items.len());
            let Some(next) = &cursor else { return Ok(items) };
            if !seen.insert(next.clone()) {
                let next = super::error::shown(next);
                return Err(Error::not_mcp(format!(
                    "the pages of `{method}` go round in a circle: `{next}` comes twice"
                )));
            }
        }
        Err(Error::too_large(format!("`{method}` has more than {} pages", self.limits.pages)))
    }

    fn page(&mut self, list: &List, cursor: Option<&str>, left: &mut usize) -> Result<Result<Page, Refusal>, Error> {
        let method = list.method;
        let params = cursor.map_or_else(Params::default, |cursor| Params::default().with_text("cursor", cursor));
        let result = match self.ask(method, params)? {
            Ok(result) => result,
            Err(refusal) => return Ok(Err(refusal)),
        };
        let most = self.limits.list_bytes >> 20;
        let too_large = || Error::too_large(format!("what the server offers has more than {most} MiB"));
        *left = left.checked_sub(result.get().len()).ok_or_else(too_large)?;
        let page = serde_json::from_str(result.get())
            .map_err(|error| Error::not_mcp(format!("the server's answer to `{method}` is no list: {error}")))?;
        Ok(Ok(page))
    }

    /// Whether requests carry what they need by themselves.
    pub(super) fn is_stateless(&self) -> bool {
        self.hello.era == Era::Stateless
    }
}
