//! What is done with a contract beside its code: a schema for editors, a page for people, one layout, and a watch over it.

#[path = "contracts/layout.rs"]
mod layout;
#[path = "contracts/manual.rs"]
mod manual;
#[path = "contracts/page.rs"]
mod page;
#[path = "contracts/reports.rs"]
mod reports;
#[path = "contracts/schema.rs"]
mod schema;
#[path = "contracts/watch.rs"]
mod watch;
