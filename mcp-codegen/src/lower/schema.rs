//! Schema → type: which kind of Rust type says a schema best, and where one says less than the schema.
//!
//! What arguments may be is decided exactly or left to the validation behind the types: a type never refuses what its
//! schema accepts; where it accepts more, `lower::exact` finds it. On the way out a type may be narrower than its schema.

use std::collections::BTreeMap;

use crate::contract::{Hint, Side};
use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::document::Node;
use crate::formats::Formats;
use crate::ir::{Matcher, Pattern, RustIdent, StringRules, TypeArena, TypeId, TypeKind};
use crate::lower::asserts::asserts;
use crate::lower::naming::{self, Scope};
use crate::lower::scalar;
use crate::pattern::{self, Dialect};
use crate::schema::{self, JsonType, Schema, SchemaKind, SchemaObject};
use crate::source::{Span, Spanned};

/// What a whole file of generated code has in common.
#[derive(Debug, Default)]
pub(crate) struct FileScope {
    pub(crate) names: Scope,
    /// What the file defines, parents before children.
    pub(crate) defined: Vec<TypeId>,
    /// What strings are matched with.
    pub(crate) patterns: Vec<Pattern>,
}

impl FileScope {
    /// The name of a pattern. One that cannot be read was reported when the contract was.
    pub(crate) fn pattern(&mut self, source: &str) -> Option<RustIdent> {
        if let Some(known) = self.patterns.iter().find(|known| known.source == source) {
            return Some(known.name.clone());
        }
        let node = pattern::parse(source).ok()?;
        let name = RustIdent::new(format!("PATTERN_{}", self.patterns.len() + 1));
        let matcher = match pattern::steps(&node) {
            Some(steps) => Matcher::Plain(steps),
            None if node.tracks_back() => Matcher::Backtracking(pattern::print(&node, Dialect::Backtracking)),
            None => Matcher::Linear(pattern::print(&node, Dialect::Linear)),
        };
        self.patterns.push(Pattern { name: name.clone(), source: source.to_owned(), matcher });
        Some(name)
    }
}

/// What is known while one schema becomes types.
pub(crate) struct Lowering<'a> {
    pub(crate) types: &'a mut TypeArena,
    pub(crate) found: &'a mut Diagnostics,
    pub(crate) file: &'a mut FileScope,
    pub(crate) source: SchemaSource<'a>,
    /// Types of references that were met before, by reference; those still being read are among them.
    pub(crate) references: BTreeMap<String, TypeId>,
}

/// The schema, and what its author says about it.
#[derive(Clone, Copy)]
pub(crate) struct SchemaSource<'a> {
    pub(crate) root: &'a Node,
    pub(crate) side: Side,
    pub(crate) portable: bool,
    pub(crate) hints: &'a [Hint],
    pub(crate) defs: &'a BTreeMap<String, Shared<'a>>,
    pub(crate) formats: &'a Formats,
    /// What the type of the whole schema is called.
    pub(crate) name: &'a RustIdent,
}

/// What is known of one of `[defs]`; found by the reference that names it.
#[derive(Clone, Copy)]
pub(crate) struct Shared<'a> {
    pub(crate) ty: TypeId,
    pub(crate) schema: &'a Node,
}

/// One place of a schema.
#[derive(Clone, Copy)]
pub(crate) struct Place<'s> {
    pub(crate) schema: &'s Schema,
    /// The JSON Pointer that leads here.
    pub(crate) pointer: &'s str,
    /// What a type that is defined here is called.
    pub(crate) name: &'s str,
}

