//! Templates that hide each other.

use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::ir::{Ir, UriPart};

/// Warns of two templates that match the same URIs: the second is never asked.
pub(super) fn no_overlapping_templates(ir: &Ir, found: &mut Diagnostics) {
    for (index, template) in ir.templates.iter().enumerate() {
        let same = |other: &&crate::ir::ResourceTemplate| is_same(&other.parts, &template.parts);
        let Some(other) = ir.templates[..index].iter().find(same) else { continue };
        if template.parts.is_empty() {
            continue;
        }
        let message = format!("`{}` matches the same URIs as `{}`", template.uri_template, other.uri_template);
        let finding = Diagnostic::warning(Code::TEMPLATE_OVERLAP, template.feature.span, message);
        found.push(finding.label("never asked").also(other.feature.span, "asked first"));
    }
}

/// Whether two templates differ in nothing but the names of their variables.
fn is_same(left: &[UriPart], right: &[UriPart]) -> bool {
    left.len() == right.len()
        && left.iter().zip(right).all(|pair| match pair {
            (UriPart::Literal(left), UriPart::Literal(right)) => left == right,
            (UriPart::Variable(_), UriPart::Variable(_)) => true,
            (UriPart::Literal(_), UriPart::Variable(_)) | (UriPart::Variable(_), UriPart::Literal(_)) => false,
        })
}
