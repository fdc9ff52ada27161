//! Every key of a contract, table by table: the reader takes no key that does not stand here, and the schema for editors
//! is made of the same list.

mod feature;

#[cfg(feature = "cli")]
pub(crate) use self::feature::VARIABLE;
pub(crate) use self::feature::{ARGUMENT, EXAMPLE, HINT, MESSAGE, PROMPT, RESOURCE, RULES, TEMPLATE, TOOL};
use crate::document::keys::{Entry, Schema, Table, Takes};

const SHORT: Takes = Takes::Schema(Schema::Short);
const TEXTS: Takes = Takes::List(&Takes::Text);

/// The address of a server (RFC 8414, RFC 9728): neither query nor fragment.
const WEB_ADDRESS: Takes = Takes::TextLike(r#"^https?://[^/#?@"<>\\\s][^#?@"<>\\\s]*$"#);

/// A native file.
pub(crate) const FILE: Table = Table {
    what: "a contract",
    groups: &[&[
        Entry::own("format", Takes::Number(1), "The format of the file: always 1").required(),
        Entry::own("$schema", Takes::Text, "The schema of the contract format, for editors"),
        Entry::wire("server", Takes::Table(&SERVER), "Who answers, and the defaults of all features"),
        Entry::wire("tools", Takes::List(&Takes::Table(&TOOL)), "What a model can call"),
        Entry::wire("resources", Takes::List(&Takes::Table(&RESOURCE)), "What a client can read, each by its URI"),
        Entry::wire(
            "resourceTemplates",
            Takes::List(&Takes::Table(&TEMPLATE)),
            "What a client can read by URIs that match a template",
        ),
        Entry::wire("prompts", Takes::List(&Takes::Table(&PROMPT)), "Messages that a user can choose"),
        Entry::own(
            "defs",
            Takes::Named("^[A-Za-z_][A-Za-z0-9_]*$", &Takes::Either(&[Takes::Map(&SHORT), SHORT])),
            "Schemas that several features share, by names: a table of properties, or one short schema. `ref` names one",
        ),
        Entry::own("asks", Takes::Map(&Takes::Table(&ASK)), "Forms and pages that a handler may put to the user"),
        Entry::own(
            "formats",
            Takes::Map(&Takes::Table(&FORMAT)),
            "What becomes of each `format`, by its name; `\"*\"` stands for every one that can be asserted",
        ),
    ]],
    apart: &[],
    either: &[],
    needs: &[],
};

/// What a server answered to a list request, as an object.
pub(crate) const ANSWER: Table = Table {
    what: "a list answer",
    groups: &[&[
        Entry::wire("server", Takes::Any, "What the server said of itself"),
        Entry::wire("tools", Takes::Any, "The answer to `tools/list`"),
        Entry::wire("resources", Takes::Any, "The answer to `resources/list`"),
        Entry::wire("resourceTemplates", Takes::Any, "The answer to `resources/templates/list`"),
        Entry::wire("prompts", Takes::Any, "The answer to `prompts/list`"),
        Entry::wire("nextCursor", Takes::Any, "Where the list goes on"),
        // Keys of any result, which say nothing about a feature.
        Entry::wire("_meta", Takes::Any, "Of any result"),
        Entry::wire("cacheScope", Takes::Any, "Of any result"),
        Entry::wire("resultType", Takes::Any, "Of any result"),
        Entry::wire("ttlMs", Takes::Any, "Of any result"),
    ]],
    apart: &[],
    either: &[],
    needs: &[],
};

/// `[server]`
pub(crate) const SERVER: Table = Table {
    what: "a table",
    groups: &[
        &[
            Entry::wire("name", Takes::Filled, "The server's name, for programs").required(),
            Entry::wire("version", Takes::Text, "The server's version; `0.0.0` by default"),
            Entry::wire("title", Takes::Text, "The server's name, for people"),
            Entry::wire("description", Takes::Text, "What the server is for, for people"),
            Entry::wire("websiteUrl", Takes::Text, "Where people read more about the server"),
            Entry::wire("icons", ICONS, "Pictures of the server"),
            Entry::wire("instructions", Takes::Text, "How to use the server, for the model"),
        ],
        SETTINGS,
        SETTINGS_OF_TOOLS,
        &[
            Entry::own(
                "ttlMs",
                Takes::Count(0),
                "For how many milliseconds a client may keep lists and contents; 0 by default",
            ),
            Entry::own(
                "cacheScope",
                Takes::Word(&["private", "public"]),
                "Who may keep lists and contents; `private` by default",
            ),
            Entry::own("pageSize", Takes::Count(1), "How many features one page of a list has; all by default"),
            Entry::own("extensions", Takes::Object, "Settings of MCP extensions, by their names"),
            Entry::own("auth", Takes::Table(&AUTH), "Who issues tokens for the server over HTTP"),
            ALLOW,
        ],
    ],
    apart: &[],
    either: &[],
    needs: &[],
};

/// `[server.auth]`
pub(crate) const AUTH: Table = Table {
    what: "a table of `resource` and `authorizationServers`",
    groups: &[&[
        Entry::own("resource", WEB_ADDRESS, "The URL by which tokens are issued for the server"),
        Entry::own("authorizationServers", Takes::List(&WEB_ADDRESS), "The URLs of those who issue tokens"),
    ]],
    apart: &[],
    either: &[],
    needs: &[],
};

/// `[asks.name]`
pub(crate) const ASK: Table = Table {
    what: "an ask: a table of `message` and `fields`",
    groups: &[&[
        Entry::own("message", Takes::Text, "What the user reads, unless the handler says otherwise").required(),
        Entry::own(
            "fields",
            Takes::Map(&Takes::Schema(Schema::Field)),
            "The fields of the form: a short schema for each",
        ),
        Entry::own("url", Takes::Bool, "`true`: the user is sent to a page, and there is no form"),
    ]],
    apart: &[("fields", "url")],
    either: &[],
    needs: &[],
};

/// `[formats.name]`
pub(crate) const FORMAT: Table = Table {
    what: "a table of `assert` and `rust`",
    groups: &[&[
        Entry::own("assert", Takes::Bool, "`true`: a string that is not of the format is refused"),
        Entry::own("rust", Takes::Table(&RUST_TYPED), "A type of yours for strings of the format: `{ type, via }`"),
    ]],
    apart: &[],
    either: &[],
    needs: &[],
};

/// The keys of ours on a property of a short schema, beside the keywords of JSON Schema.
pub(crate) const PROPERTY: Table = Table {
    what: "a table of keywords",
    groups: &[&[
        Entry::own("required", Takes::Bool, "`true`: the property must be there"),
        Entry::own("ref", Takes::Text, "The name of a definition in `defs` that stands here"),
        SECRET,
        RUST_OF_PROPERTY,
        WIRE,
    ]],
    apart: &[],
    either: &[],
    needs: &[],
};

/// The keys of ours on a field of a form: no secret, and the older way to titles.
#[cfg(feature = "cli")]
pub(crate) const FIELD: Table = Table {
    what: "a table of keywords",
    groups: &[&[
        Entry::own("required", Takes::Bool, "`true`: the user must fill it in"),
        Entry::own("ref", Takes::Text, "The name of a definition in `defs` that stands here"),
        RUST_OF_PROPERTY,
        WIRE,
        Entry::wire("enumNames", TEXTS, "What the values of `enum` are called; `oneOf` of constants says the same"),
    ]],
    apart: &[],
    either: &[],
    needs: &[],
};

/// `rust = { … }` on a property, and on a definition that is a schema.
pub(crate) const RUST: Table = Table {
    what: "a table of `name`, `type`, `via` and `derive`",
    groups: &[&[
        Entry::own("name", RUST_NAME, "The Rust name, as it stands in the code"),
        RUST_TYPE,
        VIA,
        Entry::own(
            "derive",
            Takes::Either(&[Takes::Text, TEXTS]),
            "One derive or several for the type that is defined here, such as `Hash`",
        ),
    ]],
    apart: &[],
    either: &[],
    needs: &[("via", "type")],
};

/// `rust = { … }` on what has nothing but a type in Rust.
pub(crate) const RUST_TYPED: Table = Table {
    what: "a table of `type` and `via`",
    groups: &[&[RUST_TYPE.required(), VIA]],
    apart: &[],
    either: &[],
    needs: &[],
};

/// `rust = { … }` on what has nothing but a name in Rust.
pub(crate) const RUST_NAMED: Table = Table {
    what: "a table of `name`",
    groups: &[&[Entry::own("name", RUST_NAME, "The Rust name, instead of the one that is made")]],
    apart: &[],
    either: &[],
    needs: &[],
};

/// An item of `allow`.
pub(crate) const ALLOWED: Table = Table {
    what: "a rule",
    groups: &[&[
        Entry::own("rule", Takes::Text, "The lint rule, such as `tuple`").required(),
        Entry::own("reason", Takes::Text, "Why it is silenced here"),
    ]],
    apart: &[],
    either: &[],
    needs: &[],
};

/// An icon, as MCP has it.
const ICON: Table = Table {
    what: "an icon",
    groups: &[&[
        Entry::wire("src", Takes::Text, "The address of the picture").required(),
        Entry::wire("mimeType", Takes::Any, "The type of the picture"),
        Entry::wire("sizes", Takes::Any, "The sizes that it is made for, such as `48x48`"),
        Entry::wire("theme", Takes::Any, "Whether it is made for a `light` or a `dark` ground"),
    ]],
    apart: &[],
    either: &[],
    needs: &[],
};

const RUST_TYPE: Entry = Entry::own("type", Takes::Text, "A type of yours instead of the text, such as `::uuid::Uuid`");

const VIA: Entry = Entry::own(
    "via",
    Takes::Word(&["from_str", "serde"]),
    "How the text becomes a `type` of yours; `from_str` by default",
);

const RUST_NAME: Takes = Takes::TextLike(r"^(r#)?[^\s:;,.<>(){}\[\]-]+$");
const ICONS: Takes = Takes::List(&Takes::Table(&ICON));

const SECRET: Entry = Entry::own("secret", Takes::Bool, "`true`: the value is never shown in messages or by `Debug`");

const RUST_OF_PROPERTY: Entry = Entry::own(
    "rust",
    Takes::Either(&[Takes::Table(&RUST), Takes::Text]),
    "What Rust makes of it: `{ name, type, via, derive }`, or short `\"number\"` for an `f64`",
);

const WIRE: Entry = Entry::own(
    "wire",
    Takes::Word(&["string"]),
    "`\"string\"`: the integer travels as its digits in a string, because many clients round beyond 2^53",
);

/// The key `rust` of what has nothing but a name in Rust.
const RUST_OF_FEATURE: Entry = Entry::own(
    "rust",
    Takes::Table(&RUST_NAMED),
    "`{ name = \"…\" }`: the Rust name of it, instead of the one that is made",
);

const ALLOW: Entry = Entry::own(
    "allow",
    Takes::Either(&[Takes::Map(&Takes::Text), Takes::List(&Takes::Either(&[Takes::Text, Takes::Table(&ALLOWED)]))]),
    "Lint rules that are silenced here: `{ rule = \"reason\" }`",
);

/// Own keys of every feature that can stand on `[server]` as defaults.
const SETTINGS: &[Entry] = &[
    Entry::own(
        "timeout",
        Takes::TextLike("^0*[1-9][0-9]*(ms|s|m|h)$"),
        "The longest run, such as `250ms`, `30s`, `5m` or `1h`; what runs longer is dropped. None by default",
    ),
    Entry::own(
        "maxResult",
        Takes::Count(0),
        "The largest answer, in bytes; instead of a larger one, the model is told to ask for less",
    ),
    Entry::own(
        "scopes",
        Takes::List(&Takes::TextLike(r"^[!#-\[\]-~]+$")),
        "OAuth scopes that a caller needs over HTTP",
    ),
    Entry::own("groups", TEXTS, "Names by which a server can offer a part of the contract (`Server::only`)"),
];

/// Own keys of tools that can stand on `[server]` as defaults.
const SETTINGS_OF_TOOLS: &[Entry] = &[
    Entry::own("blocking", Takes::Bool, "`true`: the method is a plain `fn`, and runs on a thread of its own"),
    Entry::own(
        "repair",
        Takes::Bool,
        "`false`: slips of models in arguments (`\"5\"` for a number) are refused, not mended; `true` by default",
    ),
];
