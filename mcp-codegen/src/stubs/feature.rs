//! What must be implemented, and under which names.

use crate::emit;
use crate::ir::{Completion, Ir};

/// A feature with a trait.
#[derive(Debug)]
pub(super) struct Feature {
    /// The module of its kind, and its own.
    pub(super) key: (&'static str, String),
    /// `tool`, `resource`, `resource template` or `prompt`.
    pub(super) kind: &'static str,
    pub(super) wire: String,
    /// The shortest path of its module in the generated code.
    pub(super) module: String,
    /// The shortest path of its trait.
    pub(super) handler: String,
    /// All paths of its trait.
    paths: Vec<Vec<String>>,
    /// The name of its own module, which may be a raw one.
    pub(super) name: String,
    pub(super) methods: Vec<Method>,
    /// What the contract shows of it, one line for each part.
    pub(super) examples: Vec<String>,
}

/// A method of its trait.
#[derive(Debug)]
pub(super) struct Method {
    pub(super) name: String,
    pub(super) is_async: bool,
    /// The name of the parameter beside the context, and its type with the feature's module left out.
    pub(super) input: Option<(&'static str, &'static str)>,
    pub(super) output: &'static str,
    pub(super) error: &'static str,
}

impl Feature {
    pub(super) fn is_named(&self, path: &[String]) -> bool {
        self.paths.iter().any(|known| known == path)
    }
}

/// All features that somebody must implement, in the contract's order.
pub(super) fn all(ir: &Ir) -> Vec<Feature> {
    let handlers = emit::handlers(ir);
    let mut features = Vec::new();
    for tool in &ir.tools {
        let output = if tool.output.is_some() { "Output" } else { "ToolResponse" };
        let is_async = !tool.feature.settings.blocking;
        let input = Some(("args", "Args"));
        let call = Method { name: "call".to_owned(), is_async, input, output, error: "ToolError" };
        features.push(("tools", "tool", &tool.feature, vec![call], tool.examples.as_str()));
    }
    for resource in ir.resources.iter().filter(|resource| resource.content.is_none()) {
        features.push(("resources", "resource", &resource.feature, vec![read(None)], "[]"));
    }
    for template in &ir.templates {
        let mut methods = vec![read(Some(("vars", "Vars")))];
        methods.extend(complete(&template.completions));
        features.push(("resource_templates", "resource template", &template.feature, methods, &template.examples));
    }
    for prompt in ir.prompts.iter().filter(|prompt| prompt.is_handled()) {
        let input = Some(("args", "Args"));
        let render = Method {
            name: "render".to_owned(),
            is_async: true,
            input,
            output: "PromptMessages",
            error: "RequestError",
        };
        let mut methods: Vec<Method> = prompt.messages.is_none().then_some(render).into_iter().collect();
        methods.extend(complete(&prompt.completions));
        features.push(("prompts", "prompt", &prompt.feature, methods, &prompt.examples));
    }
    let named = |(kind_module, kind, feature, methods, examples): (&'static str, _, &crate::ir::Feature, _, &str)| {
        let name = feature.name.rust.as_str().to_owned();
        let key = (kind_module, feature.name.rust.plain().to_owned());
        let (module, handler) = handlers.get(&key).cloned().unwrap_or_default();
        let steps = |path: &str| path.split("::").map(str::to_owned).collect::<Vec<_>>();
        let trait_name = feature.trait_name.as_str();
        let full = steps(&format!("{kind_module}::{name}::{trait_name}"));
        let paths = vec![steps(&handler), steps(&format!("{module}::{trait_name}")), full];
        let (wire, examples) = (feature.name.wire.clone(), shown(examples));
        Feature { key, kind, wire, module, handler, paths, name, methods, examples }
    };
    features.into_iter().map(named).collect()
}

fn read(input: Option<(&'static str, &'static str)>) -> Method {
    Method { name: "read".to_owned(), is_async: true, input, output: "ResourceContents", error: "RequestError" }
}

fn complete(completions: &[Completion]) -> impl Iterator<Item = Method> {
    let completed = completions.iter().filter(|completion| completion.values.is_none());
    completed.map(|completion| Method {
        name: format!("complete_{}", completion.argument.rust.plain()),
        is_async: true,
        input: Some(("partial", "Partial")),
        output: "Completions",
        error: "RequestError",
    })
}

/// `args {…}` and `output {…}` of the first examples.
fn shown(examples: &str) -> Vec<String> {
    const MOST: usize = 3;
    let examples: Vec<serde_json::Map<String, serde_json::Value>> = serde_json::from_str(examples).unwrap_or_default();
    let lines = examples.iter().take(MOST).flat_map(|example| {
        let part = |key: &str| example.get(key).map(|value| format!("{key} {value}"));
        [part("args"), part("output")].into_iter().flatten().collect::<Vec<_>>()
    });
    lines.collect()
}
