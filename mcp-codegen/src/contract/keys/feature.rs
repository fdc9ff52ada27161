//! The keys of features, and of the tables inside them.

use super::{ALLOW, ICONS, RUST_OF_FEATURE, RUST_OF_PROPERTY, SECRET, SETTINGS, SETTINGS_OF_TOOLS, SHORT, TEXTS, WIRE};
use crate::document::keys::{Entry, Schema, Table, Takes};

/// MCP's keys of every feature; `name` differs.
const COMMON: &[Entry] = &[
    Entry::wire("title", Takes::Text, "The name that people read"),
    Entry::wire("description", Takes::Text, "What it is for; models read it, and it becomes the doc comment"),
    Entry::wire("icons", ICONS, "Pictures of it"),
    Entry::wire("annotations", Takes::Object, "Hints for clients, such as `readOnlyHint = true`"),
    Entry::wire("_meta", Takes::Object, "Further data for clients"),
];

/// Our keys of every feature, beside the settings.
const OWN: &[Entry] = &[RUST_OF_FEATURE, ALLOW];

/// A schema that goes to the wire as it stands: a table, JSON text, or a file.
const VERBATIM: Takes = Takes::Schema(Schema::Verbatim);
const GROUPS: Takes = Takes::List(&TEXTS);
const HINTS: Takes = Takes::Map(&Takes::Table(&HINT));
const EXAMPLES: Takes = Takes::List(&Takes::Table(&EXAMPLE));

/// `[[tools]]`
pub(crate) const TOOL: Table = Table {
    what: "a tool",
    groups: &[
        &[Entry::wire(
            "name",
            Takes::TextLike("^[A-Za-z0-9_.-]{1,128}$"),
            "The name by which the tool is called: 1 to 128 letters, digits, `_`, `-` and `.`",
        )
        .required()],
        COMMON,
        &[
            Entry::wire("execution", Takes::Table(&EXECUTION), "Whether calls run as tasks: `taskSupport`"),
            Entry::wire(
                "inputSchema",
                Takes::Schema(Schema::Arguments),
                "The JSON Schema of the arguments, which reaches clients as it stands",
            ),
            Entry::wire("outputSchema", VERBATIM, "The JSON Schema of the result, which reaches clients as it stands"),
        ],
        SETTINGS,
        SETTINGS_OF_TOOLS,
        OWN,
        &[
            Entry::own("args", Takes::Map(&SHORT), "The arguments: a short schema for each. Instead of `inputSchema`"),
            Entry::own(
                "output",
                Takes::Map(&SHORT),
                "The result: a short schema for each property. Instead of `outputSchema`",
            ),
            Entry::own("rules", Takes::Table(&RULES), "What holds between several of the `args`"),
            Entry::own("hints", HINTS, "What Rust makes of places in verbatim schemas, by JSON Pointers into them"),
            Entry::own("examples", EXAMPLES, "Calls as they should go; each is held against the schemas"),
        ],
    ],
    apart: &[("args", "inputSchema"), ("output", "outputSchema")],
    either: &[],
    needs: &[("rules", "args")],
};

/// `execution` of a tool.
const EXECUTION: Table = Table {
    what: "an object",
    groups: &[&[Entry::wire(
        "taskSupport",
        Takes::Word(&["forbidden", "optional", "required"]),
        "Whether calls run as tasks; `forbidden` by default",
    )]],
    apart: &[],
    either: &[],
    needs: &[],
};

/// `[[resources]]`
pub(crate) const RESOURCE: Table = Table {
    what: "a resource",
    groups: &[
        &[
            Entry::wire("uri", Takes::TextLike("^[A-Za-z][A-Za-z0-9+.-]*:|^\\{"), "The URI by which it is read")
                .required(),
            Entry::wire("name", Takes::Filled, "The name of the resource, for programs").required(),
            Entry::wire("mimeType", Takes::Text, "The type of the content, such as `text/plain`"),
            Entry::wire("size", Takes::Count(0), "The size of the content, in bytes"),
        ],
        COMMON,
        SETTINGS,
        OWN,
        &[
            Entry::own("text", Takes::Text, "The content; then there is no handler"),
            Entry::own(
                "file",
                Takes::Text,
                "A file that is the content, from the contract's folder; then there is no handler",
            ),
            UPDATES,
        ],
    ],
    apart: &[("text", "file")],
    either: &[],
    needs: &[],
};

/// `[[resourceTemplates]]`
pub(crate) const TEMPLATE: Table = Table {
    what: "a resource template",
    groups: &[
        &[
            Entry::wire(
                "uriTemplate",
                Takes::TextLike("^[A-Za-z][A-Za-z0-9+.-]*:|^\\{"),
                "The URIs that can be read, such as `weather://{city}/{day}` (RFC 6570)",
            )
            .required(),
            Entry::wire("name", Takes::Filled, "The name of the template, for programs").required(),
            Entry::wire("mimeType", Takes::Text, "The type of the contents, such as `text/plain`"),
        ],
        COMMON,
        SETTINGS,
        OWN,
        &[
            Entry::own("args", Takes::Map(&Takes::Schema(Schema::Variable)), "The variables: a short schema for each"),
            Entry::own("hints", HINTS, "What Rust makes of variables, by `/properties/NAME`"),
            Entry::own("examples", EXAMPLES, "Values of the variables as they could be"),
            UPDATES,
        ],
    ],
    apart: &[],
    either: &[],
    needs: &[],
};

