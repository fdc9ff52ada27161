//! Generates the code of the server that the targets talk to.

fn main() -> Result<(), Box<dyn std::error::Error>> {
    mcp_codegen::Config::new().name("fuzzed").default_stubs(true).compile("contract")?;
    Ok(())
}
