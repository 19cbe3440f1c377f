"""Differences between an OpenAPI document and what the client offers: operations, parameters, members of
answers.
"""

import dataclasses
import types
from datetime import date, datetime
from decimal import Decimal
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from crossrate import _operations, _ranges
from crossrate._call import Call
from crossrate._decode import json_name
from crossrate.models.lake import IntradayManifest, LakeManifest, OfficialManifest

# Tags of operations that the client does not offer.
OTHER_TAGS = {
    "Account": "needs a person's session",
    "Billing": "needs a person's session",
    "Sign-in": "needs a person's session",
    "Compatibility": "for clients of other services",
}
# Operations of the other tags that it does not offer.
LEFT_OUT = {
    "getLatestOnBase": "a second path of getLatest",
    "getHistoricalOnBase": "a second path of getHistorical",
    "convertAmount": "a second path of convertPair",
    "convertAmountOfficially": "a second path of convertOfficially",
    "getOfficialFeed": "for feed readers; listOfficialChanges has the same",
    "getLakeViews": "views.sql is in the package",
    "getOpenApi": "for tools",
    "getDocs": "a page for people",
}
# Operations by which `lake` copies files: it takes their paths from the manifests.
LAKE_FILES = (
    "getLakeDaily",
    "getLakeRevisions",
    "getLakeHeld",
    "getLakeIntraday",
    "getLakeOfficialFile",
    "getLakeCurrent",
)
LEFT_OUT_PARAMETERS = {
    ("getLatest", "path_base"): "the same as base",
    ("getLatest", "format"): "for spreadsheets",
    ("getHistorical", "path_base"): "the same as base",
    ("getFluctuation", "format"): "for spreadsheets",
    ("getAverage", "format"): "for spreadsheets",
    ("getHistorical", "format"): "for spreadsheets",
    ("listOfficialRates", "format"): "for spreadsheets",
    ("getOfficialRatesInForce", "format"): "for spreadsheets",
    ("getStream", "path_base"): "the same as base",
    ("getStream", "last_event_id"): "the same as the header",
    ("getStatus", "strict"): "for load balancers, which read the status alone",
    ("getLakeManifest", "If-Match"): "a path in a manifest always names the same bytes",
    ("getIntradayManifest", "If-Match"): "a path in a manifest always names the same bytes",
    ("getOfficialManifest", "If-Match"): "a path in a manifest always names the same bytes",
}

DAY, INSTANT = "2026-04-13", "2026-04-13T12:00:00Z"
SERIES = _ranges.range_query(
    "EUR",
    "USD",
    DAY,
    DAY,
    fill="previous",
    interval="1w",
    aggregate="last",
    side="bid",
    order="asc",
    layout="long",
    dp=2,
    as_of=INSTANT,
    as_of_basis="published",
    updated_after=INSTANT,
)
STREAM = Call(
    "getStream", "/v1/stream", bytes, {"base": "EUR", "symbols": "USD", "dp": "2", "Last-Event-ID": "7"}
)

# Every operation with all its parameters.
OFFERED: list[Call[Any]] = [
    _operations.latest("EUR", "USD", dp=2),
    _operations.fluctuation(
        "EUR", "USD", start_date=DAY, end_date=DAY, as_of=INSTANT, as_of_basis="retrieved"
    ),
    _operations.average(
        "EUR",
        "USD",
        start_date=DAY,
        end_date=DAY,
        period="2026",
        method="calendar",
        as_of=INSTANT,
        as_of_basis="retrieved",
    ),
    _operations.historical(DAY, "EUR", "USD", dp=2, as_of=INSTANT, as_of_basis="published"),
    _operations.convert(1, "EUR", "USD", date=DAY, dp=2),
    _operations.convert_batch("EUR", [("USD", 1)]),
    _operations.convert_dated(
        [(1, "EUR", "USD", DAY), (1, "USD", "MXN", DAY, "mex/fix")], as_of=INSTANT, as_of_basis="published"
    ),
    _operations.pair("eur-usd", dp=2),
    _operations.explain("EUR", "USD", date=DAY),
    _operations.currencies(),
    _operations.official_tables(),
    _operations.official_changes(INSTANT, country="mex", type="fix", limit=1, cursor="c"),
    _operations.official_publications("mex", "fix", from_=DAY, to=DAY, limit=1, cursor="c"),
    _operations.official_latest("mex", "fix", valid_on=DAY),
    _operations.official_publication("mex", "fix", "p", version=1),
    _operations.official_rates(
        *("mex", "fix", "USD"),
        **{"start_date": DAY, "end_date": DAY, "period": "2026", "versions": "all"},
        **{"as_of": INSTANT, "limit": 1, "cursor": "c"},
    ),
    _operations.official_in_force("mex", "fix", "USD", on=DAY, as_of=INSTANT),
    _operations.official_convert("mex", "fix", 1, "USD", "MXN", on=DAY, rule="published_on", kind="mid", as_of=INSTANT),
    _operations.chain(1, 5),
    _operations.chain_head(),
    _operations.proof("EUR", "USD", DAY, version="1-a"),
    _operations.status(),
    _operations.health(),
    STREAM,
    SERIES.page("c", 5),
    SERIES.file("parquet"),
    SERIES.estimate("csv"),
    Call("getLakeManifest", "/v1/lake/manifest.json", LakeManifest),
    Call("getIntradayManifest", "/v1/lake/intraday/manifest.json", IntradayManifest),
    Call("getOfficialManifest", "/v1/lake/official/manifest.json", OfficialManifest),
]