/// `[[prompts]]`
pub(crate) const PROMPT: Table = Table {
    what: "a prompt",
    groups: &[
        &[Entry::wire("name", Takes::Filled, "The name by which clients ask for the prompt").required()],
        COMMON,
        &[Entry::wire("arguments", Takes::List(&Takes::Table(&ARGUMENT)), "What the user fills in")],
        SETTINGS,
        OWN,
        &[
            Entry::own(
                "messages",
                Takes::List(&Takes::Table(&MESSAGE)),
                "The messages, with `{{name}}` for an argument; then there is no handler",
            ),
            Entry::own("examples", EXAMPLES, "Arguments as they could be"),
        ],
    ],
    apart: &[],
    either: &[],
    needs: &[],
};

/// An item of a prompt's `arguments`.
pub(crate) const ARGUMENT: Table = Table {
    what: "an argument: a table with a `name`",
    groups: &[&[
        Entry::wire("name", Takes::Filled, "The name of the argument").required(),
        Entry::wire("title", Takes::Text, "The name that people read"),
        Entry::wire("description", Takes::Text, "What to fill in"),
        Entry::wire("required", Takes::Bool, "`true`: the argument must be there"),
        Entry::own("enum", TEXTS, "Values that clients are offered as completions; others are accepted, too"),
        Entry::own("complete", Takes::Bool, "`true`: a method of the trait completes the argument"),
        RUST_OF_FEATURE,
    ]],
    apart: &[],
    either: &[],
    needs: &[],
};

/// An item of a prompt's `messages`.
pub(crate) const MESSAGE: Table = Table {
    what: "a message: a table of `role` and `text`",
    groups: &[&[
        Entry::own("role", Takes::Word(&["user", "assistant"]), "Who says it").required(),
        Entry::own("text", Takes::Text, "The text of the message, with `{{name}}` for an argument"),
        Entry::own("content", Takes::Table(&CONTENT), "Instead of `text`: a content block of MCP"),
    ]],
    apart: &[("text", "content")],
    either: &[("text", "content")],
    needs: &[],
};

/// `content` of a message.
const CONTENT: Table = Table {
    what: "a content block",
    groups: &[&[Entry::wire(
        "type",
        Takes::Word(&["text", "image", "audio", "resource_link", "resource"]),
        "The type of the block; its other keys are MCP's",
    )
    .required()]],
    apart: &[],
    either: &[],
    needs: &[],
};

/// `[tools.rules]`
pub(crate) const RULES: Table = Table {
    what: "a table",
    groups: &[&[
        Entry::own(
            "additional",
            Takes::Either(&[Takes::Bool, SHORT]),
            "`true`, or a short schema: other arguments may come, too; `false` by default",
        ),
        Entry::own("one_of", GROUPS, "Groups of arguments: exactly one of each group is given"),
        Entry::own("requires", Takes::Map(&TEXTS), "`{ a = [\"b\"] }`: whoever gives `a` gives `b`, too"),
        Entry::own("conflicts", GROUPS, "Groups of arguments: at most one of each group is given"),
    ]],
    apart: &[],
    either: &[],
    needs: &[],
};

/// A value of `hints`.
pub(crate) const HINT: Table = Table {
    what: "a table of `secret`, `rust` and `wire`",
    groups: &[&[SECRET, RUST_OF_PROPERTY, WIRE]],
    apart: &[],
    either: &[],
    needs: &[],
};

/// An item of `examples`.
pub(crate) const EXAMPLE: Table = Table {
    what: "an example: a table of `args` and `output`",
    groups: &[&[
        Entry::own("name", Takes::Text, "What the example is called, for people"),
        Entry::own("description", Takes::Text, "What the example shows, for people"),
        Entry::own("output", Takes::Any, "The result"),
        Entry::own("args", Takes::Object, "The arguments"),
    ]],
    apart: &[],
    either: &[],
    needs: &[],
};

/// A variable of a template: the key beside those of a property.
#[cfg(feature = "cli")]
pub(crate) const VARIABLE: Table = Table {
    what: "a table of keywords",
    groups: &[&[Entry::own("complete", Takes::Bool, "`true`: a method of the trait completes the variable")]],
    apart: &[],
    either: &[],
    needs: &[],
};

const UPDATES: Entry = Entry::own(
    "updates",
    Takes::Bool,
    "`true`: clients can subscribe to it, where the server has been given `Changes`",
);
