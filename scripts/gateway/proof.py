"""Requests for the table of proof: values by Hypothesis, judged by the library jsonschema, neither of them the project's own.

Standard input: a list of rows {constraint, where, path, schema, style, method}. Standard output, one JSON value a line: {constraint, isDescribed, method,
uri, headers, body}. A text that can be read as a value that the schema allows and also as one that it does not is left out.
"""
import json
import re
import sys
from decimal import Decimal, InvalidOperation
from urllib.parse import quote

from hypothesis import HealthCheck, Phase, given, settings, strategies as st
from hypothesis_jsonschema import from_schema
from jsonschema import Draft202012Validator, FormatChecker

EXAMPLES = int(sys.argv[1]) if len(sys.argv) > 1 else 40
formats = FormatChecker(["date", "ipv4", "ipv6", "uuid"])
made_formats = {"uuid": st.uuids().map(str)}


def bounded(schema):
    """The schema with the bounds that formats of OpenAPI mean."""
    if isinstance(schema, list):
        return [bounded(it) for it in schema]
    if not isinstance(schema, dict):
        return schema
    bits = {"int32": 31, "int64": 63}.get(schema.get("format"))
    more = {} if bits is None else {"minimum": -(2**bits), "maximum": 2**bits - 1}
    return {**{key: bounded(value) for key, value in schema.items() if bits is None or key != "format"}, **more}


def is_valid(schema, value):
    return Draft202012Validator(schema, format_checker=formats).is_valid(value)


def older(schema):
    """The schema in the words of draft 7, which the generator knows."""
    if isinstance(schema, list):
        return [older(it) for it in schema]
    if not isinstance(schema, dict):
        return schema
    changed = {key: older(value) for key, value in schema.items()}
    if "prefixItems" in changed:
        changed["additionalItems"] = changed.pop("items")
        changed["items"] = changed.pop("prefixItems")
    return changed


def draw(strategy, count=EXAMPLES):
    """The same values in every run."""
    found = []

    @settings(derandomize=True, database=None, max_examples=count, deadline=None, phases=[Phase.generate], suppress_health_check=list(HealthCheck))
    @given(strategy)
    def collect(value):
        found.append(value)

    collect()
    return found


def readings(text):
    """What a server may read a text as."""
    found = [text]
    if " " in text or "+" in text:
        found += [text.replace("+", " "), text.replace(" ", "+")]
    if re.fullmatch(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d{1,4})?", text, re.ASCII):
        try:
            number = Decimal(text)
            whole = abs(number.adjusted()) < 400 and number == number.to_integral_value()
            found.append(int(number) if whole else float(number))
        except (InvalidOperation, OverflowError):
            pass
    if text in ("true", "false"):
        found.append(text == "true")
    if text in ("", "null"):
        found.append(None)
    return found


def text_of(value):
    if value is None:
        return "null"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        return repr(value) if "e" not in repr(value) else format(Decimal(value), "f")[:30]
    return str(value)


def spellings(text):
    """The same in other words, and what only looks like it."""
    numbers = [f"+{text}", f"0{text}", f"00{text}", f"{text}.0", f"{text}e0", f"{text}E+1", f"{text}e-1", f"{text}00e-2", f" {text}", f"{text} ", f"{text}\t", f"{text}\n", f"{text}\r\n"]
    others = [f"{text};x=1", f"{text}#", f"{text}&", quote(text, safe="") + "%31", text.replace("1", "\uff11"), f"{text}\x00", f"\ufeff{text}", f"{text},{text}"]
    return (numbers if re.fullmatch(r"-?\d+", text) else []) + others


scalars = st.one_of(
    st.integers(-(10**6), 10**6), st.integers(-(2**70), 2**70), st.floats(-1e6, 1e6), st.booleans(), st.none(), st.text(max_size=40),
    st.text("abcxyz019-_.@: ", max_size=30), st.sampled_from(["", "2024-02-30", "2023-02-29", "25:00:00Z", "1.2.3.256", "::g", "a@", "x" * 200, "NaN", "Infinity", "0x10", "1e9", "9.9e99", "-1e9", "1e-9"]),
)
near = st.integers(-15, 120)


def encoded(where, text, raw=False):
    if where in ("query", "form"):
        return quote(text, safe="") if not raw else text
    if where == "path":
        return quote(text, safe="")
    return text


