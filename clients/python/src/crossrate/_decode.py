"""JSON to dataclasses, by their annotations. Numbers become Decimal with the digits of the text; unknown
members are ignored.
"""

from __future__ import annotations

import dataclasses
import functools
import json
import types
from collections.abc import Callable
from datetime import date, datetime
from decimal import Decimal
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

from .errors import UnexpectedResponseError

T = TypeVar("T")
Reader = Callable[[Any], Any]


def parse(text: str | bytes) -> Any:
    """The value of a JSON text; fractions as Decimal. UnexpectedResponseError where it is no JSON."""
    try:
        return json.loads(text, parse_float=Decimal)
    except ValueError as cause:
        raise UnexpectedResponseError("the answer is not JSON") from cause


def decode(kind: type[T], value: object) -> T:
    """A dataclass from parsed JSON; UnexpectedResponseError names the member that is missing or of another
    type.
    """
    any_kind: Any = kind
    found: T = reader_of(any_kind)(value)
    return found


def json_name(member: dataclasses.Field[Any]) -> str:
    """Name of a member in JSON, where it differs because Python reserves the word."""
    name: str = member.metadata.get("name", member.name)
    return name


@functools.cache
def reader_of(kind: Any) -> Reader:
    """Function that reads a value of an annotated type."""
    if dataclasses.is_dataclass(kind):
        return _dataclass_reader(kind)
    origin, args = get_origin(kind), get_args(kind)
    if origin in (Union, types.UnionType):
        (inner,) = [arg for arg in args if arg is not type(None)]
        read = reader_of(inner)
        return lambda value: None if value is None else read(value)
    if origin is tuple:
        item = reader_of(args[0])
        return lambda value: tuple(item(one) for one in _expected(list, value))
    if origin is dict:
        entry = reader_of(args[1])
        return lambda value: {name: entry(one) for name, one in _expected(dict, value).items()}
    return _SCALARS[kind]


def _dataclass_reader(kind: Any) -> Reader:
    hints = get_type_hints(kind)
    members = [
        (member.name, json_name(member), reader_of(hints[member.name]), member.default is dataclasses.MISSING)
        for member in dataclasses.fields(kind)
    ]

    def read(value: Any) -> Any:
        _expected(dict, value)
        found = {}
        for name, key, read_member, required in members:
            if key in value:
                try:
                    found[name] = read_member(value[key])
                except (TypeError, ValueError) as cause:
                    raise UnexpectedResponseError(f"{kind.__name__}.{key}: {cause}") from cause
            elif required:
                raise UnexpectedResponseError(f"{kind.__name__}.{key} is missing")
        return kind(**found)

    return read


def _expected(kind: type[T], value: Any) -> T:
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        raise UnexpectedResponseError(f"expected {kind.__name__}, not {value!r:.80}")
    return value


def _decimal(value: Any) -> Decimal:
    return value if isinstance(value, Decimal) else Decimal(_expected(int, value))


def _instant(value: Any) -> datetime:
    # Python 3.10 does not read "Z".
    return datetime.fromisoformat(_expected(str, value).replace("Z", "+00:00"))


_SCALARS: dict[Any, Reader] = {
    str: lambda value: _expected(str, value),
    int: lambda value: _expected(int, value),
    bool: lambda value: _expected(bool, value),
    Decimal: _decimal,
    date: lambda value: date.fromisoformat(_expected(str, value)),
    datetime: _instant,
    # What is kept as the server sent it.
    Any: lambda value: value,
}
