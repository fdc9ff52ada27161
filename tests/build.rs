//! Generates the code of the server that `served.rs` talks to.

fn main() -> Result<(), Box<dyn std::error::Error>> {
    mcp_codegen::Config::new().name("served").compile("served/contract")?;
    Ok(())
}
