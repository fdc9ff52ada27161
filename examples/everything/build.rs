//! Generates the server's code from the contract in `specs/`.

fn main() -> Result<(), Box<dyn std::error::Error>> {
    mcp_codegen::Config::new().name("everything").compile("specs")?;
    Ok(())
}