def differences(document: dict[str, Any]) -> list[str]:
    """One line for each difference; empty where the client follows the document."""
    documented = {
        operation["operationId"]: (method.upper(), path, operation)
        for path, operations in document["paths"].items()
        for method, operation in operations.items()
        if method != "parameters" and not set(operation["tags"]) & set(OTHER_TAGS)
    }
    known = {call.operation for call in OFFERED} | set(LEFT_OUT)
    found = [
        f"{path} ({name}) is not offered"
        for name, (_, path, _) in documented.items()
        if name not in known and not name.startswith(LAKE_FILES)
    ]
    for call in OFFERED:
        if call.operation not in documented:
            found.append(f"{call.operation} is offered and not documented")
            continue
        found.extend(_of_call(document, call, *documented[call.operation]))
    found.extend(_of_parameters(document, documented))
    found.extend(_of_choices(documented))
    return found


def _of_call(
    document: dict[str, Any], call: Call[Any], method: str, path: str, operation: dict[str, Any]
) -> list[str]:
    found = []
    if call.method != method or not _matches(path, call.path):
        found.append(f"{call.operation}: {call.method} {call.path} is not {method} {path}")
    content = operation["responses"]["200"]["content"]
    if call.answer is bytes:
        return found
    schema = resolved(document, content["application/json"]["schema"])
    candidates = [resolved(document, one) for one in schema.get("oneOf", [schema])]
    of_each = [of_schema(document, one, call.answer, f"{call.operation} 200") for one in candidates]
    return found + min(of_each, key=len)


def _matches(template: str, path: str) -> bool:
    parts, own = template.split("/"), path.split("/")
    return len(parts) == len(own) and all(
        part.startswith("{") or part == one for part, one in zip(parts, own, strict=True)
    )


def _of_parameters(document: dict[str, Any], documented: dict[str, Any]) -> list[str]:
    """Query and header parameters by name, over all calls of an operation; and members of the body."""
    found = []
    for name in {call.operation for call in OFFERED} & set(documented):
        sent = {key for call in OFFERED if call.operation == name for key in call.query}
        _, _, operation = documented[name]
        parameters = {one["name"] for one in operation.get("parameters", []) if one["in"] != "path"}
        left_out = {one for of, one in LEFT_OUT_PARAMETERS if of == name}
        found.extend(f"{name}: the parameter {one} is not offered" for one in parameters - sent - left_out)
        found.extend(
            f"{name}: the parameter {one} is left out and not documented" for one in left_out - parameters
        )
        found.extend(f"{name}: the parameter {one} is not documented" for one in sent - parameters)
        (body,) = [call.body for call in OFFERED if call.operation == name][:1]
        if body is not None:
            schema = resolved(document, operation["requestBody"]["content"]["application/json"]["schema"])
            if set(body) != set(schema["properties"]):
                found.append(f"{name}: the body has {sorted(body)}, not {sorted(schema['properties'])}")
    return found


