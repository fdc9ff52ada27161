//! Reading tools.

use crate::contract::envelope::Form;
use crate::contract::feature::{self, Kind};
use crate::contract::read::Cx;
use crate::contract::shorthand::{self, Short};
use crate::contract::{Hint, SchemaPair, Side, Tool, example, execution, header, hint, keys, rules, schemas};
use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::document::cursor::TableCursor;
use crate::document::{Key, Node, NodeKind};
use crate::schema;
use crate::source::Spanned;

const KIND: Kind =
    Kind { table: &keys::TOOL, name: "a tool", useless: &[], meant: &[("arguments", "args"), ("parameters", "args")] };

/// MCP's keys in MCP's order, in which a definition with short forms is spelled.
const ORDER: [&str; 9] =
    ["name", "title", "description", "inputSchema", "outputSchema", "annotations", "execution", "icons", "_meta"];

/// Reads one tool.
pub(super) fn read(cx: &Cx<'_>, node: &Node, found: &mut Diagnostics) -> Option<Tool> {
    let mut table = KIND.open(cx, node, found)?;
    let mut common = feature::read(cx, &KIND, node, &mut table)?;
    name_grammar(&common.name, table.found);
    execution::take(node, &mut table);

    let mut inside = Diagnostics::default();
    let rules = own(cx, &mut table, "rules");
    let input = input(cx, &mut table, rules, &mut inside);
    let output = output(cx, &mut table, &mut inside);
    let rules = rules.filter(|_| node.get("args").is_some());
    let sentences = rules::read(rules, &input.pair, &mut inside);
    let secrets = secrets(&input, &common.hints);
    let headers = header::read(&input.pair.wire, &secrets, &mut inside);
    let output_pair = output.as_ref().map(|output| &output.pair);
    hint::lead_somewhere(&common.hints, &input.pair, output_pair, &mut inside);
    let examples = if cx.form == Form::Native { example::read(&mut table) } else { Vec::new() };
    example::check(&examples, &input.pair, output_pair, &mut inside);
    table.found.extend_within(inside, common.name.span, "in this tool");
    feature::finish(cx, &KIND, table);

    let input = input.place(Side::Input, &mut common.hints);
    let output = output.map(|output| output.place(Side::Output, &mut common.hints));
    if cx.form == Form::Native {
        common.definition = definition(common.definition, (&input, output.as_ref()), &sentences);
    }
    Some(Tool { common, input, output, secrets, headers, rules: rules.cloned(), examples })
}

/// Where secrets stand on the wire. What a hint says about a place that the wire does not have is said about the place
/// around it: rather one value too many is hidden.
fn secrets(input: &Short, hints: &[Hint]) -> Vec<String> {
    let hinted = hints.iter().filter(|hint| hint.secret && hint.side == Side::Input).map(|hint| {
        let mut pointer = hint.pointer.value.as_str();
        while schema::at(&input.pair.wire, pointer).is_none() {
            pointer = pointer.rsplit_once('/').map_or("", |(around, _)| around);
        }
        pointer.to_owned()
    });
    let mut secrets = input.secrets.clone();
    for pointer in hinted {
        if !secrets.contains(&pointer) {
            secrets.push(pointer);
        }
    }
    secrets
}

/// Forbids names that a client may refuse (MCP: 1 to 128 of these characters).
fn name_grammar(name: &Spanned<String>, found: &mut Diagnostics) {
    let allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-');
    if name.value.len() > 128 {
        let message = format!("the tool's name has {} characters, expected at most 128", name.value.chars().count());
        found.push(
            Diagnostic::error(Code::TOOL_NAME, name.span, message).help("shorten it: clients refuse longer names"),
        );
    } else if let Some(c) = name.value.chars().find(|c| !allowed(*c)) {
        let message = format!("found `{}` in the name of a tool", c.escape_debug());
        let finding = Diagnostic::error(Code::TOOL_NAME, name.span, message);
        let proposal: String = name.value.chars().map(|c| if allowed(c) { c } else { '_' }).collect();
        let help =
            format!("call it `{proposal}`: clients refuse names of other than letters, digits, `_`, `-` and `.`");
        found.push(finding.help(help));
    }
}

/// Takes an object of ours; in a list answer the same key would be somebody else's.
fn own<'n>(cx: &Cx<'_>, table: &mut TableCursor<'n, '_>, key: &'static str) -> Option<&'n Node> {
    if cx.form == Form::Native { table.object(key) } else { None }
}

fn input(cx: &Cx<'_>, table: &mut TableCursor<'_, '_>, rules: Option<&Node>, found: &mut Diagnostics) -> Short {
    let verbatim = table.member("inputSchema");
    let args = own(cx, table, "args");
    if let (Some((key, _)), Some(args)) = (verbatim, args) {
        let finding = Diagnostic::error(Code::KEYS_EXCLUDE, key.span, "`inputSchema` and `args` stand together");
        found.push(finding.also(args.span, "the short form of the same").help("keep one of them"));
    }
    if let (Some(rules), None) = (rules, args) {
        let finding = Diagnostic::error(Code::KEYS_EXCLUDE, rules.span, "`rules` stands without `args`");
        found.push(finding.help("say the same in `inputSchema`, by `oneOf` or `dependentRequired`"));
    }
    let additional = rules.and_then(|rules| rules.get("additional"));
    match (args, verbatim) {
        (Some(args), _) => shorthand::object(cx.defs, args, additional, found),
        (None, Some((_, node))) => match schemas::verbatim(cx, node, found) {
            Some(pair) => {
                root_is_object(&pair.wire, found);
                Short::verbatim(pair)
            }
            None => Short::empty(table.span()),
        },
        (None, None) => {
            if cx.form == Form::Answer {
                table.missing("inputSchema", "a tool of a list answer");
            }
            Short::empty(table.span())
        }
    }
}

