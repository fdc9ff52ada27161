//! nginx in front of a server, with what README.md says that its configuration must hold.

use std::io::Write as _;
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;
use std::{env, fs, thread};

use tempfile::TempDir;

use crate::{note, workspace};

/// How many processes serve requests.
const WORKERS: usize = 2;
/// What README.md has where a test has addresses of its own.
const LISTENS: &str = "listen 80;";
const PASSES_TO: &str = "http://127.0.0.1:8080;";

/// An nginx that runs until it is dropped.
#[derive(Debug)]
pub struct Nginx {
    folder: TempDir,
    process: Child,
    address: SocketAddr,
}

impl Nginx {
    /// Starts nginx in front of a server. `None`, with a word about it, where it is not installed; `.ci/run` installs it, or
    /// says in `WITHOUT_NGINX` that it cannot.
    #[must_use]
    pub fn start(server: SocketAddr) -> Option<Self> {
        if command(Path::new(".")).arg("-v").stderr(Stdio::null()).status().is_err() {
            let may_lack = env::var_os("CI").is_none() || env::var_os("WITHOUT_NGINX").is_some();
            assert!(may_lack, "nginx is not installed");
            note("skipped: nginx is not installed");
            return None;
        }
        let folder = tempfile::tempdir().expect("a temporary folder");
        let free = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = free.local_addr().expect("an address");
        write_configuration(folder.path(), address, server);
        drop(free);
        let process = command(folder.path()).stderr(Stdio::null()).spawn().expect("nginx starts");
        let nginx = Self { folder, process, address };
        nginx.wait_until("it listens", || TcpStream::connect(address).is_ok());
        Some(nginx)
    }

    /// Where it listens.
    #[must_use]
    pub const fn address(&self) -> SocketAddr {
        self.address
    }

    /// `nginx -s reload`, now in front of this server. Returns when the workers from before are gone.
    pub fn reload(&self, server: SocketAddr) {
        let before = self.ended_workers();
        write_configuration(self.folder.path(), self.address, server);
        self.signal("reload");
        self.wait_until("old workers end", || self.ended_workers() == before + WORKERS);
    }

    fn ended_workers(&self) -> usize {
        self.log().matches("exited with code 0").count()
    }

    fn log(&self) -> String {
        fs::read_to_string(self.folder.path().join("error.log")).unwrap_or_default()
    }

    fn signal(&self, signal: &str) {
        let told = command(self.folder.path()).args(["-s", signal]).stderr(Stdio::null()).status();
        assert!(told.expect("nginx is there").success(), "{}", self.log());
    }

    fn wait_until(&self, what: &str, holds: impl Fn() -> bool) {
        for _ in 0..2_000 {
            if holds() {
                return;
            }
            thread::sleep(Duration::from_millis(5));
        }
        panic!("not in time: {what}\n{}", self.log());
    }
}

impl Drop for Nginx {
    fn drop(&mut self) {
        // killed, it would leave its workers behind
        let _ = command(self.folder.path()).args(["-s", "stop"]).stderr(Stdio::null()).status();
        let _ = self.process.wait();
    }
}

/// nginx with a folder of its own.
fn command(folder: &Path) -> Command {
    // where Debian keeps it is not on everybody's path
    let path = format!("{}:/usr/sbin", env::var("PATH").unwrap_or_default());
    let mut command = Command::new("nginx");
    command.env("PATH", path).arg("-p").arg(folder).args(["-e", "error.log", "-c", "nginx.conf"]).stdin(Stdio::null());
    command
}

fn write_configuration(folder: &Path, address: SocketAddr, server: SocketAddr) {
    let readme = fs::read_to_string(workspace().join("README.md")).expect("read README.md");
    let (_, block) = readme.split_once("```nginx\n").expect("README.md has a configuration");
    let (block, _) = block.split_once("```").expect("the end of the block");
    assert!(block.contains(LISTENS) && block.contains(PASSES_TO), "{block}");
    let block = block.replace(LISTENS, &format!("listen {address};")).replace(PASSES_TO, &format!("http://{server};"));
    let owner = folder.metadata().expect("the folder is there").uid();
    // workers that give up root's rights could not reach the folder
    let user = if owner == 0 { "user root;" } else { "" };
    let places = ["client_body", "fastcgi", "proxy", "scgi", "uwsgi"].map(|kind| format!("{kind}_temp_path {kind};"));
    let places = places.join("\n");
    let mut file = fs::File::create(folder.join("nginx.conf")).expect("write the configuration");
    write!(
        file,
        "{user}\ndaemon off;\npid nginx.pid;\nerror_log error.log notice;\nworker_processes {WORKERS};\nevents {{}}\n\
         http {{\naccess_log off;\n{places}\n{block}\n}}\n"
    )
    .expect("write the configuration");
}
