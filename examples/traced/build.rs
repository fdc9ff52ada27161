//! Generates the code of the server.

fn main() -> Result<(), Box<dyn std::error::Error>> {
    mcp_codegen::Config::new().name("traced").compile("contract.toml")?;
    Ok(())
}
