//! Which model would be good.

use crate::json::{Encode, Writer};

/// Which model would be good; the client decides. Source: the schema type `ModelPreferences`.
#[derive(Clone, Debug, Default, PartialEq)]
#[must_use = "it says nothing before it is part of a request"]
pub struct ModelPreferences {
    hints: Vec<String>,
    cost: Option<f64>,
    speed: Option<f64>,
    intelligence: Option<f64>,
}

impl ModelPreferences {
    /// None yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a part of a model's name, such as `sonnet`; the first one that the client can follow counts.
    pub fn hint(mut self, name: impl Into<String>) -> Self {
        self.hints.push(name.into());
        self
    }

    /// How much the cost matters, from 0 to 1.
    pub fn cost(mut self, priority: f64) -> Self {
        self.cost = Some(priority.clamp(0.0, 1.0));
        self
    }

    /// How much the speed matters, from 0 to 1.
    pub fn speed(mut self, priority: f64) -> Self {
        self.speed = Some(priority.clamp(0.0, 1.0));
        self
    }

    /// How much the model's ability matters, from 0 to 1.
    pub fn intelligence(mut self, priority: f64) -> Self {
        self.intelligence = Some(priority.clamp(0.0, 1.0));
        self
    }
}

impl Encode for ModelPreferences {
    fn encode(&self, w: &mut Writer<'_>) {
        let hints: Vec<_> = self.hints.iter().map(|name| Hint(name)).collect();
        w.begin_object();
        w.optional(r#""hints":"#, &(!hints.is_empty()).then_some(hints));
        w.optional(r#""costPriority":"#, &self.cost);
        w.optional(r#""speedPriority":"#, &self.speed);
        w.optional(r#""intelligencePriority":"#, &self.intelligence);
        w.end_object();
    }
}

struct Hint<'a>(&'a str);

impl Encode for Hint<'_> {
    fn encode(&self, w: &mut Writer<'_>) {
        w.begin_object();
        w.member(r#""name":"#, &self.0);
        w.end_object();
    }
}
