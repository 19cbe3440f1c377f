/** The history of a pair: chart, statistics of the visible period, table and files. The server renders the last year. */
/* @jsxImportSource preact */

import { dateOf, Figure, fractionDigits, percentText, rounded } from "#web/shared/figure.tsx";
import { Facts } from "#web/shared/forms.tsx";
import { numbers, Table } from "#web/shared/table.tsx";
import type { Pointed } from "./chart.ts";
import { dateText, type Span, summaryOf, type Unpacked, WINDOWS, type Window } from "./pair-data.ts";

export interface HistoryProps {
  readonly base: string;
  readonly quote: string;
  readonly series: Unpacked;
  readonly span: Span;
  /** Null after a zoom. */
  readonly window: Window | null;
  readonly rows: number;
  readonly on?: HistoryActions;
}

export interface HistoryActions {
  setWindow(window: Window): void;
  showMore(): void;
}

export function WindowButtons({ window, on }: Pick<HistoryProps, "window" | "on">) {
  return (
    <fieldset class="tabs">
      <legend class="visually-hidden">Period</legend>
      {WINDOWS.map((name) => (
        <button
          key={name}
          type="button"
          aria-pressed={name === window ? "true" : "false"}
          disabled={on === undefined}
          onClick={() => on?.setWindow(name)}
        >
          {name}
        </button>
      ))}
    </fieldset>
  );
}

export interface LegendLine {
  readonly name: string;
  readonly series: Unpacked;
}

/** The legend of the chart: each line's change over the period, or its value under the pointer. */
export function Legend({
  lines,
  span,
  at,
}: {
  lines: readonly LegendLine[];
  span: Span;
  at: Pointed | null;
}) {
  const shownOf = ({ series }: LegendLine, line: number): string | null => {
    if (at === null) {
      const found = summaryOf(series, span);
      return found === null ? null : percentText(found.change);
    }
    if (lines.length === 1) return series.rates[series.days.indexOf(at.day)] ?? null;
    const value = at.values[line];
    return value == null ? null : percentText(value - 100);
  };
  return (
    <p class="row chart-legend small">
      {lines.map((line, index) => (
        <span key={line.name} class={index === 0 ? "" : "compared"}>
          {line.name} <strong>{shownOf(line, index) ?? "–"}</strong>
        </span>
      ))}
      {at !== null && <span class="dim">{momentText(at.day)}</span>}
    </p>
  );
}

/** "13 Apr 2026", and within a day "13 Apr 2026, 12:15". */
function momentText(day: number): string {
  const text = dateText(day);
  return text.length === 10 ? dateOf(text) : `${dateOf(text)}, ${text.slice(11)}`;
}

export function Summary({ series, span }: Pick<HistoryProps, "series" | "span">) {
  const found = summaryOf(series, span);
  if (found === null) return <p class="dim">No rates in this period.</p>;
  const { start, end, low, high, change } = found;
  const shown = ({ day, rate }: typeof start) => (
    <>
      <b title={rate}>{rounded(rate)}</b>
      <span class="dim">{momentText(day)}</span>
    </>
  );
  const changed = (
    <>
      <b>{percentText(change)}</b>
      <span class="dim">first to last</span>
    </>
  );
  return (
    <div class="summary" aria-live="polite">
      <Facts
        as="tiles"
        facts={{ First: shown(start), Last: shown(end), Low: shown(low), High: shown(high), Change: changed }}
      />
    </div>
  );
}

/** The newest rows of the period, and the whole period as files. */
export function HistoryTable({
  base,
  quote,
  series,
  span,
  interval = "1d",
  rows,
  on,
}: Omit<HistoryProps, "window"> & {
  /** `1d` for daily rates, else the width of a bar of intraday quotes. */
  readonly interval?: "1d" | "15m" | "1h" | undefined;
}) {
  const found = summaryOf(series, span);
  if (found === null) return null;
  const { from, to } = found;
  const places = Array.from({ length: Math.min(rows, to - from + 1) }, (_, index) => to - index);
  const texts = new Map(places.map((at) => [at, rounded(series.rates[at] as string)]));
  const fraction = Math.max(...[...texts.values()].map(fractionDigits));
  const [first, last] = [series.days[from] as number, series.days[to] as number].map((day) =>
    dateText(Math.floor(day)),
  );
  const file = `/site/series/${base}/${quote}/file?interval=${interval}&start_date=${first}&end_date=${last}`;
  return (
    <>
      <Table
        class="history-table"
        caption={
          <>
            {interval === "1d" ? "Daily reference rates" : `Bars of live quotes, ${interval}, last value`},{" "}
            {momentText(series.days[from] as number)} to {momentText(series.days[to] as number)}
          </>
        }
        columns={["Date", numbers(`1 ${base} in ${quote}`), { head: "Change", class: "number dim" }]}
        rows={places.map((at) => [
          <>
            <DayLink day={series.days[at] as number} />
            {series.corrected.has(series.days[at] as number) && (
              <span class="corrected small"> corrected</span>
            )}
          </>,
          <Figure text={texts.get(at) as string} fraction={fraction} />,
          at === 0
            ? "–"
            : percentText(((series.values[at] as number) / (series.values[at - 1] as number) - 1) * 100),
        ])}
      />
      <p class="row actions history-files">
        {on !== undefined && places.length < to - from + 1 && (
          <button type="button" class="button" onClick={on.showMore}>
            Show more of {(to - from + 1).toLocaleString("en")} days
          </button>
        )}
        <a href={`${file}&format=csv`} download>
          CSV
        </a>
        <a href={`${file}&format=parquet`} download>
          Parquet
        </a>
      </p>
    </>
  );
}

/** Opens the provenance of a day's rate; a bar has no provenance. */
function DayLink({ day }: { readonly day: number }) {
  const text = dateText(day);
  const time = <time dateTime={text}>{momentText(day)}</time>;
  if (text.length > 10) return time;
  return (
    <a href={`?date=${text}#provenance`} data-explain={text}>
      {time}
    </a>
  );
}
