/** The history of a pair: chart, statistics of the visible period, table and files. The server renders the last year. */
/* @jsxImportSource preact */

import { dateOf, Figure, fractionDigits } from "#web/shared/figure.tsx";
import { percentText } from "#web/shared/percent.ts";
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
    <fieldset class="windows">
      <legend class="visually-hidden">Stretch of time</legend>
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

export function Summary({ series, span }: Pick<HistoryProps, "series" | "span">) {
  const found = summaryOf(series, span);
  if (found === null) return <p class="dim">No rate was published in this stretch.</p>;
  const { start, end, low, high, change } = found;
  const facts = [
    ["First", start],
    ["Last", end],
    ["Low", low],
    ["High", high],
  ] as const;
  return (
    <dl class="summary" aria-live="polite">
      {facts.map(([name, { day, rate }]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{rate}</dd>
          <dd class="dim">{dateOf(dateText(day))}</dd>
        </div>
      ))}
      <div>
        <dt>Change</dt>
        <dd>{percentText(change)}</dd>
        <dd class="dim">first to last</dd>
      </div>
    </dl>
  );
}

/** The newest rows of the stretch, and the whole stretch as files. */
export function HistoryTable({ base, quote, series, span, rows, on }: HistoryProps) {
  const found = summaryOf(series, span);
  if (found === null) return null;
  const { from, to } = found;
  const places = Array.from({ length: Math.min(rows, to - from + 1) }, (_, index) => to - index);
  const fraction = Math.max(...places.map((at) => fractionDigits(series.rates[at] as string)));
  const file = `/v1/range?base=${base}&symbols=${quote}&start_date=${dateText(span.first)}&end_date=${dateText(span.last)}`;
  return (
    <>
      <table class="history-table">
        <caption>
          Daily reference rates, {dateOf(dateText(span.first))} to {dateOf(dateText(span.last))}
        </caption>
        <thead>
          <tr>
            <th scope="col">Date</th>
            <th scope="col" class="number">
              1 {base} in {quote}
            </th>
            <th scope="col" class="number">
              Change
            </th>
          </tr>
        </thead>
        <tbody>
          {places.map((at) => (
            <tr key={series.days[at]}>
              <th scope="row">
                <a
                  href={`?date=${dateText(series.days[at] as number)}#provenance`}
                  data-explain={dateText(series.days[at] as number)}
                >
                  <time dateTime={dateText(series.days[at] as number)}>
                    {dateOf(dateText(series.days[at] as number))}
                  </time>
                </a>
                {series.corrected.has(series.days[at] as number) && <span class="corrected"> corrected</span>}
              </th>
              <td class="number">
                <Figure text={series.rates[at] as string} fraction={fraction} />
              </td>
              <td class="number dim">
                {at === 0
                  ? "–"
                  : percentText(
                      ((series.values[at] as number) / (series.values[at - 1] as number) - 1) * 100,
                    )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <p class="history-files">
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
        <a href={file}>JSON</a>
      </p>
    </>
  );
}
