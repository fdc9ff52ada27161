//! What a server on stdio has to do with the rest of the machine: nothing. Whoever can reach it started it.

use std::fs;
use std::net::TcpListener;
use std::os::unix::net::UnixListener;

use support::messages::{ping, watch};
use support::weather;
use support::wire::Wire;

/// The sockets of a process that others could reach: those of the network, and those of this machine that have a name.
fn reachable_sockets(pid: u32) -> Vec<String> {
    let links = fs::read_dir(format!("/proc/{pid}/fd")).expect("its descriptors").flatten();
    let inodes: Vec<String> = links
        .filter_map(|link| {
            let target = fs::read_link(link.path()).ok()?;
            Some(target.to_str()?.strip_prefix("socket:[")?.strip_suffix(']')?.to_owned())
        })
        .collect();
    let mut found = Vec::new();
    for (table, column, words) in
        [("tcp", 9, 10), ("tcp6", 9, 10), ("udp", 9, 10), ("udp6", 9, 10), ("raw", 9, 10), ("unix", 6, 8)]
    {
        let text = fs::read_to_string(format!("/proc/{pid}/net/{table}")).unwrap_or_default();
        for line in text.lines().skip(1) {
            let line: Vec<&str> = line.split_whitespace().collect();
            // a pair of sockets that one process made for itself has no name
            if line.len() >= words && inodes.iter().any(|inode| line[column] == inode) {
                found.push(format!("{table} {}", line.join(" ")));
            }
        }
    }
    found
}

/// The processes that a process started.
fn children(parent: u32) -> Vec<u32> {
    let of = |pid: u32| {
        let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
        // the name in brackets may have blanks
        stat.rsplit_once(')')?.1.split_whitespace().nth(1)?.parse::<u32>().ok()
    };
    let all = fs::read_dir("/proc").expect("the processes").flatten();
    all.filter_map(|entry| entry.file_name().to_str()?.parse().ok()).filter(|pid| of(*pid) == Some(parent)).collect()
}

/// Nothing that a proxy or another program could reach is opened, and nothing is started, before, in and after calls.
#[test]
fn a_server_on_stdio_opens_no_socket_and_starts_no_process() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut server = Wire::session(weather(), "2025-11-25");
    let pid = server.id();

    // what is looked for would be found
    let network = TcpListener::bind("127.0.0.1:0").expect("a socket");
    let named = UnixListener::bind(folder.path().join("socket")).expect("a socket");
    let own = reachable_sockets(std::process::id());
    assert!(
        own.iter().any(|line| line.starts_with("tcp ")) && own.iter().any(|line| line.starts_with("unix ")),
        "{own:?}"
    );
    assert!(children(std::process::id()).contains(&pid));
    drop((network, named));

    let alone = |when: &str| {
        assert_eq!((reachable_sockets(pid), children(pid)), (Vec::new(), Vec::new()), "{when}");
    };
    alone("in a session");
    server.say(&watch(1, 0.5, ""));
    server.ask(&ping(2));
    alone("in a call");
    assert_eq!(server.hear()["id"], 1);
    alone("after a call");
    assert!(server.close().ends_with("exit Some(0)\n"));
}
