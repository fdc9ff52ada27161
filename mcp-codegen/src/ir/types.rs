//! The types of arguments and results: an arena, so that they can refer to each other and to themselves.

use crate::config::Via;
use crate::formats::StringFormat;
use crate::ir::{Named, RustIdent};
use crate::pattern::Steps;

/// Types of no name inside each other that are looked into: deeper ones are any value in the end.
const MAX_NESTING: u8 = 64;

/// All types of one generation.
#[derive(Clone, Debug, Default)]
pub(crate) struct TypeArena {
    types: Vec<TypeKind>,
}

/// Names one type of a [`TypeArena`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct TypeId(u32);

/// How the ids of an arena change when another takes its types over.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Moved {
    /// So many types were in both; their ids stay.
    common: usize,
    by: usize,
}

/// What a type is. `Enum`, `Struct` and `Union` are defined under a name; all others are written where they stand.
#[derive(Clone, Debug)]
pub(crate) enum TypeKind {
    /// `serde_json::Value`; for people, the schema that no type says.
    Any(Option<String>),
    Array {
        item: TypeId,
        rules: ArrayRules,
    },
    Bool,
    /// A type that holds itself by value.
    Boxed(TypeId),
    /// One value only, as JSON text: checked and written, never stored.
    Constant(String),
    Enum(Enum),
    /// A type of the author's, made from a text and written as one. It stands inside of a struct or a union.
    Foreign {
        path: String,
        via: Via,
        wire: TypeId,
    },
    Integer {
        unsigned: bool,
        /// Whether it travels as a string. Such a one stands in fields only.
        text: bool,
        rules: IntegerRules,
    },
    Map {
        value: TypeId,
        rules: ObjectRules,
    },
    Null,
    Nullable(TypeId),
    Number(NumberRules),
    String(StringRules),
    Struct(Struct),
    Union(Union),
}

/// An object with declared properties.
#[derive(Clone, Debug)]
pub(crate) struct Struct {
    pub(crate) name: RustIdent,
    pub(crate) docs: Option<String>,
    pub(crate) derives: Vec<String>,
    pub(crate) fields: Vec<Field>,
    pub(crate) rest: Rest,
    /// Whether undeclared members are never shown.
    pub(crate) secret_rest: bool,
}

/// One declared property.
#[derive(Clone, Debug)]
pub(crate) struct Field {
    pub(crate) name: Named,
    pub(crate) docs: Option<String>,
    pub(crate) presence: Presence,
    pub(crate) secret: bool,
    pub(crate) ty: TypeId,
}

/// Whether a property must be there, and what its absence means.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Presence {
    /// Absent stands for this value.
    Defaulted(Literal),
    /// `Option<T>`, or `Field<T>` where null is a value too.
    Optional,
    Required,
}

/// What becomes of undeclared keys.
#[derive(Clone, Debug)]
pub(crate) enum Rest {
    /// `additionalProperties: false`.
    Closed,
    /// Kept as they are.
    Open(RustIdent),
    /// `additionalProperties` is a schema.
    Typed(RustIdent, TypeId),
}

/// A fixed list of scalars.
#[derive(Clone, Debug)]
pub(crate) struct Enum {
    pub(crate) name: RustIdent,
    pub(crate) docs: Option<String>,
    pub(crate) derives: Vec<String>,
    /// Whether all values are strings; `Variant::wire` is then the string itself, else JSON text.
    pub(crate) strings: bool,
    pub(crate) variants: Vec<Named>,
}

/// One of several shapes, told apart for certain.
#[derive(Clone, Debug)]
pub(crate) struct Union {
    pub(crate) name: RustIdent,
    pub(crate) docs: Option<String>,
    pub(crate) derives: Vec<String>,
    pub(crate) tag: UnionTag,
    pub(crate) variants: Vec<Variant>,
}

/// What tells the branches of a union apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum UnionTag {
    /// The JSON type of the value.
    JsonType,
    /// This property, a different constant string in each branch.
    Property(String),
}

/// One branch of a union.
#[derive(Clone, Debug)]
pub(crate) struct Variant {
    pub(crate) name: RustIdent,
    /// The values of the tag that choose it, or the first bytes of a value of its JSON type.
    pub(crate) tags: Vec<String>,
    pub(crate) ty: TypeId,
}

