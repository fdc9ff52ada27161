//! `completions` and `man`: what shells and people want to know of the command line, made from its definition.

use std::error::Error;
use std::fs;
use std::path::PathBuf;

use clap::{Args, CommandFactory};
use clap_complete::Shell;

use super::{Cli, Outcome, console};

/// Write the completions of a shell to standard output
///
/// Where they belong depends on the shell: bash reads `~/.local/share/bash-completion/completions/mcp-codegen`, zsh a file
/// `_mcp-codegen` in a folder of `$fpath`, fish `~/.config/fish/completions/mcp-codegen.fish`.
#[derive(Debug, Args)]
pub(crate) struct CompletionsArgs {
    /// The shell
    #[arg(value_name = "SHELL")]
    shell: Shell,
}

/// Write manual pages: one for the program, and one for each command
#[derive(Debug, Args)]
pub(crate) struct ManArgs {
    /// Folder to write to, such as `~/.local/share/man/man1`
    #[arg(short, long, value_name = "DIR")]
    output: PathBuf,
}

pub(super) fn completions(args: &CompletionsArgs) -> Result<Outcome, Box<dyn Error>> {
    let mut text = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "mcp-codegen", &mut text);
    console::data(&String::from_utf8(text)?)?;
    Ok(Outcome::Fine)
}

pub(super) fn man(args: &ManArgs) -> Result<Outcome, Box<dyn Error>> {
    let program = Cli::command().disable_help_subcommand(true);
    let pages = 1 + program.get_subcommands().filter(|command| !command.is_hide_set()).count();
    let because = |error| format!("cannot write to `{}`: {error}", args.output.display());
    fs::create_dir_all(&args.output).map_err(because)?;
    clap_mangen::generate_to(program, &args.output).map_err(because)?;
    console::talk(&format!("wrote {} to `{}`", console::count(pages, "page"), args.output.display()))?;
    Ok(Outcome::Fine)
}
