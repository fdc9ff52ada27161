//! How fast notices go out, and what each may say: more than the one before.

use std::time::{Duration, Instant};

/// What a notice says.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Notice {
    pub(super) done: f64,
    pub(super) total: Option<f64>,
    pub(super) message: Option<String>,
}

/// The notices of one request.
#[derive(Debug, Default)]
pub(crate) struct Pace {
    /// The last notice that the client was told.
    told: Option<Notice>,
    told_at: Option<Instant>,
    /// When the next notice would go out, were they sent evenly.
    due: Option<Instant>,
    /// The last notice that came too early.
    held: Option<Notice>,
}

/// The time between two notices, in the long run.
const INTERVAL: Duration = Duration::from_millis(50);
/// How many intervals a handler may be ahead: few steps are all shown, however fast they are.
const AHEAD: u32 = 10;
/// How much of its value a notice that says nothing new adds to the last one: less than any step of a handler's.
const SLIGHTLY: f64 = 1e-9;

impl Pace {
    /// The notice, if it is to go out now. One that is not more than the last is dropped; one that is too early is held.
    pub(super) fn admit(&mut self, notice: Notice, now: Instant) -> Option<&Notice> {
        let last = self.held.as_ref().or(self.told.as_ref());
        if last.is_some_and(|last| notice.done <= last.done) {
            return None;
        }
        let due = self.due.map_or(now, |due| due.max(now));
        if due >= now + INTERVAL * AHEAD {
            self.held = Some(notice);
            return None;
        }
        self.due = Some(due + INTERVAL);
        self.held = None;
        Some(self.tell(notice, now))
    }

    /// The notice that is still held.
    pub(super) fn take_held(&mut self) -> Option<&Notice> {
        let held = self.held.take()?;
        Some(self.told.insert(held))
    }

    /// A notice for a client that has heard nothing for so long: what is held, or the last one again, with a little more
    /// on it, because progress has to grow. Else how much longer to wait.
    pub(super) fn beat(&mut self, silence: Duration, now: Instant) -> Result<&Notice, Duration> {
        let past = self.told_at.map_or(silence, |told| now.saturating_duration_since(told));
        if let Some(wait) = silence.checked_sub(past).filter(|wait| !wait.is_zero()) {
            return Err(wait);
        }
        let notice = self.held.take().unwrap_or_else(|| {
            let last = self.told.take().unwrap_or_default();
            Notice { done: last.done + last.done.abs().max(1.0) * SLIGHTLY, ..last }
        });
        Ok(self.tell(notice, now))
    }

    fn tell(&mut self, notice: Notice, now: Instant) -> &Notice {
        self.told_at = Some(now);
        self.told.insert(notice)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn notice(done: f64) -> Notice {
        Notice { done, ..Notice::default() }
    }

    fn admitted(pace: &mut Pace, done: f64, now: Instant) -> bool {
        pace.admit(notice(done), now).is_some()
    }

    #[test]
    fn few_notices_go_out_at_once_and_many_at_20_a_second() {
        let (mut pace, start) = (Pace::default(), Instant::now());
        let sent = |pace: &mut Pace, millis: std::ops::Range<u32>| {
            let at = |millis| start + Duration::from_millis(u64::from(millis));
            millis.filter(|millis| admitted(pace, f64::from(*millis), at(*millis))).count()
        };
        assert_eq!(sent(&mut pace, 0..10), 10);
        assert_eq!(sent(&mut pace, 10..1000), 20);
        assert_eq!(sent(&mut pace, 1000..2000), 20);
        assert_eq!(pace.take_held(), Some(&notice(1999.0)));
    }

    #[test]
    fn progress_never_goes_back() {
        let (mut pace, now) = (Pace::default(), Instant::now());
        assert_eq!([1.0, 1.0, 0.5, 2.0].map(|done| admitted(&mut pace, done, now)), [true, false, false, true]);
    }

    #[test]
    fn a_beat_says_the_last_thing_again_and_leaves_room_for_the_next() {
        let (mut pace, start, second) = (Pace::default(), Instant::now(), Duration::from_secs(1));
        assert_eq!(pace.beat(second, start), Ok(&notice(1e-9)), "nothing was ever said");
        let half = Notice { done: 50.0, total: Some(100.0), message: Some("half".to_owned()) };
        assert!(pace.admit(half.clone(), start).is_some());
        assert_eq!(pace.beat(second, start + second / 4), Err(second * 3 / 4), "it was told a moment ago");
        let mut last = half.done;
        for beats in 1..1000 {
            let beat = pace.beat(second, start + second * beats).unwrap();
            assert!(beat.done > last && beat.total == half.total && beat.message == half.message, "{beat:?}");
            last = beat.done;
        }
        assert!(admitted(&mut pace, 50.001, start + second * 1000));
    }

    #[test]
    fn a_beat_tells_what_is_held() {
        let (mut pace, now) = (Pace::default(), Instant::now());
        let held = (0..100).map(f64::from).filter(|done| !admitted(&mut pace, *done, now)).count();
        assert!(held > 0);
        assert_eq!(pace.beat(Duration::from_secs(1), now + Duration::from_secs(1)), Ok(&notice(99.0)));
        assert_eq!(pace.take_held(), None);
    }
}