def is_sendable(where, text):
    if where == "header":
        return re.fullmatch(r"[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?", text) is not None
    if where == "cookie":
        return re.fullmatch(r"[!#$&'()*+\-./0-9:<=>?@A-Z\[\]^_`a-z{|}~]*", text) is not None
    if where == "path":
        return text not in ("", ".", "..") and re.search(r"[/\\]|%2f|%5c|(^|[;])\.{1,2}($|[;])", text, re.I) is None
    return True


def request(row, text, more=""):
    where, path, method = row["where"], row["path"], row["method"]
    headers, body, uri = [["Host", "proof.example"]], "", path
    if where == "query":
        uri += f"?q={encoded(where, text)}{more}"
    elif where == "path":
        uri += f"/{encoded(where, text)}"
    elif where == "header":
        headers.append(["X-Q", text])
    elif where == "cookie":
        headers.append(["Cookie", f"q={text}"])
    elif where == "multipart":
        body = f'--a\r\nContent-Disposition: form-data; name="q"\r\n\r\n{text}\r\n--a--\r\n'
        headers += [["Content-Type", "multipart/form-data; boundary=a"], ["Content-Length", str(len(body.encode()))]]
    else:
        body = f"q={encoded(where, text)}{more}"
        headers += [["Content-Type", "application/x-www-form-urlencoded"], ["Content-Length", str(len(body))]]
    return {"method": method, "uri": uri, "headers": headers, "body": body}


def of_scalar(row):
    schema, where = row["schema"], row["where"]
    values = [text_of(it) for it in draw(from_schema(older(schema), custom_formats=made_formats))]
    if schema.get("type") == "string":
        values += [it for it in draw(st.text("abcXYZ019-_.", min_size=1, max_size=12)) if is_valid(schema, it)]
    for text in dict.fromkeys(values):
        if is_sendable(where, text) and all(is_valid(schema, it) for it in readings(text) if type(it) is not str or schema.get("type") == "string"):
            yield True, request(row, text)
    wrong = [text_of(it) for it in draw(st.one_of(scalars, near), EXAMPLES * 2)]
    wrong += [other for text in wrong[:20] + values[:10] for other in spellings(text)]
    good = next((it for it in values if is_sendable(where, it) and any(is_valid(schema, one) for one in readings(it))), None)
    for text in dict.fromkeys(wrong):
        if not is_sendable(where, text) or any(is_valid(schema, it) for it in readings(text)):
            continue
        yield False, request(row, text)
        if where in ("query", "form") and good is not None:
            yield False, request(row, good, f"&q={encoded(where, text)}")
            yield False, request(row, text, f"&%71={encoded(where, good)}")


def prefixed(style, texts):
    name, _, exploded = style.partition(" ")
    if name == "label":
        return "." + ("." if exploded else ",").join(texts)
    return "".join(f";q={it}" for it in texts) if exploded else ";q=" + ",".join(texts)


def of_members(row):
    schema = row["schema"]

    def send(value, before, after):
        pairs = "&".join(f"q{before}{quote(str(key), safe='')}{after}={quote(text_of(it), safe='')}" for key, it in value.items())
        return {**request(row, ""), "uri": f"{row['path']}?{pairs}"}

    for value in draw(from_schema(older(schema))):
        for before, after in (("[", "]"), ("%5B", "%5d")):
            yield True, send(value, before, after)
    names = st.sampled_from(["a", "b", "c", "A", "a b", "a][a", "", "0"])
    texts = st.one_of(st.integers(-5, 130), st.sampled_from(["x", "y", "z", "1.5", "1e9", ""]))
    for value in draw(st.dictionaries(names, texts, min_size=1, max_size=3), EXAMPLES * 4):
        whole = {key: int(it) if re.fullmatch(r"-?\d+", str(it)) else it for key, it in value.items()}
        if not is_valid(schema, whole):
            yield False, send(value, "[", "]")


