//! Forms: how each revision spells them, and how one that was filled in is read.

use std::borrow::Cow;

use crate::context::Context;
use crate::context::ask::AskError;
use crate::json::{self, Decode, Encode, Object, Tree, Writer};
use crate::protocol::Revision;
use crate::validate::{self, Options};

/// Appends a form's schema as a client of `revision` knows forms.
pub(super) fn write(schema: &str, revision: Revision, out: &mut Vec<u8>) -> Result<(), AskError> {
    if revision.has_url_elicitation() {
        out.extend_from_slice(schema.as_bytes());
        return Ok(());
    }
    let Ok(Tree::Object(form)) = Tree::parse(schema) else { return Err(AskError::unaskable("the form is no object")) };
    let mut members = Vec::new();
    for (key, value) in form.entries() {
        let value = match value {
            Tree::Object(fields) if key == "properties" => plain_fields(fields)?,
            value => value.clone(),
        };
        members.push((key.clone(), value));
    }
    Tree::Object(Object::new(members)).encode(&mut Writer::new(out));
    Ok(())
}

fn plain_fields<'a>(fields: &Object<'a>) -> Result<Tree<'a>, AskError> {
    let mut plain = Vec::new();
    for (name, field) in fields.entries() {
        let Tree::Object(field) = field else { continue };
        plain.push((name.clone(), plain_field(field)?));
    }
    Ok(Tree::Object(Object::new(plain)))
}

/// A field as 2025-06-18 knows it: defaults on booleans only, titles of choices beside them.
fn plain_field<'a>(field: &Object<'a>) -> Result<Tree<'a>, AskError> {
    let is = |name: &str| matches!(field.get("type"), Some(Tree::String(ty)) if ty == name);
    if is("array") {
        return Err(AskError::multiple_choice());
    }
    let mut members = Vec::new();
    for (key, value) in field.entries() {
        match (key.as_ref(), value) {
            ("default", _) if !is("boolean") => {}
            ("oneOf", Tree::Array(choices)) => {
                let all = |key: &str| Tree::Array(choices.iter().filter_map(|choice| member(choice, key)).collect());
                members.push((Cow::Borrowed("enum"), all("const")));
                members.push((Cow::Borrowed("enumNames"), all("title")));
            }
            (_, value) => members.push((key.clone(), value.clone())),
        }
    }
    Ok(Tree::Object(Object::new(members)))
}

fn member<'a>(tree: &Tree<'a>, key: &str) -> Option<Tree<'a>> {
    let Tree::Object(object) = tree else { return None };
    object.get(key).cloned()
}

/// Reads what the user filled in. It is judged by the schema, for clients need not; slips are mended as in arguments.
pub(super) fn read<A: Decode>(context: &Context, schema: &str, filled: &str) -> Result<A, AskError> {
    let options = Options { repair: context.state.peer.engine.repair, ..Options::default() };
    let judgement = validate::judge(schema, filled, &options);
    let filled = match &judgement.repaired {
        Some(repaired) => &repaired.arguments,
        None if judgement.faults.is_empty() => filled,
        None => return Err(AskError::invalid(judgement.explain("the form"))),
    };
    let filled = declared(schema, filled).ok_or_else(|| AskError::invalid("`content` must be an object"))?;
    json::decode(&filled).map_err(|fault| AskError::invalid(fault.reason()))
}

/// The content without members that are no fields: a form's schema cannot say that it has no others.
fn declared(schema: &str, content: &str) -> Option<String> {
    let (Tree::Object(form), Tree::Object(content)) = (Tree::parse(schema).ok()?, Tree::parse(content).ok()?) else {
        return None;
    };
    let Some(Tree::Object(fields)) = form.get("properties") else { return Some("{}".to_owned()) };
    let members = content.entries().iter().filter(|(key, _)| fields.get(key).is_some()).cloned().collect();
    Some(Tree::Object(Object::new(members)).to_text())
}

#[cfg(test)]
mod tests {
    use super::*;

    const FORM: &str = r#"{"type":"object","properties":{"sure":{"type":"boolean","default":false},"why":{"type":"string","default":"so"},"how":{"type":"string","oneOf":[{"const":"a","title":"A"},{"const":"b","title":"B"}]}},"required":["sure"]}"#;

    fn written(schema: &str, revision: Revision) -> Result<String, AskError> {
        let mut out = Vec::new();
        write(schema, revision, &mut out).map(|()| String::from_utf8(out).unwrap())
    }

    #[test]
    fn the_first_forms_know_neither_defaults_nor_titled_choices() {
        assert_eq!(written(FORM, Revision::V2025_11_25).as_deref(), Ok(FORM));
        assert_eq!(
            written(FORM, Revision::V2025_06_18).as_deref(),
            Ok(
                r#"{"type":"object","properties":{"sure":{"type":"boolean","default":false},"why":{"type":"string"},"how":{"type":"string","enum":["a","b"],"enumNames":["A","B"]}},"required":["sure"]}"#
            )
        );
    }

    #[test]
    fn the_first_forms_know_no_choice_of_several() {
        let form = r#"{"type":"object","properties":{"all":{"type":"array","items":{"type":"string","enum":["a"]}}}}"#;
        assert!(written(form, Revision::V2025_06_18).unwrap_err().is_unsupported());
        assert_eq!(written(form, Revision::V2026_07_28).as_deref(), Ok(form));
    }

    #[test]
    fn members_that_are_no_fields_are_left_out() {
        assert_eq!(declared(FORM, r#"{"sure":true,"more":[1]}"#).as_deref(), Some(r#"{"sure":true}"#));
        assert_eq!(declared(FORM, "[]"), None);
    }
}
