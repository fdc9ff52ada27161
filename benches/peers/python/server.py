"""The tools of `bench-server`, in the official Python SDK."""

import inspect
import json
import logging
import pathlib
import sys
from typing import Annotated, Literal

from mcp.server import MCPServer
from pydantic import BaseModel, Field, create_model

CONTRACT = pathlib.Path(__file__).parents[2] / "server/specs/tools.json"
TYPES = {"boolean": bool, "integer": int, "number": float, "string": str}


class Item(BaseModel):
    id: int
    name: str
    tags: list[str]
    score: float


class Day(BaseModel):
    day: int
    high: float
    low: float
    summary: str


class Weather(BaseModel):
    city: str
    days: int
    units: Literal["metric", "imperial"]
    forecast: list[Day]


def add(a: int, b: int) -> str:
    return str(a + b)


def get_weather(
    city: str, days: Annotated[int, Field(ge=1, le=16)] = 1, units: Literal["metric", "imperial"] = "metric"
) -> Weather:
    forecast = [Day(day=day, high=20.0 + day, low=10.0 + day, summary="clear") for day in range(days)]
    return Weather(city=city, days=days, units=units, forecast=forecast)


def echo(text: str) -> str:
    return text


def bulk(items: list[Item]) -> str:
    return str(len(items))


HANDLERS = {"add": add, "get_weather": get_weather, "echo": echo, "bulk": bulk}


def annotation(name, schema):
    """The type that a person would write for a schema."""
    if "enum" in schema:
        kind = Literal[tuple(schema["enum"])]
    elif schema["type"] == "array":
        kind = list[annotation(name, schema["items"])]
    elif schema["type"] == "object":
        members = {key: (annotation(key, member), ...) for key, member in schema["properties"].items()}
        kind = create_model(name, **members)
    else:
        kind = TYPES[schema["type"]]
    return Annotated[kind, Field(description=schema.get("description"))]


def filler(schema):
    """A function with the parameters of a schema."""

    def function(**_):
        return "ok"

    parameters = []
    required = schema.get("required", [])
    for name, member in schema["properties"].items():
        kind = annotation(name, member)
        optional = {} if name in required else {"default": None}
        kind = kind if name in required else kind | None
        parameters.append(inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, annotation=kind, **optional))
    function.__signature__ = inspect.Signature(parameters, return_annotation=str)
    return function


def main():
    server = MCPServer("bench")
    for tool in json.loads(CONTRACT.read_text())["tools"]:
        handler = HANDLERS.get(tool["name"]) or filler(tool["inputSchema"])
        server.add_tool(handler, name=tool["name"], description=tool["description"])
    if sys.argv[1:2] == ["--http"]:
        logging.disable(logging.INFO)
        server.run("streamable-http", host="127.0.0.1", port=int(sys.argv[2]), json_response=True, stateless_http=True)
    else:
        server.run("stdio")


main()