def of_list(row):
    schema, where, style = row["schema"], row["where"], row["style"]
    if style.startswith("deepObject"):
        yield from of_members(row)
        return
    comma = {"spaceDelimited": "%20", "pipeDelimited": "|"}.get(style, ",")
    plain = comma == ","

    def send(items):
        texts = [text_of(it) for it in items]
        if style.startswith(("label", "matrix")):
            return {**request(row, "x"), "uri": f"{row['path']}/{prefixed(style, texts)}"}
        if style == "form exploded":
            if where == "cookie":
                return None
            joined = "&".join(f"q={quote(it, safe='')}" for it in texts)
            sent = request(row, "")
            if where == "query":
                return {**sent, "uri": f"{row['path']}?{joined}"}
            headers = [["Host", "proof.example"], ["Content-Type", "application/x-www-form-urlencoded"], ["Content-Length", str(len(joined))]]
            return {**sent, "headers": headers, "body": joined}
        if where == "query":
            return {**request(row, ""), "uri": f"{row['path']}?q={comma.join(quote(it, safe='') for it in texts)}"}
        return request(row, ",".join(texts)) if plain and where != "path" else {**request(row, "x"), "uri": f"{row['path']}/{','.join(texts)}"}

    if schema.get("type") == "integer":
        for value in draw(from_schema(schema)):
            yield True, send([value])
        for value in draw(st.sampled_from(["x", "1.5", "1x", "--1", "true", "0x1"])):
            yield False, send([value])
        return
    for items in draw(from_schema(older(schema), custom_formats=made_formats)):
        if len(items) > 0 and is_valid(schema, items) and (sent := send(items)) is not None:
            yield True, sent
    for items in draw(st.lists(st.one_of(st.integers(-5, 130), st.sampled_from(["x", "1.5", "1e9"])), min_size=1, max_size=8), EXAMPLES * 3):
        numbers = [int(it) if re.fullmatch(r"-?\d+", str(it)) else it for it in items]
        if not is_valid(schema, numbers) and (sent := send(items)) is not None:
            yield False, sent


def json_texts(value):
    """The same JSON in other words."""
    text = json.dumps(value)
    yield text
    yield json.dumps(value, ensure_ascii=False, indent=1)
    yield re.sub(r"(?<=[\[ :,])(-?\d+)(?=[,}\]])", r"\1.0", text)
    yield re.sub(r"(?<=[\[ :,])(-?\d+)(?=[,}\]])", r"\1e0", text)
    yield text.replace('"a"', '"\\u0061"')


def mutants(value):
    yield from (None, True, 3, "x", [], {}, [value], {"a": value})
    if isinstance(value, dict):
        for key in value:
            yield {k: v for k, v in value.items() if k != key}
            for other in mutants(value[key]):
                yield {**value, key: other}
        yield {**value, "other": 1}
    elif isinstance(value, list):
        yield value + value
        yield value[:-1]
        for other in mutants(value[0]) if value else []:
            yield [other] + value[1:]
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        yield from (value + 1, value - 1, value * 1000, -value, value + 0.5)
    elif isinstance(value, str):
        yield from (value + "x", value[:-1], value * 9, value.upper(), "", " " + value, value + "\n", "2023-02-29")


def of_json(row):
    schema = row["schema"]

    def send(text):
        body = text.encode()
        return {"method": row["method"], "uri": row["path"], "headers": [["Host", "proof.example"], ["Content-Type", "application/json"], ["Content-Length", str(len(body))]], "body": text}

    values = draw(from_schema(older(schema), custom_formats=made_formats))
    wrong = draw(scalars)
    seen = set()
    for value in values:
        for text in json_texts(value) if is_valid(schema, value) else ():
            if text not in seen and "\x00" not in text:
                seen.add(text)
                yield True, send(text)
        wrong += list(mutants(value))[:60]
    for value in wrong:
        if is_valid(schema, value):
            continue
        for text in json_texts(value):
            try:
                if text in seen or is_valid(schema, json.loads(text)):
                    continue
            except ValueError:
                continue
            seen.add(text)
            yield False, send(text)


for row in json.load(sys.stdin):
    row["schema"] = bounded(row["schema"])
    made = of_json if row["where"] == "json" else of_list if row["style"] else of_scalar
    count = {True: 0, False: 0}
    for is_described, sent in made(row):
        count[is_described] += 1
        if count[is_described] <= row["most"]:
            print(json.dumps({"constraint": row["constraint"], "isDescribed": is_described, **sent}))
        elif min(count.values()) > row["most"]:
            break
