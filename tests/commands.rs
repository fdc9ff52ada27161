//! Commands around a contract that take more than a line to show: `mock`, `stubs`, `import --openapi`.

#[path = "commands/mock.rs"]
mod mock;
#[path = "commands/openapi.rs"]
mod openapi;
#[path = "commands/stubs.rs"]
mod stubs;