def _of_choices(documented: dict[str, Any]) -> list[str]:
    """Values of parameters that the client types as one of several."""
    found = []
    for name, make in {"getRange": _ranges.range_query, "getHistorical": _operations.historical}.items():
        hints = get_type_hints(make)
        for parameter in documented.get(name, (None, None, {}))[2].get("parameters", []):
            values = parameter["schema"].get("enum")
            if values is not None and parameter["name"] in hints:
                own = [value for one in _parts(hints[parameter["name"]]) for value in get_args(one)]
                if set(own) != set(values):
                    found.append(
                        f"{name}: {parameter['name']} is one of {sorted(values)}, here {sorted(own)}"
                    )
    own = {*get_args(_ranges.FileFormat), "json"}
    for parameter in documented.get("getRange", (None, None, {}))[2].get("parameters", []):
        if parameter["name"] == "format" and set(parameter["schema"]["enum"]) != own:
            found.append(f"getRange: format is one of {parameter['schema']['enum']}")
    return found


def _parts(annotation: Any) -> list[Any]:
    """The members of a union that are literals."""
    members = get_args(annotation) if get_origin(annotation) in (Union, types.UnionType) else (annotation,)
    return [one for one in members if get_origin(one) is Literal]


def resolved(document: dict[str, Any], schema: dict[str, Any]) -> dict[str, Any]:
    while "$ref" in schema:
        schema = document["components"]["schemas"][schema["$ref"].rsplit("/", 1)[1]]
    return schema


def of_schema(document: dict[str, Any], schema: dict[str, Any], annotation: Any, where: str) -> list[str]:
    """Differences between a schema and the type that it is read into; a dict of Any takes every object as it is."""
    schema = resolved(document, schema)
    if annotation == dict[str, Any]:
        objects = [resolved(document, one) for one in schema.get("oneOf", [schema])]
        return [f"{where} is no object" for one in objects if one.get("type") != "object"]
    if get_origin(annotation) in (Union, types.UnionType):
        (annotation,) = [one for one in get_args(annotation) if one is not type(None)]
        is_optional = True
    else:
        is_optional = False
    choices = [resolved(document, one) for one in schema.get("anyOf", [])]
    kinds = schema["type"] if isinstance(schema.get("type"), list) else [schema.get("type")]
    is_nullable = "null" in kinds or any(one.get("type") == "null" for one in choices)
    if is_nullable and not is_optional:
        return [f"{where} can be null"]
    if is_optional and not is_nullable:
        return [f"{where} is never null"]
    if choices:
        (schema,) = [one for one in choices if one.get("type") != "null"]
        kinds = [schema.get("type")]
    kind = next((one for one in kinds if one != "null"), None)
    if dataclasses.is_dataclass(annotation):
        return _of_dataclass(document, schema, annotation, where)
    if get_origin(annotation) is tuple and kind == "array":
        return of_schema(document, schema["items"], get_args(annotation)[0], f"{where}[]")
    if get_origin(annotation) is dict and isinstance(schema.get("additionalProperties"), dict):
        return of_schema(document, schema["additionalProperties"], get_args(annotation)[1], f"{where}{{}}")
    form = schema.get("format")
    expected = {"boolean": bool, "integer": int, "number": Decimal}.get(str(kind), str)
    if expected is str:
        expected = {"date": date, "date-time": datetime}.get(str(form), str)
    if annotation is not expected or kind in ("array", "object"):
        return [f"{where} is {kind} {form or ''}, here {annotation}"]
    return []


def _of_dataclass(document: dict[str, Any], schema: dict[str, Any], kind: Any, where: str) -> list[str]:
    if "properties" not in schema:
        return [f"{where} is no object, here {kind.__name__}"]
    hints = get_type_hints(kind)
    members = {json_name(member): member for member in dataclasses.fields(kind)}
    properties = {name: value for name, value in schema["properties"].items() if name != "result"}
    found = [f"{where}.{name} is not in {kind.__name__}" for name in set(properties) - set(members)]
    found += [f"{where} has no {name}, {kind.__name__} has" for name in set(members) - set(properties)]
    for name in set(properties) & set(members):
        member, annotation = members[name], hints[members[name].name]
        is_required = name in schema.get("required", [])
        if is_required != (member.default is dataclasses.MISSING):
            found.append(f"{where}.{name} is {'always' if is_required else 'not always'} there")
        if not is_required and get_origin(annotation) in (Union, types.UnionType):
            # A member that may be absent is None then.
            (annotation,) = [one for one in get_args(annotation) if one is not type(None)]
        found += of_schema(document, properties[name], annotation, f"{where}.{name}")
    return found
