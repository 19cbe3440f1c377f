/** The page of a pair in the browser: chart with zoom and comparison, table, converter, the live rate. */
/* @jsxImportSource preact */

import { render } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { renewProvenance, showProvenance, watchProvenance } from "#web/provenance/load.ts";
import { Away } from "#web/shared/away.tsx";
import { Snippets } from "#web/shared/snippets.tsx";
import { openChart, type PairChart } from "./chart.ts";
import { Converter } from "./converter.tsx";
import { followPair } from "./follow.ts";
import { HistoryTable, Summary, WindowButtons } from "./history.tsx";
import { PairOrigin } from "./origin.tsx";
import {
  type PairNow,
  type PairSeries,
  pairTitle,
  type Span,
  type Unpacked,
  unpacked,
  type Window,
  windowStart,
  zoomedBy,
} from "./pair-data.ts";
import { pairSnippets } from "./snippets.ts";

const ROWS = 15;

async function seriesOf(base: string, quote: string, cache: RequestCache = "default"): Promise<Unpacked> {
  const answer = await fetch(`/site/series/${base}/${quote}`, { cache });
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
  const [zoom, setZoom] = useState<Span | null>(null);
  // A series that is longer by now moves the stretch, but not a zoom.
  const span = useMemo(() => zoom ?? stretch(window ?? "1Y"), [zoom, window, series]);
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
      setZoom(zoomed);
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
      setZoom(null);
      setRows(ROWS);
    },
    showMore: () => setRows((shown) => shown + 250),
  };
  const zoomByKey = (event: KeyboardEvent) => {
    const zoomed = event.ctrlKey || event.metaKey ? null : zoomedBy(event.key, span, whole);
    if (zoomed === null) return;
    event.preventDefault();
    setWindow(null);
    setZoom(zoomed);
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
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it is zoomed by keyboard, too
        tabIndex={0}
        aria-label={`Chart of ${base}/${quote}; its figures are in the table below`}
        aria-describedby="chart-hint"
        onKeyDown={zoomByKey}
      />
      <p class="dim chart-hint" id="chart-hint">
        {fault ||
          `${window === null ? "Choose a stretch to leave the zoom." : "Drag over the chart to zoom."} By keyboard: + and −, and the arrows to move.`}
      </p>
      <Summary series={series} span={span} />
      <HistoryTable {...{ base, quote, series, span, window, rows, on }} />
    </>
  );
}

interface Start {
  readonly now: PairNow;
  readonly codes: readonly string[];
}

const at = (id: string) => document.getElementById(id);

/** Everything on the page that the rate is in, its title too. */
function show(pair: PairNow): void {
  const [rate, origin, converter] = [at("pair-rate"), at("pair-origin"), at("converter")];
  if (rate !== null) rate.textContent = pair.rate;
  if (origin !== null) render(<PairOrigin {...pair} />, origin);
  if (converter !== null) render(<Converter {...pair} />, converter);
  document.title = pairTitle(pair);
}

function watchClicks({ base, quote }: PairNow): void {
  document.addEventListener("click", (event) => {
    const link = event.target instanceof Element ? event.target.closest("[data-explain]") : null;
    const date = link?.getAttribute("data-explain") ?? null;
    if (link === null || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    void showProvenance({ from: base, to: quote, date: date === "" ? null : date });
  });
}

/** Without it the page has what the server rendered: the last year. */
async function showHistory({ now: { base, quote }, codes }: Start, cache?: RequestCache): Promise<void> {
  const history = at("history");
  if (history === null || history.querySelector(".chart") === null) return;
  const series = await seriesOf(base, quote, cache).catch(() => null);
  if (series === null) return;
  if (history.querySelector(".still-chart") !== null) history.replaceChildren();
  render(<History {...{ base, quote, codes, series }} />, history);
}

function start(): void {
  const given = JSON.parse(at("pair-data")?.textContent ?? "null") as Start;
  const { base, quote } = given.now;
  const snippets = at("snippets");
  if (snippets !== null)
    render(<Snippets snippets={pairSnippets(location.origin, base, quote)} isLive />, snippets);
  show(given.now);
  watchClicks(given.now);
  const first = { from: base, to: quote, date: new URLSearchParams(location.search).get("date") };
  watchProvenance(() => first);
  followPair(given.now, {
    show: (pair) => {
      show(pair);
      renewProvenance(first);
    },
    markOld: (reason, since) => {
      const place = at("away");
      if (place !== null) render(<Away reason={reason} since={since} />, place);
      at("pair-head")?.classList.toggle("is-old", since !== null);
    },
    // A copy that was stored while the figures were old may not be used.
    renewed: () => void showHistory(given, "no-cache"),
  });
  void showHistory(given);
}

start();
