//! A contract as a page for people: everything that a client can see of a server, and nothing of its code.
//!
//! `model` says what stands on the page, `html` and `markdown` how it is written. Nothing that a contract says can
//! become markup, and nothing stays unseen: characters without a shape are written as their numbers. So texts that are Markdown
//! are shown as their authors wrote them, signs, lines and indents; only what stands between backticks looks like code.

mod field;
mod html;
mod markdown;
mod model;
mod text;

use self::model::Page;
use crate::config::Config;
use crate::diagnostic::Diagnostics;
use crate::source::Sources;
use crate::{Valid, read};

/// A valid contract, ready to be written down.
#[derive(Debug)]
pub struct Docs {
    page: Page,
    /// What is odd about the contract, but stops nothing.
    pub warnings: Diagnostics,
}

impl Docs {
    /// Reads a contract.
    ///
    /// # Errors
    ///
    /// Gives all findings back if one of them is an error.
    pub fn read(sources: &Sources, config: &Config) -> Result<Self, Diagnostics> {
        let Valid { contract, warnings, .. } = read(sources, config)?;
        let page = model::page(&contract, sources, config.name.as_deref());
        Ok(Self { page, warnings })
    }

    /// One HTML page: with search and anchors, for screens in light and dark and for paper. It loads nothing.
    ///
    /// # Errors
    ///
    /// Fails only if a template does, which no contract brings about.
    pub fn to_html(&self) -> Result<String, Box<dyn std::error::Error>> {
        Ok(html::render(&self.page)?)
    }

    /// The same as Markdown (`CommonMark`).
    ///
    /// # Errors
    ///
    /// Fails only if a template does, which no contract brings about.
    pub fn to_markdown(&self) -> Result<String, Box<dyn std::error::Error>> {
        Ok(markdown::render(&self.page)?)
    }
}