/// A default, as an expression of its type.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Literal {
    Bool(bool),
    EmptyArray,
    Integer(i128),
    /// JSON text, to be decoded: what no short expression says.
    Json(String),
    Number(f64),
    /// Of a type that may be null.
    Some(Box<Self>),
    String(String),
    /// A variant of the enum that is the field's type.
    Variant(RustIdent),
}

/// Bounds of an integer, inclusive.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct IntegerRules {
    pub(crate) minimum: Option<i128>,
    pub(crate) maximum: Option<i128>,
    pub(crate) multiple_of: Option<i128>,
}

/// Bounds of a number.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct NumberRules {
    pub(crate) minimum: Option<f64>,
    pub(crate) maximum: Option<f64>,
    pub(crate) exclusive_minimum: Option<f64>,
    pub(crate) exclusive_maximum: Option<f64>,
    pub(crate) multiple_of: Option<f64>,
}

/// Lengths of a string, in characters, and what it must match.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct StringRules {
    pub(crate) min_length: Option<u64>,
    pub(crate) max_length: Option<u64>,
    /// The name of a [`Pattern`].
    pub(crate) pattern: Option<RustIdent>,
    /// The format that is asserted.
    pub(crate) format: Option<StringFormat>,
}

/// A `pattern` that strings are matched with.
#[derive(Clone, Debug)]
pub(crate) struct Pattern {
    /// What the constant is called.
    pub(crate) name: RustIdent,
    /// As the schema states it.
    pub(crate) source: String,
    pub(crate) matcher: Matcher,
}

/// What matches a [`Pattern`].
#[derive(Clone, Debug)]
pub(crate) enum Matcher {
    /// An engine that tracks back, which reads this.
    Backtracking(String),
    /// An engine whose time is linear, which reads this.
    Linear(String),
    Plain(Steps),
}

/// Sizes of an array.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct ArrayRules {
    pub(crate) min_items: Option<u64>,
    pub(crate) max_items: Option<u64>,
    pub(crate) unique: bool,
}

/// Sizes of a map.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct ObjectRules {
    pub(crate) min_properties: Option<u64>,
    pub(crate) max_properties: Option<u64>,
}

impl TypeArena {
    /// Adds a type.
    pub(crate) fn add(&mut self, kind: TypeKind) -> TypeId {
        let id = TypeId(u32::try_from(self.types.len()).unwrap_or(u32::MAX));
        self.types.push(kind);
        id
    }

    /// Takes an id for a type that is still being read, so that it can refer to itself.
    pub(crate) fn reserve(&mut self) -> TypeId {
        self.add(TypeKind::Any(None))
    }

    /// Takes the types over that another arena has beyond what both began with. Says how their ids change.
    pub(crate) fn take_over(&mut self, other: Self, common: usize) -> Moved {
        let moved = Moved { common, by: self.types.len() - common };
        self.types.extend(other.types.into_iter().skip(common).map(|mut kind| {
            kind.each_child(|id| *id = moved.id(*id));
            kind
        }));
        moved
    }

    /// Gives a reserved id its type, or changes one.
    pub(crate) fn set(&mut self, id: TypeId, kind: TypeKind) {
        self.types[id.0 as usize] = kind;
    }

    /// Lets all types that are made of `old` be made of `new`.
    pub(crate) fn replace(&mut self, old: TypeId, new: TypeId) {
        self.types.iter_mut().for_each(|kind| kind.replace_child(old, new));
    }

    /// What the type behind an id is.
    pub(crate) fn kind(&self, id: TypeId) -> &TypeKind {
        &self.types[id.0 as usize]
    }

    /// The type of the items of an array; that of anything else is its own.
    pub(crate) fn item(&self, id: TypeId) -> TypeId {
        if let TypeKind::Array { item, .. } = self.kind(id) { *item } else { id }
    }

    /// What the type behind an id is, to change it.
    pub(crate) fn kind_mut(&mut self, id: TypeId) -> &mut TypeKind {
        &mut self.types[id.0 as usize]
    }

    /// The same type outside of structs and unions without types of the author's: what nothing converts.
    pub(crate) fn without_foreign(&mut self, id: TypeId) -> TypeId {
        self.without_foreign_at(id, 0)
    }

