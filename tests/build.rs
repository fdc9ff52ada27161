//! Generates the code of the servers that `served.rs` and `reports.rs` talk to.

fn main() -> Result<(), Box<dyn std::error::Error>> {
    mcp_codegen::Config::new().name("served").compile("served/contract")?;
    mcp_codegen::Config::new().name("reports").compile("reports/contract")?;
    Ok(())
}
