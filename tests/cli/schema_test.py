"""docs/schema/plimsoll.schema.json: that it is well formed, has every command, and is not too loose."""
import json
import re
import unittest

from program import FACES, ProgramTest, commands, run
from schema import DEFINITIONS, SCHEMA, faults, validator

TYPES = {"array", "boolean", "integer", "null", "number", "object", "string"}
BESIDE = "1,0,0,3,0,1,0,0,0,0,1,0,0,0,0,1"
WITHIN = "1,0,0,0.5,0,1,0,0.25,0,0,1,0.125,0,0,0,1"


def is_count(value):
    return type(value) is int and value >= 0


def is_number(value):
    return type(value) in (int, float)


# The keywords that it is made of, a part of draft 7, and what each holds there.
KEYWORDS = {
    "description": lambda value: isinstance(value, str) and value.strip().endswith("."),
    "type": lambda value: {value} <= TYPES if isinstance(value, str) else {*value} <= TYPES,
    "enum": lambda value: isinstance(value, list) and len(value) > 1,
    "const": lambda value: True,
    "pattern": lambda value: re.compile(value),
    "minLength": is_count, "minItems": is_count, "maxItems": is_count, "minProperties": is_count,
    "maxProperties": is_count, "minimum": is_number, "maximum": is_number, "exclusiveMinimum": is_number,
    "items": lambda value: isinstance(value, dict),
    "properties": lambda value: isinstance(value, dict),
    "required": lambda value: len(set(value)) == len(value) > 0,
    "additionalProperties": lambda value: value is False,
    "anyOf": lambda value: isinstance(value, list) and len(value) > 1,
    "oneOf": lambda value: isinstance(value, list) and len(value) > 1,
    "$ref": lambda value: value.startswith("#/definitions/") and value.split("/")[2] in DEFINITIONS,
}


def within(schema, place):
    """The schema and all that it is made of, each with its place."""
    yield place, schema
    parts = {**schema.get("properties", {}), **({"[]": schema["items"]} if "items" in schema else {})}
    parts |= {f"kind {i}": one for i, one in enumerate(schema.get("anyOf", []) + schema.get("oneOf", []))}
    for name, part in parts.items():
        yield from within(part, f"{place}.{name}")


SCHEMAS = [found for name, schema in DEFINITIONS.items() for found in within(schema, name)]


class Schema(ProgramTest):
    def test_it_is_a_schema_of_draft_7(self):
        self.assertEqual(SCHEMA["$schema"], "http://json-schema.org/draft-07/schema#")
        for place, schema in SCHEMAS:
            for keyword, value in schema.items():
                self.assertIn(keyword, KEYWORDS, place)
                self.assertTrue(KEYWORDS[keyword](value), f"{place}: {keyword}")
            if "$ref" in schema:  # nothing else counts beside it
                self.assertLessEqual(set(schema), {"$ref", "description"}, place)
            self.assertTrue({"type", "$ref", "anyOf", "oneOf"} & set(schema), place)
        self.package("fastjsonschema")
        for name in DEFINITIONS:
            validator(name)

    def test_every_key_is_described_and_no_other_is_allowed(self):
        for place, schema in SCHEMAS:
            if schema.get("type") == "object":
                self.assertIs(schema["additionalProperties"], False, place)
                self.assertLessEqual(set(schema["required"]), set(schema["properties"]), place)
            for key, value in schema.get("properties", {}).items():
                named = DEFINITIONS[value["$ref"].split("/")[2]] if "$ref" in value else value
                self.assertTrue(value.get("description") or named.get("description"), f"{place}.{key}")

    def test_every_command_has_a_definition_and_every_definition_is_of_use(self):
        names = [*commands(), "version"]
        self.assertGreater(len(names), 13)
        self.assertLessEqual(set(names), set(DEFINITIONS))
        used, found = set(), [*names, "mass_each", "error"]
        while found:
            name = found.pop()
            if name not in used:
                used.add(name)
                found += [part["$ref"].split("/")[2] for _, part in within(DEFINITIONS[name], name) if "$ref" in part]
        self.assertEqual(used, set(DEFINITIONS))


class Documents(ProgramTest):
    """Answers as they are printed, and with one thing changed."""

    def setUp(self):
        super().setUp()
        self.package("fastjsonschema")

    def answers(self):
        """(definition, document), some of each command."""
        box, torn = self.box(), self.box("torn.off", faces=FACES[1:])
        scene = self.write("scene.json", json.dumps({"gravity": [0, 0, 0], "contact": {}, "bodies": [
            {"shape": {"shape": "box", "size": [1, 1, 1]}, "density": 1000},
            {"shape": {"shape": "box", "size": [1, 1, 1]}, "density": 1000, "fixed": True,
             "pose": [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 2], [0, 0, 0, 1]]}]}))
        path = self.write("path.csv", "time,x,y,z,qw,qx,qy,qz\n0,0,0,0,1,0,0,0\n0.001,0,0,0,1,0,0,0\n")
        image, spheres = ["--method", "image", "--resolution", 16], ["--method", "spheres", "--spheres", 50]
        wet, apart = ["submerge", box, "--plane", "0,0,1,0.5"], ["distance", box, box, "--pose-b", BESIDE]
        crossed, weight = ["overlap", box, box, "--pose-b", WITHIN], ["--density", 500]
        for arguments in (["version"], ["info"], ["mass", box], ["mass", box, *image], ["mass", box, torn],
                          wet, [*wet, *image], ["float", box, *weight, "--starts", 4],
                          ["gz", box, *weight, "--heel", "0:20:10"], apart, [*apart, *spheres],
                          [*crossed, "--separate", "--pieces"], [*crossed, "--budget-us", "1e-3"],
                          [*crossed, *spheres], ["probe", box, "--grid", 0.5], ["pairs", box, torn],
                          ["pairs", box, torn, "--method", "far", "--backend", "cpu"],
                          ["spheres", box, "--count", 20], ["spheres", box, "--cover", 4],
                          ["simulate", scene, "--seconds", 0.01, *image], ["haptics", scene, "--path", path],
                          ["render", box, "--what", "mass", "-o", self.folder / "box.png"]):
            yield arguments[0], json.loads(run(*arguments, "--json")[1])
        for line in run("mass", "--each", torn, self.folder / "none.off", "--json")[1].splitlines():
            yield "mass_each", json.loads(line)
        yield "error", json.loads(run("gz", torn, "--json")[1])

    def kind(self, name, document):
        kinds = [one["$ref"].split("/")[2] for one in DEFINITIONS[name].get("oneOf", [])] or [name]
        [found] = [kind for kind in kinds if not faults(document, kind)]
        return DEFINITIONS[found]

    def test_nothing_may_be_missing_added_or_of_another_type(self):
        seen = set()
        others = [{"surprise": 0}, [[{}]], "surprise", 0.5, True]
        for name, document in self.answers():
            with self.subTest(name, document=document):
                seen.add(name)
                kind = self.kind(name, document)
                self.assertTrue(faults({**document, "surprise": 0}, name))
                for key, value in document.items():
                    if key in kind["required"]:
                        self.assertTrue(faults({k: v for k, v in document.items() if k != key}, name), key)
                    # What is null here may be a word, a number or a truth elsewhere.
                    types = {int, float} if is_number(value) else {type(value)}
                    types |= {str, int, float, bool} if value is None else set()
                    for other in others:
                        if type(other) not in types:
                            self.assertTrue(faults({**document, key: other}, name), (key, other))
        self.assertEqual(seen, {*commands(), "version", "mass_each", "error"})


if __name__ == "__main__":
    unittest.main()
