//! stand-in
use std::fmt;
pub(crate) struct Options<'a> {
    pub(crate) secrets: &'a [&'a str],
    pub(crate) repair: bool,
}
pub(crate) struct Judgement {
    pub(crate) faults: Vec<String>,
    pub(crate) repaired: Option<Repaired>,
}
pub(crate) struct Repaired {
    pub(crate) arguments: String,
    pub(crate) repairs: Vec<Repair>,
}
pub(crate) struct Repair;
impl fmt::Display for Repair {
    fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
        Ok(())
    }
}
pub(crate) fn judge(_: &str, _: &str, _: &Options<'_>) -> Judgement {
    Judgement { faults: vec![], repaired: None }
}
pub(crate) fn report(_: &str, _: &[String]) -> String {
    String::new()
}
