//! The tasks of a server: which tools have them, where they are kept, and who is told of them.

use std::collections::HashMap;
use std::fmt;
use std::time::Duration;

use crate::changes::Changes;
use crate::seal::random_bytes;
use crate::serve::Keepers;
use crate::task::record::Record;
use crate::task::settings::Tasks;
use crate::task::store::StoreError;
use crate::task::support::TaskSupport;
use crate::task::time;

/// Tasks in one page of a list.
const PAGE: usize = 100;

/// All about tasks that the connections of a server share.
pub(crate) struct Board {
    pub(crate) settings: Tasks,
    /// Every tool of the contract.
    tools: HashMap<&'static str, TaskSupport>,
    /// Whether clients can list their tasks: only where nobody sees those of others.
    pub(crate) has_lists: bool,
    /// The connections that may want to hear of tasks.
    pub(crate) changes: Changes,
    pub(crate) keepers: Keepers,
}

/// Why there is no task.
#[derive(Debug)]
pub(crate) enum Missing {
    Store(StoreError),
    Unknown,
}

impl Board {
    pub(crate) fn new(settings: Tasks, tools: HashMap<&'static str, TaskSupport>, has_lists: bool) -> Self {
        Self { settings, tools, has_lists, changes: Changes::new(), keepers: Keepers::default() }
    }

    /// Whether calls of a tool can be tasks; `None` for a tool that no contract has.
    pub(crate) fn support(&self, tool: &str) -> Option<TaskSupport> {
        self.tools.get(tool).copied()
    }

    /// How long a client waits between two looks, in milliseconds.
    pub(crate) fn poll_interval(&self) -> u64 {
        time::millis(self.settings.poll_interval)
    }

    /// A new task of an owner's, not kept yet. `asked` is the time to live that the client wants, in milliseconds.
    ///
    /// # Errors
    ///
    /// Fails if the system has no randomness for an id.
    pub(crate) fn record(&self, owner: &str, has_session: bool, asked: Option<u64>) -> Result<Record, StoreError> {
        let random = u128::from_be_bytes(random_bytes()?);
        let longest = time::millis(self.settings.ttl);
        let ttl = asked.map_or(longest, |asked| asked.clamp(1, longest));
        Ok(Record::new(format!("{:012x}{random:032x}", time::now()), owner, has_session, ttl))
    }

    pub(crate) async fn insert(&self, record: &Record) -> Result<(), StoreError> {
        self.settings.store.insert(record.store()?).await
    }

    pub(crate) async fn remove(&self, id: &str) {
        // a task that stays there expires
        let _ = self.settings.store.remove(id).await;
    }

    /// The owner's task with this id.
    pub(crate) async fn find(&self, id: &str, owner: &str) -> Result<Record, Missing> {
        let stored = self.settings.store.load(id).await.map_err(Missing::Store)?.ok_or(Missing::Unknown)?;
        let record = Record::load(stored).map_err(Missing::Store)?;
        if record.owner == owner && !record.is_expired() { Ok(record) } else { Err(Missing::Unknown) }
    }

    /// Changes the owner's task, unless `change` finds nothing to do; the task as it is then. `change` may run several
    /// times, each time on what has become of the task.
    pub(crate) async fn change(
        &self,
        id: &str,
        owner: &str,
        mut change: impl FnMut(&mut Record) -> bool,
    ) -> Result<Record, Missing> {
        loop {
            let mut record = self.find(id, owner).await?;
            if !change(&mut record) {
                return Ok(record);
            }
            record.touch();
            let stored = record.store().map_err(Missing::Store)?;
            if self.settings.store.replace(stored).await.map_err(Missing::Store)? {
                return Ok(record);
            }
        }
    }

    /// Comes back when the task may be another one than that of this version.
    pub(crate) async fn changed(&self, id: &str, version: u64) {
        self.settings.store.changed(id, version).await;
    }

    /// A page of the owner's tasks, and the cursor of the next one.
    pub(crate) async fn list(&self, owner: &str, after: &str) -> Result<(Vec<Record>, Option<String>), StoreError> {
        let mut stored = self.settings.store.list(owner, after, PAGE + 1).await?;
        let has_more = stored.len() > PAGE;
        stored.truncate(PAGE);
        let next = stored.last().filter(|_| has_more).map(|last| last.id.clone());
        let records = stored.into_iter().map(Record::load).collect::<Result<Vec<_>, _>>()?;
        Ok((records.into_iter().filter(|record| !record.is_expired()).collect(), next))
    }
}

/// Whether a text can be the id of a task, which is also what cursors are.
pub(crate) fn is_id(text: &str) -> bool {
    text.len() == 44 && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

/// From now to a point in time, in milliseconds since 1970.
pub(crate) fn until(millis: u64) -> Duration {
    Duration::from_millis(millis.saturating_sub(time::now()))
}

impl fmt::Debug for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Board")
            .field("settings", &self.settings)
            .field("tools", &self.tools.len())
            .finish_non_exhaustive()
    }
}
