"""Prices for a ledger file: `price` directives of Beancount, or `P` directives of hledger and Ledger.

    python prices.py USD GBP --in EUR --from 2024-03-01 --to 2024-03-05 >> prices.beancount
    python prices.py USD --format hledger >> prices.journal

CROSSRATE_URL and CROSSRATE_API_KEY name the server and the key. A directive is of a day on which its source published the rate:
no weekend is filled.
"""

import argparse
import os
from datetime import date, timedelta

from crossrate import Crossrate

LINES = {
    "beancount": "{date} price {code} {rate} {target}",
    "hledger": "P {date} {code} {rate} {target}",
}


def main() -> None:
    parser = argparse.ArgumentParser(description="Print prices of currencies for a ledger file.")
    parser.add_argument("codes", nargs="+", metavar="CODE", help="currencies to price")
    parser.add_argument("--in", dest="target", default="EUR", help="currency of the prices (EUR)")
    week_ago = date.today() - timedelta(days=7)
    parser.add_argument("--from", dest="start", type=date.fromisoformat, default=week_ago, help="first day")
    parser.add_argument("--to", dest="end", type=date.fromisoformat, default=date.today(), help="last day")
    parser.add_argument("--format", choices=LINES, default="beancount")
    options = parser.parse_args()

    url = os.environ.get("CROSSRATE_URL", "http://localhost:3000")
    with Crossrate(url, key=os.environ.get("CROSSRATE_API_KEY")) as cr:
        for code in options.codes:
            source = None
            for row in cr.range(code, options.target, options.start, options.end):
                if row.source != source:
                    print(f"; {code} in {options.target}, {row.source}")
                    source = row.source
                rate = row.rates[options.target]
                print(LINES[options.format].format(date=row.date, code=code, rate=rate, target=options.target))


if __name__ == "__main__":
    main()
