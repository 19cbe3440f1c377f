"""Reads bodies of OTLP/HTTP requests, one JSON text a line, by the published definitions; ends with what is wrong in the first that is not one.

The JSON of OTLP differs from that of Protocol Buffers in one point: identifiers are hexadecimal instead of base64.
"""

import base64
import json
import sys

from google.protobuf import json_format
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

for line in sys.stdin:
    body = json.loads(line)
    for resource in body["resourceSpans"]:
        for scope in resource["scopeSpans"]:
            for span in scope["spans"]:
                for name in ("traceId", "spanId", "parentSpanId"):
                    if name in span:
                        span[name] = base64.b64encode(bytes.fromhex(span[name])).decode()
    # An unknown field or a wrong type is an error.
    message = json_format.ParseDict(body, ExportTraceServiceRequest())
    for resource in message.resource_spans:
        for scope in resource.scope_spans:
            for span in scope.spans:
                described = {
                    "trace": span.trace_id.hex(),
                    "span": span.span_id.hex(),
                    "parent": span.parent_span_id.hex(),
                    "name": span.name,
                    "kind": type(span).SpanKind.Name(span.kind),
                    "status": span.status.code,
                    "nanoseconds": span.end_time_unix_nano - span.start_time_unix_nano,
                    "start": span.start_time_unix_nano,
                    "flags": span.flags,
                    "attributes": {
                        each.key: getattr(each.value, each.value.WhichOneof("value")) for each in span.attributes
                    },
                    "resource": {
                        each.key: each.value.string_value for each in resource.resource.attributes
                    },
                    "scope": scope.scope.name,
                }
                print(json.dumps(described))
