//! Which tools are measured: our own few, and with the feature `corpus` some of each published server.

use std::path::{Path, PathBuf};
use std::{env, fs};

use serde_json::Value;

use crate::Result;

/// A contract, and the values for its tools.
pub(crate) struct Contract {
    pub(crate) name: String,
    pub(crate) tools: Vec<Value>,
    /// JSON lines: `{"tool", "which", "instance", "valid"}`.
    pub(crate) instances: PathBuf,
}

/// So many tools of each server: enough for a median, and compiled within minutes.
const TOOLS_EACH: usize = 4;

/// The variable that names how many servers are looked at.
const FEW: &str = "DECODE_SERVERS";

/// All that is measured.
pub(crate) fn all() -> Result<Vec<Contract>> {
    let here = PathBuf::from(env::var("CARGO_MANIFEST_DIR")?);
    let mut all = vec![read(&here.join("specs/own.json"), here.join("specs/own.jsonl"))?];
    if env::var_os("CARGO_FEATURE_CORPUS").is_some() {
        let corpus = here.join("../../../shared/corpus");
        println!("cargo::rerun-if-changed={}", corpus.display());
        all.extend(published(&corpus)?);
    }
    Ok(all)
}

/// The published servers; none where the folder is absent.
fn published(corpus: &Path) -> Result<Vec<Contract>> {
    let Ok(entries) = fs::read_dir(corpus.join("servers")) else {
        println!("cargo::warning=skipped: the schemas of published servers are not beside the workspace");
        return Ok(Vec::new());
    };
    let mut paths: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "json"));
    paths.sort();
    // For a quick look: one tool each of so many servers.
    println!("cargo::rerun-if-env-changed={FEW}");
    let few: Option<usize> = env::var(FEW).ok().and_then(|few| few.parse().ok());
    if let Some(few) = few {
        paths = paths.iter().step_by(paths.len().div_ceil(few.max(1)).max(1)).cloned().collect();
    }
    let each = few.map_or(TOOLS_EACH, |_| 1);
    let contract = |path: &PathBuf| {
        let server = path.file_stem().unwrap_or_default();
        let mut contract = read(path, corpus.join("instances").join(server).with_extension("jsonl"))?;
        // Evenly, as neighbours are often alike.
        let step = contract.tools.len().div_ceil(each).max(1);
        contract.tools = contract.tools.into_iter().step_by(step).collect();
        Ok(contract)
    };
    paths.iter().map(contract).collect()
}

fn read(path: &Path, instances: PathBuf) -> Result<Contract> {
    let answer: Value = serde_json::from_str(&fs::read_to_string(path)?)?;
    let name = path.file_stem().unwrap_or_default().display().to_string();
    Ok(Contract { name, tools: answer["tools"].as_array().cloned().unwrap_or_default(), instances })
}
