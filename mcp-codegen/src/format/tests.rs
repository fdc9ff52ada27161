//! The printer against prettyplease: for every contract that there is, and for random ones, both print the same.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use syn::Item;

use super::*;
use crate::source::{Role, SourceFile, Sources};
use crate::{Config, Files, load};

/// What a whole module is to prettyplease.
fn expected(text: &str) -> String {
    let mut file = syn::parse_file(text).unwrap_or_else(|error| panic!("{error}: {text}"));
    let mut items = Vec::new();
    for item in std::mem::take(&mut file.items) {
        if items.last().is_some_and(|last| !belong_together(last, &item)) {
            items.push(Item::Verbatim(proc_macro2::TokenStream::new()));
        }
        items.push(item);
    }
    file.items = items;
    reference::unparse(file)
}

fn belong_together(before: &Item, after: &Item) -> bool {
    let (Item::Use(before), Item::Use(after)) = (before, after) else { return false };
    std::mem::discriminant(&before.vis) == std::mem::discriminant(&after.vis)
}

/// The modules of a tree without what is no item: the header, the text of the module, its lints.
fn modules(files: &Files) -> Vec<String> {
    let module = |text: &str| {
        let items = text.split_once("\n)]\n").map_or(text, |(_, items)| items);
        items.lines().filter(|line| !line.starts_with("//!")).fold(String::new(), |text, line| text + line + "\n")
    };
    files.iter().map(|(_, text)| module(text)).collect()
}

/// Holds the two printers against each other; the items that were left to prettyplease.
fn hold(files: &Files, what: &str) -> Vec<String> {
    let mut unknown = Vec::new();
    for source in modules(files) {
        let tokens = Tokens::parse(&source);
        let (own, left) = printer::print(std::slice::from_ref(&tokens));
        assert_same(&own, &expected(&source), what);
        unknown.extend(left);
    }
    unknown
}

fn assert_same(own: &str, expected: &str, what: &str) {
    if own == expected {
        return;
    }
    let pairs = own.lines().zip(expected.lines());
    let at = pairs.take_while(|(own, expected)| own == expected).count();
    let part = |text: &str| text.lines().skip(at.saturating_sub(3)).take(9).collect::<Vec<_>>().join("\n");
    panic!("{what}, line {at}:\n{}\n--- should be\n{}", part(own), part(expected));
}

fn generated(sources: &Sources, config: &Config, what: &str) -> Files {
    match crate::generate(sources, config) {
        Ok(generated) => generated.files,
        Err(found) => panic!("{what}: {}", found.render(sources, crate::diagnostic::Format::Plain)),
    }
}

fn configs() -> [Config; 2] {
    let config = || Config::new().name("unnamed");
    [config(), config().default_stubs(true).derive("::serde::Serialize").runtime_path("crate::a::runtime")]
}

fn contracts(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let mut contracts: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    contracts.sort();
    contracts
}

#[test]
fn contracts_are_printed_as_prettyplease_prints_them() {
    let mut all = contracts("../specs/valid");
    all.extend(contracts("../tests/served/contract"));
    // All of them take minutes without optimisation.
    all.extend(contracts("../../shared/corpus/servers").into_iter().step_by(8));
    let (mut unknown, mut count) = (Vec::new(), 0);
    for (number, contract) in all.iter().enumerate() {
        let Ok(sources) = load::load(contract) else { continue };
        let [plain, other] = configs();
        let what = contract.display().to_string();
        let files = generated(&sources, if number % 2 == 0 { &plain } else { &other }, &what);
        unknown.extend(hold(&files, &what));
        count += files.len();
    }
    assert!(count > 40, "only {count} files");
    assert_known(&unknown);
}

/// Nothing goes the long way but the macros of the root, and its modules, which are written as text.
fn assert_known(unknown: &[String]) {
    let unknown: Vec<&String> =
        unknown.iter().filter(|source| !source.contains("require_") && !source.contains("pub mod ")).collect();
    assert!(
        unknown.is_empty(),
        "{} items were left to prettyplease: {:#?}",
        unknown.len(),
        &unknown[..unknown.len().min(12)]
    );
}