/// Forbids what MCP forbids: arguments are an object, so the schema's type is `object` and nothing else.
fn root_is_object(schema: &Node, found: &mut Diagnostics) {
    let ty = schema.get("type");
    if ty.and_then(Node::as_str) != Some("object") {
        let span = ty.map_or(schema.span, |ty| ty.span);
        let said = ty.map_or_else(|| "no type".to_owned(), |ty| format!("type `{}`", ty.to_json().trim_matches('"')));
        let finding =
            Diagnostic::error(Code::ROOT_TYPE, span, format!("the inputSchema has {said}, expected `object`"));
        found.push(finding.help("write `\"type\": \"object\"` at its root"));
    }
}

fn output(cx: &Cx<'_>, table: &mut TableCursor<'_, '_>, found: &mut Diagnostics) -> Option<Short> {
    let verbatim = table.present_member("outputSchema");
    let output = own(cx, table, "output");
    if let (Some((key, _)), Some(output)) = (verbatim, output) {
        let finding = Diagnostic::error(Code::KEYS_EXCLUDE, key.span, "`outputSchema` and `output` stand together");
        found.push(finding.also(output.span, "the short form of the same").help("keep one of them"));
    }
    match (output, verbatim) {
        (Some(output), _) => Some(shorthand::object(cx.defs, output, None, found)),
        (None, Some((_, node))) => schemas::verbatim(cx, node, found).map(Short::verbatim),
        (None, None) => None,
    }
}

/// The definition with its schemas in place: in the author's order, or in MCP's where a short form leaves none.
fn definition(written: Node, (input, output): (&SchemaPair, Option<&SchemaPair>), sentences: &[String]) -> Node {
    let mut definition = written;
    let schemas = [("inputSchema", Some(input)), ("outputSchema", output)];
    for (key, pair) in schemas.into_iter().filter_map(|(key, pair)| Some((key, pair?))) {
        definition.put(&Key { name: key.to_owned(), span: pair.wire.span }, pair.wire.clone());
    }
    if !sentences.is_empty() {
        let own = definition.get("description").and_then(Node::as_str);
        let text: Vec<&str> = own.into_iter().chain(sentences.iter().map(String::as_str)).collect();
        let span = input.wire.span;
        definition.put(&Key { name: "description".to_owned(), span }, Node::string(&text.join(" "), span));
    }
    let rank = |key: &str| ORDER.iter().position(|known| *known == key).unwrap_or(ORDER.len());
    if let NodeKind::Object(members) = &mut definition.kind
        && schemas.iter().any(|(_, pair)| pair.is_some_and(|pair| pair.portable))
    {
        members.sort_by_key(|(key, _)| rank(&key.name));
    }
    definition
}

#[cfg(test)]
mod tests {
    use crate::contract::read::tests::{toml, toml_with_faults};

    fn definition(text: &str) -> String {
        toml(&format!("[[tools]]\n{text}")).tools[0].common.definition.to_json()
    }

    #[test]
    fn a_tool_without_schemas_has_no_arguments() {
        assert_eq!(
            definition("annotations = { readOnlyHint = true }\nname = 't'\ntimeout = '5s'"),
            r#"{"name":"t","inputSchema":{"type":"object","properties":{},"additionalProperties":false},"annotations":{"readOnlyHint":true}}"#
        );
    }

    #[test]
    fn a_verbatim_schema_keeps_the_order_of_its_author() {
        assert_eq!(
            definition(
                "outputSchema = { type = 'object' }\ninputSchema = '{\"type\": \"object\", \"minProperties\": 1.0}'\nname = 't'"
            ),
            r#"{"outputSchema":{"type":"object"},"inputSchema":{"type":"object","minProperties":1.0},"name":"t"}"#
        );
    }

    #[test]
    fn rules_are_said_in_the_description() {
        let text = "name = 't'\ndescription = 'Finds it.'\nargs = { a = { type = 'string' }, b = { type = 'string' } }\n\
                    rules = { additional = true, one_of = [['a', 'b']], requires = { a = ['b'] }, conflicts = [['a', 'b']] }";
        let definition = definition(text);
        assert!(
            definition
                .contains("Finds it. Give exactly one of `a` and `b`. `a` needs `b`. Give at most one of `a` and `b`."),
            "{definition}"
        );
        assert!(definition.contains(r#""additionalProperties":true"#), "{definition}");
    }

    #[test]
    fn words_of_other_formats_are_slips() {
        for (text, meant) in [
            ("[[tools]]\nname = 't'\narguments = {}", "args"),
            ("[[tools]]\nname = 't'\nparameters = {}", "args"),
            ("[[prompts]]\nname = 'p'\nargs = []", "arguments"),
        ] {
            let told = toml_with_faults(text).1;
            assert!(told.contains("error[E0106]") && told.contains(&format!("did you mean `{meant}`?")), "{told}");
        }
    }

    #[test]
    fn hints_of_short_schemas_are_collected() {
        let contract = toml(
            "[[tools]]\nname = 't'\nargs.a.items = { type = 'string', secret = true }\noutput.b = { type = 'integer', rust = 'number' }",
        );
        let hints = &contract.tools[0].common.hints;
        let told: Vec<_> = hints.iter().map(|hint| (hint.pointer.value.as_str(), hint.secret, hint.side)).collect();
        let sides = (crate::contract::Side::Input, crate::contract::Side::Output);
        assert_eq!(told, [("/properties/a/items", true, sides.0), ("/properties/b", false, sides.1)]);
    }
}
