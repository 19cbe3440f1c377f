"""Calls of the client that a strict type checker refuses."""

from crossrate import AsyncCrossrate, Crossrate, webhooks

cr = Crossrate("http://localhost:3000")
cr.latest(bases="EUR")  # error: call-arg
cr.latest("EUR", dp="4")  # error: arg-type
cr.latest(42)  # error: arg-type
cr.historical()  # error: call-arg
cr.historical("2025-01-03", as_of_basis="known")  # error: arg-type
cr.convert([], "USD", "EUR")  # error: arg-type
cr.convert_batch("EUR", [("USD", None)])  # error: list-item
cr.range("EUR", interval="2h")  # error: arg-type
cr.range("EUR").to_polars(exactly=True)  # error: call-arg
cr.range("EUR").sync_polars("frame.parquet")  # error: arg-type
print(cr.latest().rate)  # error: attr-defined
cr.lake("lake", ["hourly"])  # error: list-item
webhooks.verify("text", "t=1,v1=0", "whsec_a")  # error: arg-type


async def same() -> None:
    ac = AsyncCrossrate("http://localhost:3000")
    await ac.latest(bases="EUR")  # error: call-arg
    print(ac.latest("EUR").rates)  # error: attr-defined
