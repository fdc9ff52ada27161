//! A server under way, and what it uses.

use std::error::Error;
use std::process::{Child, Command};
use std::time::{Duration, Instant};
use std::{fs, io};

/// A child that does not outlive us.
#[derive(Debug)]
pub(crate) struct Server(pub(crate) Child);

/// What one measurement found.
#[derive(Clone, Copy, Debug, serde::Serialize)]
pub(crate) struct Figures {
    /// Processor time of the server, microseconds per request.
    pub(crate) cpu: f64,
    /// Time that passed, microseconds per request.
    pub(crate) wall: f64,
    /// From starting the program to its first answer, milliseconds.
    pub(crate) cold: f64,
    /// The most memory that it held, MiB.
    pub(crate) memory: f64,
}

/// A measurement under way.
#[derive(Debug)]
pub(crate) struct Watch {
    cpu: Duration,
    start: Instant,
}

impl Server {
    pub(crate) fn start(mut command: Command) -> io::Result<Self> {
        command.spawn().map(Self)
    }

    /// Time that the server's threads have spent on a processor.
    fn cpu(&self) -> io::Result<Duration> {
        let mut nanoseconds = 0;
        for task in fs::read_dir(format!("/proc/{}/task", self.0.id()))? {
            // a thread may end while we look
            let Ok(text) = fs::read_to_string(task?.path().join("schedstat")) else { continue };
            nanoseconds += text.split(' ').next().and_then(|first| first.parse::<u64>().ok()).unwrap_or(0);
        }
        Ok(Duration::from_nanos(nanoseconds))
    }

    /// The most memory that the server has held so far, MiB.
    fn memory(&self) -> io::Result<f64> {
        self.status("VmHWM:")
    }

    /// The memory that the server holds now, MiB.
    pub(crate) fn resident(&self) -> io::Result<f64> {
        self.status("VmRSS:")
    }

    /// A size that the system tells of.
    fn status(&self, name: &str) -> io::Result<f64> {
        let status = fs::read_to_string(format!("/proc/{}/status", self.0.id()))?;
        let line = status.lines().find_map(|line| line.strip_prefix(name));
        let kibibytes = line.and_then(|line| line.trim().trim_end_matches(" kB").parse::<f64>().ok());
        kibibytes.map(|kibibytes| kibibytes / 1024.0).ok_or_else(|| io::Error::other("the system does not tell"))
    }
}

impl Watch {
    pub(crate) fn start(server: &Server) -> io::Result<Self> {
        Ok(Self { cpu: server.cpu()?, start: Instant::now() })
    }

    pub(crate) fn stop(self, server: &Server, requests: u32, cold: Duration) -> Result<Figures, Box<dyn Error>> {
        let wall = self.start.elapsed();
        let cpu = server.cpu()?.saturating_sub(self.cpu);
        let each = |duration: Duration| duration.as_secs_f64() * 1e6 / f64::from(requests);
        Ok(Figures { cpu: each(cpu), wall: each(wall), cold: cold.as_secs_f64() * 1e3, memory: server.memory()? })
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // it may have ended already
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
