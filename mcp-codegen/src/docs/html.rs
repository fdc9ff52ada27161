//! The page as HTML. The templates escape every text; what they include unescaped is made of templates, or is ours.

use askama::Template;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use sha2::{Digest, Sha256};

use super::field::Field;
use super::model::{Body, Page};
use super::text::Prose;

const STYLE: &str = include_str!("../../templates/docs/page.css");
const SCRIPT: &str = include_str!("../../templates/docs/search.js");

#[derive(Template)]
#[template(path = "docs/page.html.j2", whitespace = "minimize")]
struct PageTemplate<'p> {
    page: &'p Page,
    style: &'static str,
    script: &'static str,
    /// The one script that a browser may run, by its digest.
    digest: String,
    version: &'static str,
}

#[derive(Template)]
#[template(path = "docs/fields.html.j2", whitespace = "minimize")]
struct FieldsTemplate<'p> {
    fields: &'p [Field],
}

#[derive(Template)]
#[template(path = "docs/prose.html.j2", whitespace = "minimize")]
struct ProseTemplate<'p> {
    prose: &'p Prose,
}

pub(super) fn render(page: &Page) -> askama::Result<String> {
    let digest = BASE64.encode(Sha256::digest(SCRIPT));
    let page = PageTemplate { page, style: STYLE, script: SCRIPT, digest, version: env!("CARGO_PKG_VERSION") };
    // askama drops the newline at a template's end.
    Ok(page.render()? + "\n")
}

fn fields(fields: &[Field]) -> FieldsTemplate<'_> {
    FieldsTemplate { fields }
}

fn prose(prose: &Prose) -> ProseTemplate<'_> {
    ProseTemplate { prose }
}
