"""Prints each event that httpx-sse gives of a stream, as a line of JSON, until as many have come as the third argument says."""

import json
import sys

import httpx
from httpx_sse import connect_sse

url, last_event_id, wanted = sys.argv[1], sys.argv[2], int(sys.argv[3])
headers = {"Last-Event-ID": last_event_id} if last_event_id else {}
print("begun", flush=True)
with httpx.Client(timeout=30) as client, connect_sse(client, "GET", url, headers=headers) as source:
    for number, event in enumerate(source.iter_sse(), 1):
        print(json.dumps({"event": event.event, "id": event.id, "data": event.data, "retry": event.retry}), flush=True)
        if number == wanted:
            break
