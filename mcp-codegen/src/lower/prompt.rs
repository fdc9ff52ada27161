//! Prompts: their arguments are strings.

use crate::contract;
use crate::document::{Node, NodeKind};
use crate::ir::{self, Completion, Field, Named, Presence, Rest, RustIdent, StringRules, Struct, TypeId, TypeKind};
use crate::lower::naming::{self, Scope};
use crate::lower::{Cx, feature};

pub(super) fn lower(cx: &mut Cx<'_>, prompt: &contract::Prompt) -> ir::Prompt {
    let mut feature = feature::lower(cx, &prompt.common, "Prompt");
    let args = args(cx, prompt);
    let completions = completions(cx, args, prompt);
    feature.types = vec![args];
    let messages = prompt.messages.as_ref().map(|messages| {
        let list = NodeKind::Array(messages.value.clone());
        Node::new(list, messages.span).to_json()
    });
    ir::Prompt { feature, args, messages, completions, examples: feature::examples(&prompt.examples) }
}

fn completions(cx: &Cx<'_>, args: TypeId, prompt: &contract::Prompt) -> Vec<Completion> {
    let fields = cx.types.kind(args).fields();
    let completion = |(field, argument): (&Field, &contract::PromptArgument)| {
        let values = argument.values.as_ref().filter(|_| !argument.complete).map(|values| values.value.clone());
        let completed = argument.complete || values.is_some();
        completed.then(|| Completion { argument: field.name.clone(), values })
    };
    fields.iter().zip(&prompt.arguments).filter_map(completion).collect()
}

fn args(cx: &mut Cx<'_>, prompt: &contract::Prompt) -> TypeId {
    let mut names = Scope::default();
    let mut fields = Vec::new();
    for (index, argument) in prompt.arguments.iter().enumerate() {
        let rust = match &argument.rust.name {
            Some(name) => RustIdent::new(name.value.clone()),
            None => naming::snake(&argument.name.value, index + 1),
        };
        fields.push(Field {
            name: Named { wire: argument.name.value.clone(), rust: names.take(&rust) },
            docs: argument.description.as_ref().map(|docs| docs.value.clone()),
            presence: if argument.required { Presence::Required } else { Presence::Optional },
            secret: false,
            ty: cx.types.add(TypeKind::String(StringRules::default())),
        });
    }
    let name = RustIdent::new("Args");
    let definition = Struct { name, docs: None, derives: Vec::new(), fields, rest: Rest::Closed, secret_rest: false };
    cx.types.add(TypeKind::Struct(definition))
}
