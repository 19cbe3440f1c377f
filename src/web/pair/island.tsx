/** The page of a pair in the browser: chart with zoom and comparison, table, converter, the live rate. */
/* @jsxImportSource preact */

import { render } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { showProvenance } from "#web/provenance/load.ts";
import { SourceMark } from "#web/shared/figure.tsx";
import { Snippets } from "#web/shared/snippets.tsx";
import { openChart, type PairChart } from "./chart.ts";
import { Converter } from "./converter.tsx";
import { HistoryTable, Summary, WindowButtons } from "./history.tsx";
import {
  type PairNow,
  type PairSeries,
  type Span,
  type Unpacked,
  unpacked,
  type Window,
  windowStart,
} from "./pair-data.ts";
import { pairSnippets } from "./snippets.ts";

const ROWS = 15;

async function seriesOf(base: string, quote: string): Promise<Unpacked> {
  const answer = await fetch(`/site/series/${base}/${quote}`);
  if (!answer.ok) throw new Error(`the history of ${base}/${quote} could not be loaded`);
  return unpacked((await answer.json()) as PairSeries);
}

interface HistoryProps {
  readonly base: string;
  readonly quote: string;
  readonly codes: readonly string[];
  readonly series: Unpacked;
}

function History({ base, quote, codes, series }: HistoryProps) {
  const whole = { first: series.days[0] as number, last: series.days.at(-1) as number };
  const stretch = (window: Window): Span => ({
    first: windowStart(window, whole.first, whole.last),
    last: whole.last,
  });
  const [window, setWindow] = useState<Window | null>("1Y");
  const [span, setSpan] = useState<Span>(stretch("1Y"));
  const [isLogarithmic, setLogarithmic] = useState(false);
  const [compared, compare] = useState("");
  const [other, setOther] = useState<Unpacked | null>(null);
  const [rows, setRows] = useState(ROWS);
  const [fault, setFault] = useState("");
  const place = useRef<HTMLDivElement>(null);
  const chart = useRef<PairChart | null>(null);

  useEffect(() => {
    if (place.current === null) return;
    chart.current = openChart(place.current, (zoomed) => {
      setWindow(null);
      setSpan(zoomed);
    });
    return () => chart.current?.destroy();
  }, []);

  useEffect(() => {
    setFault("");
    setOther(null);
    if (compared === "") return;
    let isCurrent = true;
    seriesOf(base, compared).then(
      (loaded) => isCurrent && setOther(loaded),
      (thrown: unknown) => isCurrent && setFault(thrown instanceof Error ? thrown.message : String(thrown)),
    );
    return () => {
      isCurrent = false;
    };
  }, [compared, base]);

  useEffect(() => {
    const second = other === null ? null : { name: `${base}/${compared}`, series: other };
    chart.current?.show({ name: `${base}/${quote}`, series, other: second, span, isLogarithmic });
  }, [series, other, span, isLogarithmic, base, quote, compared]);

  const on = {
    setWindow: (name: Window) => {
      setWindow(name);
      setSpan(stretch(name));
      setRows(ROWS);
    },
    showMore: () => setRows((shown) => shown + 250),
  };
  return (
    <>
      <div class="chart-controls">
        <WindowButtons window={window} on={on} />
        <label class="check">
          <input
            type="checkbox"
            checked={isLogarithmic}
            onChange={(event) => setLogarithmic(event.currentTarget.checked)}
          />{" "}
          Log
        </label>
        <label>
          <span class="dim">Compare</span>{" "}
          <select value={compared} onChange={(event) => compare(event.currentTarget.value)}>
            <option value="">–</option>
            {codes
              .filter((code) => code !== base && code !== quote)
              .map((code) => (
                <option key={code} value={code}>
                  {base}/{code}
                </option>
              ))}
          </select>
        </label>
      </div>
      <div
        class="chart"
        ref={place}
        role="img"
        aria-label={`Chart of ${base}/${quote}; its figures are in the table below`}
      />
      <p class="dim chart-hint">
        {fault || (window === null ? "Choose a stretch to leave the zoom." : "Drag over the chart to zoom.")}
      </p>
      <Summary series={series} span={span} />
      <HistoryTable {...{ base, quote, series, span, window, rows, on }} />
    </>
  );
}

async function start() {
  const { now, codes } = JSON.parse(document.getElementById("pair-data")?.textContent ?? "null") as {
    readonly now: PairNow;
    readonly codes: readonly string[];
  };
  const { base, quote } = now;
  const at = (id: string) => document.getElementById(id);
  const snippets = at("snippets");
  if (snippets !== null)
    render(<Snippets snippets={pairSnippets(location.origin, base, quote)} isLive />, snippets);
  const show = (pair: PairNow) => {
    const [rate, inverse, source, converter] = [
      at("pair-rate"),
      at("pair-inverse"),
      at("pair-source"),
      at("converter"),
    ];
    if (rate !== null) rate.textContent = pair.rate;
    if (inverse !== null) inverse.textContent = pair.inverse;
    if (source !== null) render(<SourceMark {...pair} />, source);
    if (converter !== null) render(<Converter {...pair} />, converter);
  };
  show(now);
  document.addEventListener("click", (event) => {
    const link = event.target instanceof Element ? event.target.closest("[data-explain]") : null;
    const date = link?.getAttribute("data-explain") ?? null;
    if (link === null || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    void showProvenance({ from: base, to: quote, date: date === "" ? null : date }).then(() =>
      at("provenance")?.scrollIntoView({ block: "nearest" }),
    );
  });
  // A stream says that the pair has moved; the pair itself comes from the server, inverse included.
  const stream = new EventSource(`/site/stream?base=${base}&symbols=${quote}`);
  stream.addEventListener("rates", async () => {
    const answer = await fetch(`/site/pair/${base}/${quote}`);
    if (answer.ok) show((await answer.json()) as PairNow);
  });
  const history = at("history");
  if (history === null || history.querySelector(".chart") === null) return;
  const series = await seriesOf(base, quote);
  history.replaceChildren();
  render(<History {...{ base, quote, codes, series }} />, history);
}

void start();
