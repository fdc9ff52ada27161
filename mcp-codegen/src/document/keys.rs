//! What can stand in a table: its keys, what each takes, and what it is for. Whatever reads a table takes its keys from
//! here ([`TableCursor`](super::cursor::TableCursor)), and so does the schema for editors.

/// The keys of one kind of table.
#[derive(Debug)]
pub(crate) struct Table {
    /// What it is, for whoever wrote something else in its place.
    pub(crate) what: &'static str,
    pub(crate) groups: &'static [&'static [Entry]],
    /// Pairs of keys that exclude each other.
    #[cfg_attr(not(feature = "cli"), expect(dead_code, reason = "only the schema for editors says it"))]
    pub(crate) apart: &'static [(&'static str, &'static str)],
    /// Pairs of keys of which one must be there.
    #[cfg_attr(not(feature = "cli"), expect(dead_code, reason = "only the schema for editors says it"))]
    pub(crate) either: &'static [(&'static str, &'static str)],
    /// Keys that say nothing without another.
    #[cfg_attr(not(feature = "cli"), expect(dead_code, reason = "only the schema for editors says it"))]
    pub(crate) needs: &'static [(&'static str, &'static str)],
}

/// A key, and what stands behind it.
#[derive(Debug)]
pub(crate) struct Entry {
    pub(crate) name: &'static str,
    #[cfg_attr(not(feature = "cli"), expect(dead_code, reason = "the reader knows; the schema for editors says it"))]
    pub(crate) takes: Takes,
    #[cfg_attr(not(feature = "cli"), expect(dead_code, reason = "the reader knows; the schema for editors says it"))]
    pub(crate) required: bool,
    /// Whether it is a key of this program's, which never reaches a client.
    pub(crate) own: bool,
    /// What it is for: a phrase, for people.
    #[cfg_attr(not(feature = "cli"), expect(dead_code, reason = "only people read it"))]
    pub(crate) about: &'static str,
}

/// What a key takes.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(not(feature = "cli"), expect(dead_code, reason = "the reader knows; the schema for editors says it"))]
pub(crate) enum Takes {
    Any,
    Bool,
    /// An integer from the number on.
    Count(u64),
    Either(&'static [Self]),
    /// A text of one character or more.
    Filled,
    List(&'static Self),
    /// Names → values.
    Map(&'static Self),
    /// Names that an expression matches → values.
    Named(&'static str, &'static Self),
    /// The number, and no other.
    Number(u64),
    /// A table of whatever the author likes.
    Object,
    /// A schema whose keywords are a table of their own.
    Schema(Schema),
    Table(&'static Table),
    Text,
    /// A text that an expression matches somewhere.
    TextLike(&'static str),
    /// One of these words.
    Word(&'static [&'static str]),
}

/// Whose words a schema is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Schema {
    /// A verbatim schema of arguments, which are an object.
    Arguments,
    Short,
    /// A short schema in a form.
    Field,
    /// A short schema that may also say whether its value is completed.
    Variable,
    Verbatim,
}

impl Table {
    pub(crate) fn entries(&self) -> impl Iterator<Item = &'static Entry> {
        self.groups.iter().copied().flatten()
    }

    pub(crate) fn entry(&self, name: &str) -> Option<&'static Entry> {
        self.entries().find(|entry| entry.name == name)
    }

    /// Whether the key is one of this program's.
    pub(crate) fn is_own(&self, name: &str) -> bool {
        self.entry(name).is_some_and(|entry| entry.own)
    }
}

impl Entry {
    /// A key of MCP's.
    pub(crate) const fn wire(name: &'static str, takes: Takes, about: &'static str) -> Self {
        Self { name, takes, required: false, own: false, about }
    }

    /// A key of this program's.
    pub(crate) const fn own(name: &'static str, takes: Takes, about: &'static str) -> Self {
        Self { name, takes, required: false, own: true, about }
    }

    /// The same key, which must be there.
    pub(crate) const fn required(self) -> Self {
        Self { required: true, ..self }
    }
}
