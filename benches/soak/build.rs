//! Generates the code of the server.

fn main() -> Result<(), Box<dyn std::error::Error>> {
    mcp_codegen::Config::new().name("soak").compile("contract.toml")?;
    Ok(())
}
