//! Which tools run as tasks.

use std::collections::HashMap;

use crate::engine::{Engine, Features};
use crate::provider::Providers;
use crate::task::{Board, TaskSupport, Tasks};

/// The board, if any tool runs as a task, or somebody has said how tasks are run.
pub(super) fn board(
    settings: Option<Tasks>,
    (features, providers): (&Features, &Providers),
    has_lists: bool,
) -> Option<Board> {
    let tools: HashMap<_, _> =
        features.tools.iter().map(|tool| (tool.name, TaskSupport::of(tool.definition))).collect();
    let provided = providers.tools.iter().flat_map(|provider| provider.tools()).map(|tool| tool.task_support());
    let is_needed = tools.values().copied().chain(provided).any(|support| support != TaskSupport::Forbidden);
    match settings {
        None if !is_needed => None,
        settings => Some(Board::new(settings.unwrap_or_default(), tools, has_lists)),
    }
}

impl Engine {
    /// Drops the handlers of all tasks: the server ends.
    pub(crate) fn stop_tasks(&self) {
        if let Some(tasks) = &self.tasks {
            tasks.keepers.stop();
        }
    }

    /// Whether calls of a tool can be tasks; `None` for an unknown tool.
    pub(crate) fn task_support(&self, board: &Board, name: &str) -> Option<TaskSupport> {
        board.support(name).or_else(|| {
            let mut provided = self.providers.tools.iter().flat_map(|provider| provider.tools());
            provided.find(|tool| tool.name == name).map(|tool| tool.task_support())
        })
    }
}
