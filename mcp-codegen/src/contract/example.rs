//! Reading `examples`.

use crate::contract::{SchemaPair, keys};
use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::document::Node;
use crate::document::cursor::{TableCursor, wrong_type};
use crate::schema::{self, Refusal};

/// `[[tools.examples]] args = {…}, output = …`: those that are objects.
pub(super) fn read(table: &mut TableCursor<'_, '_>) -> Vec<Node> {
    let items = table.array("examples");
    items.iter().filter(|item| is_example(item, table.found)).cloned().collect()
}

/// Forbids examples that the tool would refuse, or could not answer: they are what mocks, docs and tests show.
pub(super) fn check(examples: &[Node], input: &SchemaPair, output: Option<&SchemaPair>, found: &mut Diagnostics) {
    for example in examples {
        // What is no table has been reported.
        let args = example.get("args").filter(|args| args.members().is_some());
        let parts = [(Some(input), args), (output, example.get("output"))];
        for (schema, value) in parts.into_iter().filter_map(|(pair, value)| Some((settled(pair?), value?))) {
            let Some(Refusal { span, reason }) = schema::refusal(schema, value, schema) else { continue };
            let finding =
                Diagnostic::error(Code::EXAMPLE, span, format!("the example is refused by the schema: {reason}"));
            found.push(finding.help("write an example that the schema takes"));
        }
    }
}

/// The side on which every reference is a pointer from the root.
fn settled(pair: &SchemaPair) -> &Node {
    if pair.portable { &pair.wire } else { &pair.typed }
}

fn is_example(item: &Node, found: &mut Diagnostics) -> bool {
    let Some(mut table) = TableCursor::open(item, &keys::EXAMPLE, found) else {
        return false;
    };
    table.string("name");
    table.string("description");
    table.node("output");
    if let Some(args) = table.node("args")
        && args.members().is_none()
    {
        table.found.push(wrong_type(args, "a table of arguments"));
    }
    table.finish("an example");
    true
}
