//! A weather server: two tools, no network, so that its answers are always the same.

mod api {
    mcp_runtime::include_service!("weather");
}

use std::collections::BTreeMap;
use std::time::Duration;

use api::get_weather::{Conditions, Units};
use api::{GetWeather, WatchStation, get_weather, watch_station};
use mcp_runtime::{Context, Server, ToolError, ToolResponse};

/// What the tools share. A real server would hold an HTTP client here.
struct Weather {
    /// Degrees Celsius, and the sky.
    stations: BTreeMap<&'static str, (f64, Conditions)>,
}

impl Weather {
    fn new() -> Self {
        let stations = BTreeMap::from([
            ("Nuuk", (-3.0, Conditions::Snow)),
            ("Oslo", (4.5, Conditions::Rain)),
            ("Paris", (12.0, Conditions::Clouds)),
            ("Rome", (18.5, Conditions::Clear)),
        ]);
        Self { stations }
    }
}

impl GetWeather for Weather {
    async fn call(&self, args: get_weather::Args, ctx: &Context) -> Result<get_weather::Output, ToolError> {
        let Some((&city, &(celsius, conditions))) = self.stations.get_key_value(args.city.as_str()) else {
            let known: Vec<_> = self.stations.keys().copied().collect();
            let message = format!("no station in `{}`; there is one in {}", args.city, known.join(", "));
            return Err(ToolError::invalid_params(message));
        };
        if args.days > 1 {
            ctx.attach(format!("The next {} days look the same.", args.days - 1));
        }
        let temperature = match args.units {
            Units::Metric => celsius,
            Units::Imperial => celsius * 9.0 / 5.0 + 32.0,
        };
        Ok(get_weather::Output { city: city.to_owned(), temperature, conditions })
    }
}

impl WatchStation for Weather {
    async fn call(&self, args: watch_station::Args, ctx: &Context) -> Result<ToolResponse, ToolError> {
        const STEPS: u32 = 10;
        for step in 1..=STEPS {
            tokio::time::sleep(Duration::from_secs_f64(args.seconds / f64::from(STEPS))).await;
            ctx.progress(f64::from(step)).total(f64::from(STEPS)).message("watching").send();
        }
        Ok(format!("watched for {} seconds: the wind did not turn", args.seconds).into())
    }
}

#[tokio::main(flavor = "current_thread")]
#[expect(clippy::print_stderr, reason = "standard error is where a server over stdio logs")]
async fn main() -> mcp_runtime::Result<()> {
    mcp_runtime::claim_stdio()?;
    Server::new(api::service(Weather::new())).on_tool_error(|event| eprintln!("{event}")).serve_stdio().await
}

#[cfg(test)]
mod tests {
    use mcp_runtime::testing;

    use super::*;

    #[tokio::test]
    async fn the_examples_of_the_contract_hold() {
        testing::check_examples(api::service(Weather::new())).await.unwrap();
    }
}
