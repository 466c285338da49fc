"""Reads a list of {dialect, schema, value} from standard input and writes a list of booleans: whether each value is valid."""
import json
import sys

try:
    import jsonschema
except ImportError:
    sys.exit(3)

VALIDATORS = {
    "04": jsonschema.Draft4Validator,
    "06": jsonschema.Draft6Validator,
    "07": jsonschema.Draft7Validator,
    "2019-09": jsonschema.Draft201909Validator,
    "2020-12": jsonschema.Draft202012Validator,
}

sys.setrecursionlimit(20000)
answers = [VALIDATORS[it["dialect"]](it["schema"]).is_valid(it["value"]) for it in json.load(sys.stdin)]
json.dump(answers, sys.stdout)
