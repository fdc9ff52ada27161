//! Generates the code of the servers that the tests talk to.

fn main() -> Result<(), Box<dyn std::error::Error>> {
    mcp_codegen::Config::new().name("served").compile("served/contract")?;
    mcp_codegen::Config::new()
        .name("formats")
        .assert_format("date-time")
        .format_type("ipv6", "::std::net::Ipv6Addr", mcp_codegen::Via::Serde)
        .compile("served/formats.toml")?;
    mcp_codegen::Config::new().name("tasks").compile("tasks/contract")?;
    mcp_codegen::Config::new().name("house").compile("rules/contract")?;
    mcp_codegen::Config::new().name("templates").compile("templates/contract.toml")?;
    mcp_codegen::Config::new().name("reports").compile("reports/contract")?;
    mcp_codegen::Config::new().name("auth").compile("auth/contract")?;
    mcp_codegen::Config::new().name("headers").compile("headers/contract")?;
    Ok(())
}
