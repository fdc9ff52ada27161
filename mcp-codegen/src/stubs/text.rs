//! The file of a starting impl, laid out as rustfmt would.

use std::collections::BTreeSet;
use std::fmt::Write;

use super::Stub;
use super::feature::{Feature, Method};

/// What rustfmt lets a line hold.
const WIDTH: usize = 100;

/// What rustfmt lets the arguments of a call on one line hold.
const CALL_WIDTH: usize = 60;

/// One file for each feature, under names that no two share.
pub(super) fn stubs(features: &[&Feature], handler: &str, api: &str) -> Vec<Stub> {
    let mut taken = BTreeSet::new();
    let stub = |feature: &&Feature| {
        let kind = feature.kind.replace(' ', "_");
        let mut module = feature.name.clone();
        // A file called `mod.rs` is something else, and so is what another kind of feature is called.
        while module == "mod_" || !taken.insert(module.clone()) {
            module = format!("{}_{kind}", module.trim_start_matches("r#"));
        }
        let file = format!("{}.rs", module.trim_start_matches("r#"));
        let named = format!("the {} `{}`", feature.kind, feature.wire);
        Stub { feature: named, module, file, text: text(feature, handler, api) }
    };
    features.iter().map(stub).collect()
}

fn text(feature: &Feature, handler: &str, api: &str) -> String {
    let (ty, trait_name) = (last(handler), last(&feature.handler));
    // The trait may be called as the type is.
    let shown_trait = if ty == trait_name { format!("{api}::{}", feature.handler) } else { trait_name.to_owned() };
    let mut text = format!("//! The {} `{}`.\n\n", feature.kind, one_line(&feature.wire));
    // Writing to a `String` cannot fail.
    writeln!(text, "use mcp_runtime::{{{}}};\n", runtime_names(feature).join(", ")).unwrap_or_default();
    let mut imports = vec![handler.to_owned()];
    imports.extend((ty != trait_name).then(|| format!("{api}::{}", feature.handler)));
    let needs_module = feature.methods.iter().any(|method| method.types(&feature.module).contains("::"));
    imports.extend((needs_module || names_itself(feature)).then(|| format!("{api}::{}", feature.module)));
    imports.retain(|path| path.contains("::"));
    imports.sort_by_key(|path| sort_key(path));
    for import in imports {
        writeln!(text, "use {import};").unwrap_or_default();
    }
    writeln!(text, "\nimpl {shown_trait} for {ty} {{").unwrap_or_default();
    if !feature.examples.is_empty() {
        text.push_str("    // As the contract shows it:\n");
        for line in &feature.examples {
            writeln!(text, "    //   {}", one_line(line)).unwrap_or_default();
        }
    }
    let methods: Vec<String> =
        feature.methods.iter().map(|method| self::method(method, last(&feature.module))).collect();
    text.push_str(&methods.join("\n"));
    text.push_str("}\n");
    text
}

/// Whether a method names the feature in its answer.
fn names_itself(feature: &Feature) -> bool {
    feature.methods.iter().any(|method| method.output != "Completions")
}

fn last(path: &str) -> &str {
    path.rsplit("::").next().unwrap_or(path)
}

/// rustfmt puts what begins with a capital before what does not, name by name.
fn sort_key(path: &str) -> Vec<(bool, String)> {
    let step = |step: &str| {
        let step = step.trim_start_matches("r#");
        (!step.starts_with(|c: char| c.is_uppercase()), step.to_owned())
    };
    path.split("::").map(step).collect()
}

fn runtime_names(feature: &Feature) -> Vec<&'static str> {
    let mut names = BTreeSet::from(["Context"]);
    for method in &feature.methods {
        names.extend([method.error, method.output].into_iter().filter(|name| *name != "Output"));
        names.extend(method.input.map(|(_, ty)| ty).filter(|ty| *ty == "Partial"));
    }
    names.into_iter().collect()
}

impl Method {
    /// The types that stand in the feature's module.
    fn types(&self, module: &str) -> String {
        let input = self.input.map_or(String::new(), |(_, ty)| qualified(ty, module));
        format!("{input}, {}", qualified(self.output, module))
    }
}

fn qualified(ty: &str, module: &str) -> String {
    if matches!(ty, "Args" | "Output" | "Vars") { format!("{module}::{ty}") } else { ty.to_owned() }
}

fn method(method: &Method, module: &str) -> String {
    let input = method.input.map(|(name, ty)| format!("{name}: {}", qualified(ty, module)));
    let mut parameters = vec!["&self".to_owned()];
    parameters.extend(input);
    parameters.push("ctx: &Context".to_owned());
    let head = format!("    {}fn {}", if method.is_async { "async " } else { "" }, method.name);
    let output = format!("Result<{}, {}>", qualified(method.output, module), method.error);
    let line = format!("{head}({}) -> {output} {{", parameters.join(", "));
    let head = if line.chars().count() <= WIDTH {
        line
    } else {
        let listed = parameters.iter().flat_map(|parameter| ["        ", parameter, ",\n"]).collect::<String>();
        let end = format!("    ) -> {output} {{");
        // rustfmt leaves room for two more signs here.
        let end = if end.chars().count() + 2 <= WIDTH { end } else { format!("    ) -> {output}\n    {{") };
        format!("{head}(\n{listed}{end}")
    };
    let unused = match method.input {
        Some((name, _)) => format!("({name}, ctx)"),
        None => "ctx".to_owned(),
    };
    let answer = match method.output {
        "Completions" => "Ok(Completions::default())".to_owned(),
        _ => not_implemented(method.error, module),
    };
    format!("{head}\n        let _ = {unused};\n        {answer}\n    }}\n")
}

fn not_implemented(error: &str, module: &str) -> String {
    let argument = format!("{error}::not_implemented({module}::NAME)");
    if argument.chars().count() <= CALL_WIDTH {
        return format!("Err({argument})");
    }
    format!("Err({error}::not_implemented(\n            {module}::NAME,\n        ))")
}

/// A text that cannot end the comment it stands in.
fn one_line(text: &str) -> String {
    const MOST: usize = 2_000;
    let line: String =
        text.chars().map(|c| if c.is_control() || is_unseen(c) { ' ' } else { c }).take(MOST + 1).collect();
    match line.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line.trim_end().to_owned(),
    }
}

/// Signs that rustc refuses in a comment, since they turn its direction, and the ends of lines that it does not know.
fn is_unseen(c: char) -> bool {
    matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}')
}
