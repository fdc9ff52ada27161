//! Which features a crate implements, and a starting `impl` for each of the others.
//!
//! The crate is read as text, module by module; nothing is compiled. So what macros make is not seen, and `cfg` is not
//! asked: whatever stands there counts.

mod feature;
mod krate;
mod names;
mod text;

use std::collections::BTreeMap;

pub use self::krate::Crate;

use self::feature::Feature;
use self::krate::Impl;
use crate::config::Config;
use crate::diagnostic::{Code, Diagnostic, Diagnostics, Severity};
use crate::source::Sources;
use crate::{Valid, read, spelling};

/// What `stubs` finds: the name of each rule, what it is about, and why.
pub const RULES: [(&str, &str, &str); 1] = [(
    "handler-left",
    "an impl whose feature is not in the contract",
    "The generated code has no such trait any more, so that the crate does not compile. Nothing is removed for you: perhaps the \
     feature was renamed, and its code is wanted elsewhere.",
)];

/// What cannot be seen from the crate.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Options {
    /// The path of the type that gets the impls, such as `crate::App`. Nothing stands for the one that has most of them, or
    /// that is given to `service()`.
    pub handler: Option<String>,
    /// The path of the module with the generated code, such as `crate::api`. Nothing stands for the one that is there.
    pub api: Option<String>,
}

/// What is there, and what is to be written.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Plan {
    /// In the contract's order.
    pub stubs: Vec<Stub>,
    /// How many features have an impl.
    pub implemented: usize,
    /// Impls whose feature is no longer in the contract, at their places in the crate.
    pub left: Diagnostics,
    /// What is odd about the contract, but stops nothing.
    pub warnings: Diagnostics,
    /// The type that the stubs are for.
    pub handler: String,
}

/// A starting impl.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Stub {
    /// Such as ``the tool `get_weather` ``.
    pub feature: String,
    /// The name of the module, which may be a raw one: `r#type`.
    pub module: String,
    /// The name of the file: that of the module, and `.rs`.
    pub file: String,
    /// The whole file.
    pub text: String,
}

/// Why there is no plan.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Failure {
    /// The contract has errors.
    Contract(Diagnostics),
    /// The crate does not say what is needed; the text says what is missing, and how to state it.
    Unclear(String),
}

/// What a module is called whose files lie in a folder of this name.
#[must_use]
pub fn module_name(folder: &str) -> String {
    let plain: String = folder.chars().map(|c| if unicode_ident::is_xid_continue(c) { c } else { '_' }).collect();
    // What begins with a digit, is a keyword, or is one that cannot be raw.
    let candidates = [plain.clone(), format!("r#{plain}"), format!("_{plain}"), format!("{plain}_")];
    candidates.into_iter().find(|name| spelling::is_identifier(name)).unwrap_or_else(|| "handlers".to_owned())
}

/// Looks at a contract and a crate.
///
/// # Errors
///
/// Fails if the contract has errors, or if it cannot be told which type is to get the impls, or where the generated code is.
pub fn plan(sources: &Sources, config: &Config, krate: &Crate, options: &Options) -> Result<Plan, Failure> {
    let Valid { checked, warnings, .. } = read(sources, config).map_err(Failure::Contract)?;
    let service = config.name.as_deref().unwrap_or(&checked.ir().server.name);
    let api = api(krate, options, service).map_err(Failure::Unclear)?;
    let features = feature::all(checked.ir());
    let (implemented, left) = compare(krate, &api, &features);
    let missing: Vec<&Feature> = features.iter().filter(|feature| !implemented.contains_key(&feature.key)).collect();
    let handler = handler(krate, options, (&api, &implemented));
    let handler = match (handler, missing.is_empty()) {
        (Ok(handler), _) => handler,
        (Err(_), true) => String::new(),
        (Err(unclear), false) => return Err(Failure::Unclear(unclear)),
    };
    let stubs = text::stubs(&missing, &handler, &api.join("::"));
    Ok(Plan { stubs, implemented: features.len() - missing.len(), left, warnings, handler })
}

type Path = Vec<String>;