impl Lowering<'_> {
    /// The type of one place.
    pub(crate) fn lower(&mut self, place: Place<'_>) -> TypeId {
        let ty = self.wire_type(place);
        let Some(hint) = self.hint(place.pointer).cloned() else { return self.formatted(place, ty) };
        if hint.wire_string && !self.is_integer_as_text(ty) {
            self.found.push(self.no_integer_as_text(&hint));
        }
        if let Some(derive) = hint.rust.derive.first().filter(|_| !self.defines(place, ty)) {
            let finding = Diagnostic::error(Code::RUST_TYPE, derive.span, "`derive` stands where no type is defined");
            self.found
                .push(finding.help("write it on an object, an enumeration or a union, or on the definition itself"));
        }
        let rust = hint.rust;
        match rust.ty {
            Some(path) if path.value != "number" => self.foreign(place, (ty, &path, rust.via.as_ref())),
            Some(_) => ty,
            None => self.formatted(place, ty),
        }
    }

    /// Whether a type has its definition at a place, and not at that of a reference.
    fn defines(&self, place: Place<'_>, ty: TypeId) -> bool {
        let is_reference = place.schema.object().is_some_and(|schema| schema.reference.is_some());
        match self.types.kind(ty) {
            TypeKind::Nullable(inner) => self.defines(place, *inner),
            kind => kind.name().is_some() && !is_reference,
        }
    }

    fn is_integer_as_text(&self, ty: TypeId) -> bool {
        match self.types.kind(ty) {
            TypeKind::Integer { text, .. } => *text,
            TypeKind::Nullable(inner) => self.is_integer_as_text(*inner),
            _ => false,
        }
    }

    fn no_integer_as_text(&self, hint: &Hint) -> Diagnostic {
        // A short form says what the value is, and a verbatim schema how it travels.
        let (ty, help) = if self.source.portable {
            ("integer", "write it on a property beside `type = \"integer\"`, or leave it out")
        } else {
            ("string", "point at a property of type `string` that holds the digits, or leave it out")
        };
        let message = format!("`wire` stands on something that is no property of type `{ty}`");
        Diagnostic::error(Code::HINT, hint.pointer.span, message).help(help)
    }

    /// The type of the whole schema.
    pub(crate) fn root(&mut self, schema: &Schema) -> TypeId {
        let place = Place { schema, pointer: "", name: "" };
        let reserved = self.types.reserve();
        self.references.insert("#".to_owned(), reserved);
        let ty = self.lower(place);
        self.settle(reserved, ty);
        reserved
    }

    /// The type of the whole schema, which is an object: a struct, also where it declares no property.
    pub(crate) fn root_struct(&mut self, schema: &Schema) -> TypeId {
        let empty = SchemaObject::default();
        let reserved = self.types.reserve();
        self.references.insert("#".to_owned(), reserved);
        if let Some(reference) = schema.object().and_then(|schema| schema.reference.as_ref()) {
            self.references.insert(reference.value.clone(), reserved);
        }
        let schema = &self.target(schema);
        let object = schema.object().unwrap_or(&empty);
        self.structure(Place { schema, pointer: "", name: "" }, object, reserved)
    }

    /// What the author says about a place.
    pub(crate) fn hint(&self, pointer: &str) -> Option<&Hint> {
        let source = self.source;
        source.hints.iter().find(|hint| hint.side == source.side && hint.pointer.value == pointer)
    }

    /// Takes a name for a type that is defined at a place. That of the whole schema, which its root has under that name or
    /// none, was taken beforehand.
    pub(crate) fn define(&mut self, place: Place<'_>) -> RustIdent {
        let is_whole = place.pointer.is_empty() && place.name == self.source.name.plain();
        if place.name.is_empty() || is_whole {
            return self.source.name.clone();
        }
        let name = self.wanted_name(place);
        self.file.names.take(&name)
    }

    /// What a type at a place is called, unless another one has that name. On a property the author named the field.
    pub(crate) fn wanted_name(&self, place: Place<'_>) -> RustIdent {
        let hinted = self.hint(place.pointer).and_then(|hint| hint.rust.name.as_ref());
        match hinted.map(|name| RustIdent::new(name.value.clone())) {
            Some(field) if is_property(place.pointer) => naming::type_name(&naming::pascal_text(field.plain(), 1)),
            Some(name) => naming::type_name(name.as_str()),
            None if place.name.is_empty() => self.source.name.clone(),
            None => naming::type_name(place.name),
        }
    }

    /// The name of a type that is nullable at a place: the whole schema's own name is that of both together.
    pub(crate) fn name_of_value(&self, place: Place<'_>) -> String {
        if place.name.is_empty() { format!("{}Value", self.source.name.plain()) } else { place.name.to_owned() }
    }

    /// The derives that the author adds to a type.
    pub(crate) fn derives(&self, place: Place<'_>) -> Vec<String> {
        let hint = self.hint(place.pointer);
        hint.map(|hint| hint.rust.derive.iter().map(|path| path.value.clone()).collect()).unwrap_or_default()
    }

    /// Any value: what is left when no type says the schema.
    pub(crate) fn any(&mut self, place: Place<'_>) -> TypeId {
        let says_nothing = place.schema.object().is_none_or(|schema| !asserts(schema));
        let always_false = matches!(place.schema.kind, SchemaKind::Bool(false));
        let says_more = !says_nothing || always_false;
        let docs = says_more.then(|| format!("Any JSON value that the schema at `{}` accepts.", place.pointer));
        self.types.add(TypeKind::Any(docs))
    }

    /// The type as it travels, before the author's own comes in.
    fn wire_type(&mut self, place: Place<'_>) -> TypeId {
        let Some(schema) = place.schema.object() else { return self.any(place) };
        if let Some(reference) = &schema.reference {
            return self.reference(reference);
        }
        if schema.dynamic_reference.is_some() {
            return self.any(place);
        }
        self.by_keywords(place, schema)
    }

    fn by_keywords(&mut self, place: Place<'_>, schema: &SchemaObject) -> TypeId {
        if let Some(constant) = &schema.constant {
            return self.enumeration(place, schema, std::slice::from_ref(constant));
        }
        if let Some(values) = &schema.enumeration {
            return self.enumeration(place, schema, &values.value);
        }
        let types = schema.types.as_ref().map(|types| types.value.as_slice()).unwrap_or_default();
        let types = if types.is_empty() { self.implied_types(schema) } else { types };
        if types.is_empty() {
            return self.combined(place, schema);
        }
        self.of_types(place, schema, types)
    }

    /// The type that keywords imply, on the way out; on the way in they would let other types pass.
    fn implied_types(&self, schema: &SchemaObject) -> &'static [JsonType] {
        match self.source.side {
            Side::Output if !schema.properties.is_empty() => &[JsonType::Object],
            Side::Output if schema.items.is_some() => &[JsonType::Array],
            Side::Input | Side::Output => &[],
        }
    }

    fn of_types(&mut self, place: Place<'_>, schema: &SchemaObject, types: &[JsonType]) -> TypeId {
        let values = scalar::value_types(types);
        let nullable = types.contains(&JsonType::Null);
        let name = if nullable { self.name_of_value(place) } else { place.name.to_owned() };
        let place = Place { name: &name, ..place };
        let ty = match values.as_slice() {
            [] => return self.types.add(TypeKind::Null),
            [ty] => self.of_type(place, schema, *ty),
            several => self.of_several_types(place, schema, several),
        };
        if nullable { self.nullable(ty) } else { ty }
    }

    /// The type of values of one JSON type.
    pub(crate) fn of_type(&mut self, place: Place<'_>, schema: &SchemaObject, ty: JsonType) -> TypeId {
        let kind = match ty {
            JsonType::Array => return self.array(place, schema),
            JsonType::Object => return self.object(place, schema),
            JsonType::Boolean => TypeKind::Bool,
            JsonType::Integer => {
                let hint = self.hint(place.pointer);
                let number = hint.and_then(|hint| hint.rust.ty.as_ref()).is_some_and(|ty| ty.value == "number");
                // The pattern of its digits is for validation to check.
                if self.source.portable && self.is_told_as_text(place) {
                    return self.types.add(scalar::integer(schema, true));
                }
                if number { scalar::integral_number(schema) } else { scalar::integer(schema, false) }
            }
            JsonType::Null => TypeKind::Null,
            JsonType::Number => TypeKind::Number(scalar::number_rules(schema)),
            JsonType::String if !self.source.portable && self.is_told_as_text(place) => {
                scalar::integer(&SchemaObject::default(), true)
            }
            JsonType::String => {
                let pattern = schema.pattern.as_ref().and_then(|pattern| self.file.pattern(&pattern.value));
                let format = self.source.formats.asserted_by(schema);
                TypeKind::String(StringRules { pattern, format, ..scalar::string_rules(schema) })
            }
        };
        self.types.add(kind)
    }

    /// Whether the author says that the digits of an integer travel as a string: only a field knows how to read them.
    fn is_told_as_text(&self, place: Place<'_>) -> bool {
        is_property(place.pointer) && self.hint(place.pointer).is_some_and(|hint| hint.wire_string)
    }

    fn array(&mut self, place: Place<'_>, schema: &SchemaObject) -> TypeId {
        let item = match &schema.items {
            Some(items) if schema.prefix_items.is_empty() => {
                let name = format!("{}Item", place.name);
                self.lower(Place { schema: items, pointer: &format!("{}/items", place.pointer), name: &name })
            }
            Some(_) | None => self.types.add(TypeKind::Any(None)),
        };
        let kind = TypeKind::Array { item, rules: scalar::array_rules(schema) };
        self.types.add(kind)
    }

    pub(crate) fn nullable(&mut self, ty: TypeId) -> TypeId {
        if matches!(self.types.kind(ty), TypeKind::Nullable(_) | TypeKind::Null) {
            return ty;
        }
        // Any value may be null already.
        if matches!(self.types.kind(ty), TypeKind::Any(_)) {
            return ty;
        }
        self.types.add(TypeKind::Nullable(ty))
    }

    /// The one type of everything that refers to the same place.
    fn reference(&mut self, reference: &Spanned<String>) -> TypeId {
        let shared = self.source.defs.get(&reference.value).map(|shared| shared.ty);
        if let Some(ty) = shared.or_else(|| self.references.get(&reference.value).copied()) {
            return ty;
        }
        let Some(target) = schema::resolve(self.source.root, &reference.value) else {
            return self.types.add(TypeKind::Any(None));
        };
        let reserved = self.types.reserve();
        self.references.insert(reference.value.clone(), reserved);
        // Its faults were reported when the whole schema was read.
        let schema = schema::read(target, &mut Diagnostics::default());
        let name = naming::pascal_text(&last_step(&reference.value), 1);
        let place = Place { schema: &schema, pointer: reference.value.trim_start_matches('#'), name: &name };
        let ty = self.lower(place);
        self.settle(reserved, ty);
        reserved
    }

    /// Lets a reserved id stand for what became of it.
    pub(crate) fn settle(&mut self, reserved: TypeId, ty: TypeId) {
        let settled = self.types.kind(ty).clone();
        self.types.set(reserved, settled);
        for defined in &mut self.file.defined {
            if *defined == ty {
                *defined = reserved;
            }
        }
        // a reference to a reference: whoever named the one type names the other from now on, the type itself included
        let mut is_named = false;
        for known in self.references.values_mut().filter(|known| **known == ty) {
            (*known, is_named) = (reserved, true);
        }
        if is_named {
            self.types.replace(ty, reserved);
        }
    }

    /// Reports a schema that nothing fulfills.
    pub(crate) fn unsatisfiable(&mut self, place: Place<'_>, message: &str) {
        let finding = self.finding(Code::UNSATISFIABLE, place.schema.span, message.to_owned());
        self.found.push(finding.label("no value fits this"));
    }

    /// Says what is wrong in a short form and harmless in somebody's verbatim schema.
    pub(crate) fn finding(&self, code: Code, span: Span, message: String) -> Diagnostic {
        if self.source.portable {
            Diagnostic::error(code, span, message)
        } else {
            Diagnostic::warning(code, span, message)
        }
    }
}

/// Whether a pointer leads to a property, which becomes a field.
fn is_property(pointer: &str) -> bool {
    pointer.rsplit('/').nth(1) == Some("properties")
}

/// The name that a reference ends in.
fn last_step(reference: &str) -> String {
    let step = reference.rsplit('/').next().unwrap_or_default();
    schema::unescape(step)
}

/// What is said about a type whose schema says nothing: where its values stand.
pub(crate) fn about(pointer: &str) -> Option<String> {
    let steps: Vec<String> = pointer.split('/').map(schema::unescape).collect();
    let named = steps.iter().rposition(|step| matches!(step.as_str(), "properties" | "$defs" | "definitions"))?;
    let name = steps.get(named + 1)?.replace('`', "'");
    Some(match (steps[named].as_str(), steps.get(named + 2).map(String::as_str)) {
        ("properties", None) => format!("The value of `{name}`."),
        (_, None) => format!("What the schema defines as `{name}`."),
        (_, Some("items")) => format!("An item of `{name}`."),
        (_, Some("additionalProperties")) => format!("A value in `{name}`."),
        (_, Some(_)) => format!("One form of `{name}`."),
    })
}
