"""The cost basis of a portfolio in one currency, each trade at the reference rate of its day.

    python cost_basis.py trades.csv --in EUR

`trades.csv` has the columns date, security, quantity (negative for a sale), price and fees, both in the currency of the column
currency. Sales take their cost at the average cost of what is there. CROSSRATE_URL and CROSSRATE_API_KEY name the server and the key.
"""

import argparse
import csv
import os
from collections import defaultdict
from decimal import Decimal, getcontext

from crossrate import Crossrate

TRADES_A_CALL = 100
CENT = Decimal("0.01")


def main() -> None:
    parser = argparse.ArgumentParser(description="Print the cost basis and the realised gain of each security.")
    parser.add_argument("trades", help="a CSV file, the oldest trade first")
    parser.add_argument("--in", dest="base", default="EUR", help="currency of the cost basis (EUR)")
    options = parser.parse_args()
    with open(options.trades, newline="", encoding="utf-8-sig") as file:
        trades = list(csv.DictReader(file))

    # What a trade moved in its own currency: paid for a purchase, received (negative) for a sale, the fees in both.
    moved = [Decimal(one["quantity"]) * Decimal(one["price"]) + Decimal(one["fees"]) for one in trades]
    items = [(amount, one["currency"], options.base, one["date"]) for amount, one in zip(moved, trades, strict=True)]
    url = os.environ.get("CROSSRATE_URL", "http://localhost:3000")
    with Crossrate(url, key=os.environ.get("CROSSRATE_API_KEY")) as cr:
        pieces = [items[start : start + TRADES_A_CALL] for start in range(0, len(items), TRADES_A_CALL)]
        converted = [one for piece in pieces for one in cr.convert_dated(piece).conversions]

    quantities: dict[str, Decimal] = defaultdict(Decimal)
    costs: dict[str, Decimal] = defaultdict(Decimal)
    gains: dict[str, Decimal] = defaultdict(Decimal)
    getcontext().prec = 50
    for trade, one in zip(trades, converted, strict=True):
        security, quantity = trade["security"], Decimal(trade["quantity"])
        if quantity > 0:
            costs[security] += one.converted
        else:
            if -quantity > quantities[security]:
                raise SystemExit(f"{trade['date']}: {-quantity} {security} are sold, {quantities[security]} are there")
            sold = costs[security] * -quantity / quantities[security]
            costs[security] -= sold
            gains[security] += -one.converted - sold
        quantities[security] += quantity
        print(
            f"{trade['date']}  {security:6} {quantity:>6}  {one.amount:>10} {one.from_ccy}"
            f" = {one.converted.quantize(CENT):>10} {options.base}  at {one.rate} of {one.rate_date}, {one.source}"
        )
    print()
    for security, quantity in quantities.items():
        cost, gain = costs[security].quantize(CENT), gains[security].quantize(CENT)
        print(f"{security:6} {quantity:>6}  cost {cost:>10} {options.base}  realised {gain:>10} {options.base}")


if __name__ == "__main__":
    main()
