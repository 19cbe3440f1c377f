/** The history of a pair: chart, statistics of the visible period, table and files. The server renders the last year. */
/* @jsxImportSource preact */

import { formatInstant, MILLISECONDS_PER_DAY } from "#domain/time/day.ts";
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
      const summary = summaryOf(series, span);
      return summary === null ? null : percentText(summary.change);
    }
    if (lines.length === 1)
      return series.rates[series.days.findIndex((day) => Math.abs(day - at.day) < SECOND)] ?? null;
    const value = at.values[line];
    return value == null ? null : percentText(value - 100);
  };
  return (
    <p class="row chart-legend small">
      {lines.map((line, index) => (
        <span key={line.name} class={index === 0 ? "" : "compared"}>
          {line.name} <strong>{shownOf(line, index) ?? "–"}</strong>
          {at === null && lines.length > 1 && <Since series={line.series} span={span} />}
        </span>
      ))}
      {at !== null && lines[0] !== undefined && (
        <span class="dim">
          <Moment {...lines[0].series} day={at.day} />
          <Simulated {...lines[0].series} day={at.day} />
        </span>
      )}
    </p>
  );
}

function Simulated({ simulated, day }: Pick<Unpacked, "simulated"> & { readonly day: number }) {
  return simulated.has(day) ? <span class="dim"> simulated</span> : null;
}

/** Two series may begin on different days. */
function Since({ series, span }: Pick<HistoryProps, "series" | "span">) {
  const summary = summaryOf(series, span);
  if (summary === null) return null;
  return (
    <span class="dim">
      {" "}
      since <Moment {...series} day={summary.start.day} />
    </span>
  );
}

/** In days: the instants of bars are sums of fractions. */
const SECOND = 1 / 86_400;

/** "13 Apr 2026"; for a bar its first minute, "13 Apr 2026, 12:15 UTC". */
function Moment({ width, day }: Pick<Unpacked, "width"> & { readonly day: number }) {
  if (width === null) return <time dateTime={dateText(day)}>{dateOf(dateText(day))}</time>;
  const text = formatInstant(Math.round(day * MILLISECONDS_PER_DAY));
  return (
    <time dateTime={text}>
      {dateOf(text)}, {text.slice(11, 16)} UTC
    </time>
  );
}

export function Summary({ series, span }: Pick<HistoryProps, "series" | "span">) {
  const summary = summaryOf(series, span);
  if (summary === null) return <p class="dim">No rates in this period.</p>;
  const { start, end, low, high, change } = summary;
  const shown = ({ day, rate }: typeof start) => (
    <>
      <b title={rate}>{rounded(rate)}</b>
      <span class="dim">
        <Moment {...series} day={day} />
        <Simulated {...series} day={day} />
      </span>
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

/** Where numbers have a decimal comma, spreadsheets misread CSV: a workbook is right in every language. */
const FILES = { csv: "CSV", xlsx: "Excel", parquet: "Parquet" } as const;

/** The newest rows of the period, and the whole period as files. */
export function HistoryTable({ base, quote, series, span, rows, on }: Omit<HistoryProps, "window">) {
  const { width } = series;
  const summary = summaryOf(series, span);
  if (summary === null) return null;
  const { from, to } = summary;
  const places = Array.from({ length: Math.min(rows, to - from + 1) }, (_, index) => to - index);
  const texts = new Map(places.map((at) => [at, rounded(series.rates[at] as string)]));
  const fraction = Math.max(...[...texts.values()].map(fractionDigits));
  const [first, last] = [series.days[from] as number, series.days[to] as number].map(dateText);
  const file = `/site/series/${base}/${quote}/file?interval=${width ?? "1d"}&start_date=${first}&end_date=${last}`;
  return (
    <>
      <Table
        class="history-table"
        caption={
          <>
            {width === null ? "Daily reference rates" : `Bars of live quotes, ${width}, last value`},{" "}
            <Moment {...series} day={series.days[from] as number} /> to{" "}
            <Moment {...series} day={series.days[to] as number} />
          </>
        }
        columns={[
          width === null ? "Date" : "Bar from",
          numbers(`1 ${base} in ${quote}`),
          { head: "Change", class: "number dim" },
        ]}
        rows={places.map((at) => [
          <>
            <DayLink {...series} day={series.days[at] as number} />
            {series.corrected.has(series.days[at] as number) && (
              <span class="corrected small"> corrected</span>
            )}
            <Simulated {...series} day={series.days[at] as number} />
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
            Show more of {(to - from + 1).toLocaleString("en")} {width === null ? "days" : "bars"}
          </button>
        )}
        {Object.entries(FILES).map(([format, name]) => (
          <a href={`${file}&format=${format}`} download>
            {name}
          </a>
        ))}
      </p>
    </>
  );
}

/** Opens the provenance of a day's rate; a bar has no provenance. */
function DayLink({ width, day }: Pick<Unpacked, "width"> & { readonly day: number }) {
  const text = dateText(day);
  const time = <Moment width={width} day={day} />;
  if (width !== null) return time;
  return (
    <a href={`?date=${text}#provenance`} data-explain={text}>
      {time}
    </a>
  );
}