    fn without_foreign_at(&mut self, id: TypeId, depth: u8) -> TypeId {
        let inner = match *self.kind(id) {
            TypeKind::Foreign { wire, .. } => return wire,
            TypeKind::Array { item: inner, .. } | TypeKind::Map { value: inner, .. } | TypeKind::Nullable(inner)
                if depth < MAX_NESTING =>
            {
                inner
            }
            _ => return id,
        };
        let bare = self.without_foreign_at(inner, depth + 1);
        if bare == inner {
            return id;
        }
        let mut kind = self.kind(id).clone();
        kind.replace_child(inner, bare);
        self.add(kind)
    }

    /// The formats that strings are asked to have.
    pub(crate) fn formats(&self) -> impl Iterator<Item = StringFormat> {
        let format = |kind: &TypeKind| if let TypeKind::String(rules) = kind { rules.format } else { None };
        self.types.iter().filter_map(format)
    }

    /// How many types there are.
    pub(crate) fn len(&self) -> usize {
        self.types.len()
    }
}

impl Moved {
    /// What an id of the other arena is now.
    pub(crate) fn id(self, TypeId(id): TypeId) -> TypeId {
        let is_common = (id as usize) < self.common;
        TypeId(if is_common { id } else { id + u32::try_from(self.by).unwrap_or(u32::MAX) })
    }
}

impl TypeId {
    /// Its place in the arena.
    pub(crate) const fn index(self) -> usize {
        self.0 as usize
    }
}

impl TypeKind {
    /// The types that this one is made of.
    pub(crate) fn children(&self) -> Vec<TypeId> {
        match self {
            Self::Array { item: inner, .. }
            | Self::Boxed(inner)
            | Self::Foreign { wire: inner, .. }
            | Self::Map { value: inner, .. }
            | Self::Nullable(inner) => vec![*inner],
            Self::Struct(object) => {
                let rest = match object.rest {
                    Rest::Typed(_, value) => Some(value),
                    Rest::Closed | Rest::Open(_) => None,
                };
                object.fields.iter().map(|field| field.ty).chain(rest).collect()
            }
            Self::Union(union) => union.variants.iter().map(|variant| variant.ty).collect(),
            Self::Any(_)
            | Self::Bool
            | Self::Constant(_)
            | Self::Enum(_)
            | Self::Integer { .. }
            | Self::Null
            | Self::Number(_)
            | Self::String(_) => Vec::new(),
        }
    }

    /// The fields of a struct; none of any other type.
    pub(crate) fn fields(&self) -> &[Field] {
        if let Self::Struct(definition) = self { &definition.fields } else { &[] }
    }

    /// Puts `new` wherever this type refers to `old`.
    pub(crate) fn replace_child(&mut self, old: TypeId, new: TypeId) {
        self.each_child(|id| {
            if *id == old {
                *id = new;
            }
        });
    }

    fn each_child(&mut self, mut change: impl FnMut(&mut TypeId)) {
        match self {
            Self::Array { item: inner, .. }
            | Self::Boxed(inner)
            | Self::Foreign { wire: inner, .. }
            | Self::Map { value: inner, .. }
            | Self::Nullable(inner) => change(inner),
            Self::Struct(object) => {
                object.fields.iter_mut().for_each(|field| change(&mut field.ty));
                if let Rest::Typed(_, value) = &mut object.rest {
                    change(value);
                }
            }
            Self::Union(union) => union.variants.iter_mut().for_each(|variant| change(&mut variant.ty)),
            Self::Any(_)
            | Self::Bool
            | Self::Constant(_)
            | Self::Enum(_)
            | Self::Integer { .. }
            | Self::Null
            | Self::Number(_)
            | Self::String(_) => {}
        }
    }

    /// The name under which it is defined, if it has one.
    pub(crate) fn name(&self) -> Option<&RustIdent> {
        match self {
            Self::Enum(definition) => Some(&definition.name),
            Self::Struct(definition) => Some(&definition.name),
            Self::Union(definition) => Some(&definition.name),
            Self::Any(_)
            | Self::Array { .. }
            | Self::Bool
            | Self::Boxed(_)
            | Self::Constant(_)
            | Self::Foreign { .. }
            | Self::Integer { .. }
            | Self::Map { .. }
            | Self::Null
            | Self::Nullable(_)
            | Self::Number(_)
            | Self::String(_) => None,
        }
    }
}
