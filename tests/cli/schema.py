"""Compares what the program prints as JSON with docs/schema/plimsoll.schema.json."""
import functools
import json
import pathlib

import packages

SCHEMA = json.loads((pathlib.Path(__file__).parents[2] / "docs/schema/plimsoll.schema.json").read_text())
DEFINITIONS = SCHEMA["definitions"]


@functools.cache
def validator(name):
    return packages.find("fastjsonschema").compile({**SCHEMA, "$ref": f"#/definitions/{name}"})


def faults(document, name):
    """What keeps `document` from being as the definition `name` says, or one of its kinds; empty if it is."""
    kinds = [kind["$ref"].split("/")[-1] for kind in DEFINITIONS[name].get("oneOf", [])] or [name]
    found = []
    for kind in kinds:
        try:
            validator(kind)(document)
        except packages.find("fastjsonschema").JsonSchemaException as error:
            found.append(f"{kind}: {error}")
    return found if len(found) == len(kinds) else []


def check(arguments, out):
    """Fails unless `out`, which a run with these arguments printed, is as the schema says. Text is not looked at,
    nor is anything where the package fastjsonschema is missing."""
    given = [str(one) for one in arguments]
    if not out or not {"--json", "json", "--format=json"} & set(given) or not packages.find("fastjsonschema"):
        return
    command, is_each = given[0], given[0] == "mass" and "--each" in given
    for text in out.splitlines() if is_each else [out]:
        document = json.loads(text, parse_constant=int)  # int takes no NaN
        name = "error" if list(document) == ["error"] else "mass_each" if is_each else command.lstrip("-")
        assert name in DEFINITIONS, f"plimsoll {command} has no definition, and printed {text}"
        found = faults(document, name)
        assert not found, f"plimsoll {' '.join(given)} printed\n{text}\n" + "\n".join(found)
