//! Generates the code of the servers that `served.rs` and `headers.rs` talk to.

fn main() -> Result<(), Box<dyn std::error::Error>> {
    mcp_codegen::Config::new().name("served").compile("served/contract")?;
    mcp_codegen::Config::new().name("headers").compile("headers/contract")?;
    Ok(())
}
