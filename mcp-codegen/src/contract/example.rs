//! Reading `examples`.

use crate::diagnostic::Diagnostics;
use crate::document::Node;
use crate::document::cursor::{TableCursor, wrong_type};

/// `[[tools.examples]] args = {…}, output = …`: those that are objects.
pub(super) fn read(table: &mut TableCursor<'_, '_>) -> Vec<Node> {
    let items = table.array("examples");
    items.iter().filter(|item| is_example(item, table.found)).cloned().collect()
}

fn is_example(item: &Node, found: &mut Diagnostics) -> bool {
    let Some(mut table) = TableCursor::open(item, "an example: a table of `args` and `output`", found) else {
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
