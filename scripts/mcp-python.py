"""Every tool of `svc mcp --design` through the official Python client (PyPI: mcp).

    python3 -m venv /tmp/venv && /tmp/venv/bin/pip install mcp
    /tmp/venv/bin/python scripts/mcp-python.py [SVC]

SVC is an executable; without it the sources run. CI does without Python. Exits with 1 where a tool does not answer as it should.
"""

import asyncio
import json
import os
import pathlib
import sys
import tempfile

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

ROOT = pathlib.Path(__file__).resolve().parent.parent
DOCUMENT = {
    "openapi": "3.1.0",
    "info": {"title": "Pets", "version": "1.0.0"},
    "paths": {
        "/pets": {
            "get": {
                "operationId": "listPets",
                "responses": {
                    "200": {
                        "description": "ok",
                        "content": {"application/json": {"schema": {"type": "object", "properties": {"name": {"type": "string"}}}}},
                    }
                },
            }
        }
    },
}
TEXT = json.dumps(DOCUMENT, indent=2)
NO_SCHEMA = {"type": "string", "maxLength": 3}
CALLS = {
    "edit": {"file": "pets", "edits": [{"path": "/info/title", "value": "Animals"}]},
    "bundle": {"file": "pets"},
    "convert": {"file": "pets", "to": "openapi-3.0"},
    "example": {"file": "pets", "operation": "listPets"},
    "stub": {"file": "pets", "operation": "listPets"},
    "lint.check": {"document": {"text": TEXT}},
    "diff.compare": {"base": {"text": TEXT}, "head": {"text": TEXT.replace("/pets", "/animals")}},
    "schema.contains": {"a": {"type": "string"}, "b": NO_SCHEMA},
    "explain": {"id": "operation-summary"},
    "ping": {},
    "spec.list": {},
    "spec.search": {"q": "pets"},
    "project.list": {},
    "type.list": {},
    "mcp_server.describe": {},
}
# Without a published specification, a registered type or an embedding provider these are refused, each in its own words.
REFUSED = {
    "spec.describe": {"spec": "nobody/nothing"},
    "spec.export": {"spec": "nobody/nothing", "format": "openapi"},
    "spec.search_semantic": {"q": "pets"},
    "type.describe": {"ref": "svc://types/nobody/nothing"},
}


async def check(session: ClientSession) -> list[str]:
    wrong = []
    offered = {tool.name for tool in (await session.list_tools()).tools}
    missing = offered - CALLS.keys() - REFUSED.keys()
    if missing:
        wrong.append(f"no call for {', '.join(sorted(missing))}")
    for name, arguments in {**CALLS, **REFUSED}.items():
        answer = (await session.call_tool(name, arguments)).model_dump()
        failed = bool(answer.get("isError", answer.get("is_error")))
        content = answer.get("structuredContent", answer.get("structured_content"))
        print(f"{name}: {'refused' if failed else 'answered'}")
        if failed != (name in REFUSED) or (not failed and not content):
            wrong.append(f"{name}: {json.dumps(answer)[:300]}")
    return wrong


async def main() -> int:
    sources = ["node", str(ROOT / "scripts" / "bun.mjs"), "run", str(ROOT / "cli" / "main.ts")]
    command = sys.argv[1:] or sources
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder)
        (path / "svc.yaml").write_text("apis:\n  pets: { root: pets.json }\n")
        (path / "pets.json").write_text(TEXT)
        env = {"HOME": folder, "PATH": os.environ.get("PATH", ""), "SVC_WORKSPACE": str(path / ".workspace")}
        # From the sources the current folder is that of the repository: --root names where svc.yaml is.
        server = StdioServerParameters(command=command[0], args=[*command[1:], "mcp", "--design", "--root", folder], env=env)
        async with stdio_client(server) as (read, write), ClientSession(read, write) as session:
            await session.initialize()
            wrong = await check(session)
    for line in wrong:
        print(line, file=sys.stderr)
    return 1 if wrong else 0


sys.exit(asyncio.run(main()))
