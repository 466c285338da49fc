"""Requests for the operations of real documents, by Schemathesis, which shares nothing with the project.

Arguments: a seed, how many operations, requests for one operation, and the seconds that all of it may take. Standard input: paths of documents,
one a line. Standard output, one JSON value a line: {document, operation, method, uri, headers, body}; the body in base64. At last, one line
{operations, of, left}: how many operations were drawn, of how many, and for how many no request could be made in time.
"""
import base64
import json
import random
import sys
import time
import warnings

import requests
import schemathesis
from hypothesis import HealthCheck, Phase, Verbosity, given, seed, settings
from schemathesis import GenerationMode

SEED, OPERATIONS, EXAMPLES, SECONDS = (int(it) for it in sys.argv[1:5])
warnings.simplefilter("ignore")
END = time.monotonic() + SECONDS


class Late(BaseException):
    pass


def draw(operation):
    """The same requests in every run of one seed."""
    found = []

    @seed(SEED)
    @settings(database=None, max_examples=EXAMPLES, deadline=None, phases=[Phase.generate], verbosity=Verbosity.quiet, suppress_health_check=list(HealthCheck))
    @given(operation.as_strategy(generation_mode=GenerationMode.POSITIVE))
    def collect(case):
        if time.monotonic() > END:
            raise Late()
        found.append(case)

    try:
        collect()
    except Late:
        raise
    except Exception:
        pass
    return found


def sent(case, base):
    kwargs = case.as_transport_kwargs(base_url="http://proof.example" + base)
    kwargs = {key: value for key, value in kwargs.items() if key in ("method", "url", "headers", "cookies", "params", "data", "json", "files")}
    ready = requests.Request(**kwargs).prepare()
    body = ready.body or b""
    if isinstance(body, str):
        body = body.encode()
    headers = [["Host", "proof.example"]] + [[str(key), value if isinstance(value, str) else value.decode("latin-1")] for key, value in ready.headers.items()]
    return {"method": ready.method, "uri": ready.path_url, "headers": headers, "body": base64.b64encode(body).decode()}


operations = []
for path in sys.stdin.read().split("\n"):
    if path == "":
        continue
    try:
        schema = schemathesis.openapi.from_path(path)
        found = [it.ok() for it in schema.get_all_operations() if hasattr(it, "ok")]
    except Exception as error:
        print(f"{path}: {str(error)[:200]}", file=sys.stderr)
        continue
    operations += [(path, it) for it in found if it is not None]
drawn = random.Random(SEED).sample(operations, min(OPERATIONS, len(operations)))
left = 0
for at, (path, operation) in enumerate(drawn):
    try:
        for case in draw(operation):
            try:
                request = sent(case, operation.schema.base_path.rstrip("/"))
            except Exception:
                continue
            print(json.dumps({"document": path, "operation": operation.label, **request}))
    except Late:
        left = len(drawn) - at
        break
print(json.dumps({"operations": len(drawn) - left, "of": len(operations), "left": left}))
