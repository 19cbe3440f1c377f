"""openapi-python-client. Prints what it was answered."""

import json
import sys
from datetime import date

from generated.api.conversion import convert_pair, convert_pairs
from generated.api.rates import get_latest
from generated.api.series import get_range
from generated.client import Client
from generated.models import (
    ConvertBatchRequest,
    ConvertBatchResponse,
    ConvertResponse,
    ErrorEnvelope,
    LatestResponse,
    RangeResponse,
)

client = Client(base_url=sys.argv[1])

latest = get_latest.sync(client=client, base="USD", symbols="EUR, GBP")
assert isinstance(latest, LatestResponse), latest
converted = convert_pair.sync("USD", "EUR", client=client, amount="100.50", date=date(2026, 4, 10))
assert isinstance(converted, ConvertResponse), converted
batch = convert_pairs.sync(
    client=client, body=ConvertBatchRequest(from_="USD", pairs=[["EUR", 100], ["GBP", "49.90"]])
)
assert isinstance(batch, ConvertBatchResponse), batch
rows = get_range.sync(
    client=client, symbols="EUR,GBP", start_date=date(2026, 4, 1), end_date=date(2026, 4, 10)
)
assert isinstance(rows, RangeResponse), rows
refused = convert_pair.sync("USD", "XYZ", client=client)
assert isinstance(refused, ErrorEnvelope), refused

first = rows.data[0]
print(
    json.dumps(
        {
            "base": latest.base.value,
            "eur": latest.rates["EUR"],
            "updated": latest.data_updated_at.date().isoformat(),
            "converted": converted.converted,
            "batch": [item.converted for item in batch.conversions],
            "rows": len(rows.data),
            "first": first.date.isoformat(),
            "firstEur": first.rates["EUR"],
            "refused": refused.code.value,
        }
    )
)
