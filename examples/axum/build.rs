//! Generates the service.

fn main() -> Result<(), Box<dyn std::error::Error>> {
    mcp_codegen::Config::new().name("dice").compile("specs")?;
    Ok(())
}