/// The path that a person typed for an option, which is for one kind of thing, such as the example.
fn typed(krate: &Crate, stated: &str, (option, thing, example): (&str, &str, &str)) -> Result<Path, String> {
    if !spelling::is_path(stated) {
        return Err(format!("`{stated}` is not the path of {thing}, such as `{option} {example}`"));
    }
    krate.typed(&names::parse(stated)).ok_or_else(|| {
        format!(
            "the crate has no `{stated}`; give the path of {thing}, from the root of the crate: `{option} {example}`"
        )
    })
}

/// The module with the generated code.
fn api(krate: &Crate, options: &Options, service: &str) -> Result<Path, String> {
    if let Some(stated) = &options.api {
        return typed(krate, stated, ("--api", "a module", "crate::api"));
    }
    let named: Vec<&(Path, Option<String>)> =
        krate.generated.iter().filter(|(_, name)| name.as_deref() == Some(service)).collect();
    let all: Vec<&(Path, Option<String>)> = krate.generated.iter().collect();
    match (named.as_slice(), all.as_slice()) {
        ([(path, _)], _) | ([], [(path, _)]) => Ok(path.clone()),
        ([], []) => Err(format!(
            "no module of the crate holds generated code; add `mod api {{ mcp_runtime::include_service!(\"{service}\"); }}`, \
             or say where it is: `--api crate::api`"
        )),
        _ => {
            let paths: Vec<String> = all.iter().map(|(path, _)| format!("`{}`", path.join("::"))).collect();
            Err(format!("several modules hold generated code ({}); say which: `--api PATH`", paths.join(", ")))
        }
    }
}

/// The impls of each feature by its key, and those of features that are gone.
fn compare<'k>(
    krate: &'k Crate,
    api: &Path,
    features: &[Feature],
) -> (BTreeMap<(&'static str, String), Vec<&'k Impl>>, Diagnostics) {
    let mut implemented: BTreeMap<_, Vec<&Impl>> = BTreeMap::new();
    let mut left = Diagnostics::default();
    for one in &krate.impls {
        let of_api = krate
            .absolute(&one.module, &one.of)
            .and_then(|path| path.strip_prefix(api.as_slice()).map(<[String]>::to_vec));
        // What comes by a glob has its name alone.
        let guessed = || krate.may_come_from(&one.module, &one.of, api).then(|| one.of.clone());
        let Some(path) = of_api.clone().or_else(guessed) else { continue };
        match features.iter().find(|feature| feature.is_named(&path)) {
            Some(feature) => implemented.entry(feature.key.clone()).or_default().push(one),
            None if of_api.is_some() && path.last().is_some_and(|name| name != "Handler") => left.push(gone(one)),
            None => {}
        }
    }
    (implemented, left)
}

fn gone(one: &Impl) -> Diagnostic {
    let name = one.of.last().map_or("", String::as_str);
    let [(rule, title, _)] = RULES;
    let code = Code::named(rule, title);
    let message = format!("`{name}` is no feature of the contract any more");
    let finding = Diagnostic::new(code, Severity::Warning, one.span, message);
    finding.help("remove the impl, or bring the feature back; nothing is removed for you")
}

/// The type that gets the impls.
fn handler(
    krate: &Crate,
    options: &Options,
    (api, implemented): (&Path, &BTreeMap<(&'static str, String), Vec<&Impl>>),
) -> Result<String, String> {
    if let Some(stated) = &options.handler {
        return typed(krate, stated, ("--handler", "a type", "crate::App")).map(|path| path.join("::"));
    }
    let mut counts: BTreeMap<Path, usize> = BTreeMap::new();
    for one in implemented.values().flatten() {
        let ty = one.for_type.as_ref().and_then(|ty| krate.absolute(&one.module, ty));
        *counts.entry(ty.unwrap_or_default()).or_default() += 1;
    }
    counts.remove(&Path::new());
    let given = || krate.given_to_service(api);
    let most = counts.into_iter().max_by_key(|(_, count)| *count).map(|(path, _)| path);
    let found = most.or_else(given).filter(|path| path.first().is_some_and(|first| first == "crate"));
    found.map(|path| path.join("::")).ok_or_else(|| {
        format!(
            "no type of the crate implements a feature or is given to `{}::service`; say which is to: `--handler crate::App`",
            api.join("::")
        )
    })
}
