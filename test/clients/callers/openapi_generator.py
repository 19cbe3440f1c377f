"""openapi-generator's python. Prints what it was answered."""

import json
import sys
from datetime import date

import openapi_client
from openapi_client.exceptions import ApiException

client = openapi_client.ApiClient(openapi_client.Configuration(host=sys.argv[1]))
conversion = openapi_client.ConversionApi(client)

latest = openapi_client.RatesApi(client).get_latest(base="USD", symbols="EUR, GBP")
converted = conversion.convert_pair("USD", "EUR", amount="100.50", var_date=date(2026, 4, 10))
batch = conversion.convert_pairs(
    openapi_client.ConvertBatchRequest.from_dict({"from": "USD", "pairs": [["EUR", 100], ["GBP", "49.90"]]})
)
rows = openapi_client.SeriesApi(client).get_range(
    symbols="EUR,GBP", start_date=date(2026, 4, 1), end_date=date(2026, 4, 10)
).actual_instance
assert isinstance(rows, openapi_client.RangeResponse), rows


def refusal() -> str:
    try:
        conversion.convert_pair("USD", "XYZ")
    except ApiException as fault:
        return fault.data.code.value
    raise AssertionError("not refused")


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
            "first": first.var_date.isoformat(),
            "firstEur": first.rates["EUR"],
            "refused": refusal(),
        }
    )
)
