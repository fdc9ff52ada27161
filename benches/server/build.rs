//! Generates the server's code. Only four of the tools are ever called: the others keep their stubs.

fn main() -> Result<(), Box<dyn std::error::Error>> {
    mcp_codegen::Config::new().name("bench-server").default_stubs(true).compile("specs")?;
    Ok(())
}
