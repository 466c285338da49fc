"""Every tool of `svc mcp` and of `svc mcp --design`, and the members of their answers, through the official Python client (PyPI: mcp).

    python3 -m venv /tmp/venv && /tmp/venv/bin/pip install mcp
    /tmp/venv/bin/python scripts/mcp-python.py [SVC]

SVC is an executable; without it the sources run. CI does without Python. Exits with 1 where a tool does not answer as it should.
"""

import asyncio
import json
import os
import pathlib
import subprocess
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
    "type.describe": {"type": "svc:core/Money"},
    "spec.describe": {"spec": "local/pets", "operation": "listPets"},
    "spec.export": {"spec": "local/pets", "format": "openapi"},
    "mcp_server.describe": {},
}
# Without an embedding provider it is refused.
REFUSED = {"spec.search_semantic": {"q": "pets"}}
LOCAL = {"edit", "bundle", "convert", "example", "stub"}
# What the answers have at least; what is optional is not named.
MEMBERS = {
    "lint.check": "grade score total findings next_cursor",
    "diff.compare": "verdict breaking changes consumers",
    "schema.contains": "contains counterexample reason",
    "explain": "id kind text",
    "edit": "written digest diff new_findings gone_findings verdict changes consumers next_version",
}
ITEM_MEMBERS = {
    ("lint.check", "findings"): "code severity message path line column fingerprint",
    ("diff.compare", "changes"): "id classification operation path message fingerprint",
}


def lacking(name: str, content: dict) -> list[str]:
    """The members that an answer should have and has not."""
    absent = [member for member in MEMBERS.get(name, "").split() if member not in content]
    for (tool, key), members in ITEM_MEMBERS.items():
        if tool != name:
            continue
        if not content.get(key):
            absent.append(f"an item of {key}")
        absent += [f"{key}[].{member}" for item in content.get(key, []) for member in members.split() if member not in item]
    return absent


async def check(session: ClientSession, is_design: bool) -> list[str]:
    wrong = []
    offered = {tool.name for tool in (await session.list_tools()).tools}
    calls = {name: arguments for name, arguments in {**CALLS, **REFUSED}.items() if is_design or name not in LOCAL}
    if offered != calls.keys():
        wrong.append(f"offered or called, not both: {', '.join(sorted(offered ^ calls.keys()))}")
    for name, arguments in calls.items():
        answer = (await session.call_tool(name, arguments)).model_dump()
        failed = bool(answer.get("isError", answer.get("is_error")))
        content = answer.get("structuredContent", answer.get("structured_content"))
        print(f"{name}: {'refused' if failed else 'answered'}")
        if failed != (name in REFUSED) or (not failed and not content):
            wrong.append(f"{name}: {json.dumps(answer)[:300]}")
        elif not failed:
            wrong += [f"{name}: its answer has no {member}" for member in lacking(name, content)]
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
        publish = [*command, "import", "auto", str(path / "pets.json"), "--publish", "public"]
        subprocess.run(publish, env=env, cwd=folder if sys.argv[1:] else ROOT, check=True, capture_output=True, timeout=120)
        wrong = []
        for more in ([], ["--design", "--root", folder]):
            print(f"svc mcp {' '.join(more[:1])}".rstrip())
            server = StdioServerParameters(command=command[0], args=[*command[1:], "mcp", *more], env=env)
            async with stdio_client(server) as (read, write), ClientSession(read, write) as session:
                await session.initialize()
                wrong += await check(session, is_design=bool(more))
    for line in wrong:
        print(line, file=sys.stderr)
    return 1 if wrong else 0


sys.exit(asyncio.run(main()))
