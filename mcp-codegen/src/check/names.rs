//! Names that two features cannot share.

use std::collections::BTreeMap;

use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::ir::{Feature, Ir};

/// Forbids two features of one kind whose modules would have the same name: one file would replace the other.
pub(super) fn no_shared_module(ir: &Ir, found: &mut Diagnostics) {
    no_shared_name(ir, found, |feature| ("module", feature.name.rust.plain()));
}

/// Forbids two features of one kind whose traits would have the same name: `impl` could not tell them apart.
pub(super) fn no_shared_trait(ir: &Ir, found: &mut Diagnostics) {
    no_shared_name(ir, found, |feature| ("trait", feature.trait_name.plain()));
}

fn no_shared_name(ir: &Ir, found: &mut Diagnostics, name_of: fn(&Feature) -> (&'static str, &str)) {
    for (kind, features) in kinds(ir) {
        let mut first: BTreeMap<&str, &Feature> = BTreeMap::new();
        for feature in features {
            let (thing, name) = name_of(feature);
            let Some(other) = first.insert(name, feature) else { continue };
            // Two of one name are reported as such; another Rust name would not help them. Resources may share theirs.
            if matches!(kind, "tools" | "prompts") && other.name.wire == feature.name.wire {
                continue;
            }
            // A trait is named as its module: one report of a pair is enough.
            if thing == "trait" && other.name.rust.plain() == feature.name.rust.plain() {
                continue;
            }
            let message = format!(
                "the {kind} `{}` and `{}` would both become the {thing} `{name}`",
                other.name.wire, feature.name.wire
            );
            let finding = Diagnostic::error(Code::RUST_COLLISION, feature.span, message);
            let finding = finding.label("the second").also(other.span, "the first");
            found.push(finding.help("give one of them another Rust name: `rust = { name = \"…\" }`"));
        }
    }
}

fn kinds(ir: &Ir) -> [(&'static str, Vec<&Feature>); 4] {
    [
        ("tools", ir.tools.iter().map(|tool| &tool.feature).collect()),
        ("resources", ir.resources.iter().map(|resource| &resource.feature).collect()),
        ("resource templates", ir.templates.iter().map(|template| &template.feature).collect()),
        ("prompts", ir.prompts.iter().map(|prompt| &prompt.feature).collect()),
    ]
}