/// Numbers that are the same in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, count: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % count
    }

    fn name(&mut self) -> String {
        (0..=self.below(6)).map(|_| ["a", "id", "for_", "value", "item_of_", "configuration"][self.below(6)]).collect()
    }

    fn text(&mut self) -> String {
        (0..=self.below(9))
            .map(|_| ["short ", "a `b` ", "\\\\ ", "\\\"q\\\" ", "[x](y) ", "/// "][self.below(6)])
            .collect()
    }

    fn number(&mut self) -> usize {
        [0, 1, 7, 365, 65_536, 123_456_789][self.below(6)]
    }

    /// A schema in JSON, with so many levels below.
    fn schema(&mut self, depth: usize) -> String {
        let docs = if self.below(3) == 0 { format!(r#","description":"{}""#, self.text()) } else { String::new() };
        let leaf = match self.below(if depth > 0 { 15 } else { 10 }) {
            0 => r#""type":"string""#.to_owned(),
            1 => format!(r#""type":"string","minLength":{},"maxLength":{}"#, self.number(), self.number()),
            2 => format!(r#""type":"string","pattern":"^[a-z]{{1,{}}}$""#, self.below(20) + 1),
            3 => format!(r#""type":"integer","minimum":{},"default":{}"#, self.number(), self.number()),
            4 => format!(r#""type":"number","exclusiveMinimum":-{}.5,"multipleOf":0.5"#, self.number()),
            5 => format!(r#""enum":["{}","{}","z"]"#, self.name(), self.name() + "_x"),
            6 => format!(r#""type":"string","default":"{}""#, self.name()),
            7 => r#""enum":[1,2.5,true,"x"]"#.to_owned(),
            8 => r#""type":["boolean","null"],"default":true"#.to_owned(),
            9 => format!(r#""const":"{}""#, self.name()),
            10 => format!(r#""type":"array","items":{},"minItems":{}"#, self.schema(depth - 1), self.below(3)),
            11 => format!(r#""type":"object","additionalProperties":{}"#, self.schema(depth - 1)),
            12 => format!(r#""anyOf":[{},{{"type":"null"}}]"#, self.schema(depth - 1)),
            13 => format!(r#""anyOf":[{},{{"type":"integer"}},{{"type":"boolean"}}]"#, self.object(depth - 1)),
            _ => return self.object(depth - 1),
        };
        format!("{{{leaf}{docs}}}")
    }

    fn object(&mut self, depth: usize) -> String {
        let (mut properties, mut required) = (String::new(), Vec::new());
        for index in 0..self.below(9) {
            let name = format!("{}{index}", self.name());
            let comma = if index > 0 { "," } else { "" };
            write!(properties, r#"{comma}"{name}":{}"#, self.schema(depth)).unwrap();
            if self.below(2) == 0 {
                required.push(name);
            }
        }
        let open =
            ["", r#","additionalProperties":false"#, r#","additionalProperties":{"type":"number"}"#][self.below(3)];
        format!(r#"{{"type":"object","properties":{{{properties}}},"required":{required:?}{open}}}"#)
    }

    fn list(&mut self) -> String {
        let tools: Vec<String> = (0..4)
            .map(|index| {
                let (name, docs, input) = (self.name(), self.text(), self.object(3));
                let output =
                    if self.below(2) == 0 { format!(r#","outputSchema":{}"#, self.object(2)) } else { String::new() };
                format!(r#"{{"name":"{name}{index}","description":"{docs}","inputSchema":{input}{output}}}"#)
            })
            .collect();
        format!(r#"{{"tools":[{}]}}"#, tools.join(","))
    }
}

#[test]
fn random_contracts_are_printed_as_prettyplease_prints_them() {
    let (mut unknown, mut count) = (Vec::new(), 0);
    for seed in 0..30 {
        let text = Random(seed).list();
        let mut sources = Sources::default();
        let (name, path) = ("random.json".to_owned(), PathBuf::new());
        sources.add(SourceFile { name, path, text: text.clone(), role: Role::Json });
        for config in configs() {
            let files = generated(&sources, &config, &text);
            unknown.extend(hold(&files, &text));
            count += files.len();
        }
    }
    assert!(count > 100, "only {count} files");
    assert_known(&unknown);
}
