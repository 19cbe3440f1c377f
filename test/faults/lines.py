"""A row of each table as a line of text, in DuckDB's SQL; quoteLine and the lines of daily-work.ts are the same."""

FIGURE = "source, date, base, quote, printed"
LINES = {
    "daily": f"concat_ws(' ', {FIGURE}, revision, epoch_ms(retrieved_at))",
    "revisions": f"concat_ws(' ', {FIGURE}, revision, epoch_ms(retrieved_at), epoch_ms(superseded_at), why)",
    "held": f"concat_ws(' ', {FIGURE}, rule)",
    "intraday": "concat_ws(' ', feed, base, quote, epoch_ms(observed_at), epoch_ms(retrieved_at), round(mid * 1e6)::BIGINT)",
}
