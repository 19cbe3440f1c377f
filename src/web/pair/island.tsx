/** The page of a pair in the browser: chart with zoom and comparison, table, converter, the live rate. */
/* @jsxImportSource preact */

import { render } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import {
  renewable,
  renewDay,
  renewProvenance,
  showProvenance,
  watchProvenance,
} from "#web/provenance/load.ts";
import { Away } from "#web/shared/away.tsx";
import { dataOf, follow, loadPage } from "#web/shared/follow.ts";
import { Options } from "#web/shared/forms.tsx";
import { openChart, type PairChart, type Pointed } from "./chart.ts";
import { type HistoryProps, HistoryTable, Legend, Summary, WindowButtons } from "./history.tsx";
import { Converter, PairOrigin } from "./now.tsx";
import {
  BARS,
  type PairNow,
  type PairSeries,
  pairTitle,
  queryWith,
  type Span,
  shownRate,
  type Unpacked,
  unpacked,
  type View,
  viewOf,
  type Window,
  windowStart,
  zoomedBy,
} from "./pair-data.ts";

const ROWS = 15;

/** Daily rates, or the bars of a window; or a sentence that says why there are none. Asks the server each time. */
async function seriesOf(base: string, quote: string, window: Window | null = null) {
  const bars = window !== null && BARS[window] !== undefined;
  const address = `/site/series/${base}/${quote}${bars ? `?range=${window}` : ""}`;
  // The browser's copy may be from before the newest quote or publication.
  const answer = await fetch(address, { cache: "no-cache" }).catch(() => null);
  const packed: PairSeries | null = answer?.ok === true ? await answer.json().catch(() => null) : null;
  if (packed === null) return `The history of ${base}/${quote} could not be loaded`;
  if (bars && packed.days.length === 0) return `No live quotes of ${base}/${quote} in this time`;
  return unpacked(packed);
}

interface ChartedProps extends Pick<HistoryProps, "base" | "quote" | "series"> {
  readonly codes: readonly string[];
  /** The instant of the rate in the head of the page: bars are loaded up to it. */
  readonly effectiveAt: string;
}

function History({ base, quote, codes, series: daily, effectiveAt }: ChartedProps) {
  const [view, setView] = useState<View>(() => viewOf(new URLSearchParams(location.search)));
  const { window, zoom, compared, isLogarithmic } = view;
  const interval = window === null ? undefined : BARS[window];
  const [bars, setBars] = useState<Unpacked | null>(null);
  const [other, setOther] = useState<Unpacked | null>(null);
  const [rows, setRows] = useState(ROWS);
  const [fault, setFault] = useState("");
  const [pointed, setPointed] = useState<Pointed | null>(null);
  const place = useRef<HTMLDivElement>(null);
  const chart = useRef<PairChart | null>(null);

  const series = interval === undefined ? daily : (bars ?? daily);
  const whole = { first: series.days[0] as number, last: series.days.at(-1) as number };
  // A series that has grown moves the window, but not a zoom.
  const span = useMemo((): Span => {
    if (zoom !== null) return zoom;
    return { first: windowStart(window ?? "1Y", whole.first, whole.last), last: whole.last };
  }, [zoom, window, series]);
  const change = (changed: Partial<View>) => {
    const next = { ...view, ...changed };
    setView(next);
    const query = queryWith(new URLSearchParams(location.search), next).toString();
    history.replaceState(null, "", `${location.pathname}${query && `?${query}`}${location.hash}`);
  };
  const zoomTo = (stretch: Span) => change({ window: interval === undefined ? null : window, zoom: stretch });
  const latest = useRef(zoomTo);
  latest.current = zoomTo;

  useEffect(() => {
    if (place.current === null) return;
    chart.current = openChart(place.current, {
      zoomed: (stretch) => latest.current(stretch),
      pointed: setPointed,
    });
    return () => chart.current?.destroy();
  }, []);

  useEffect(() => {
    setBars(null);
    setOther(null);
  }, [compared, interval, base, quote]);

  // Loads what the view needs beside the daily series: bars, and the second pair. Again whenever what they stand beside is newer.
  useEffect(() => {
    setFault("");
    let isCurrent = true;
    type Set = (series: Unpacked | null) => void;
    /** Resolves with whether it is shown; `instead` says what is shown otherwise. */
    const show = async (loading: ReturnType<typeof seriesOf>, set: Set, instead: string) => {
      const loaded = await loading;
      const isShown = typeof loaded !== "string";
      if (!isCurrent) return false;
      set(isShown ? loaded : null);
      if (!isShown) setFault(loaded + instead);
      return isShown;
    };
    const load = async () => {
      const hasBars =
        interval !== undefined &&
        (await show(seriesOf(base, quote, window), setBars, ": the daily rates are shown"));
      // Bars are compared with bars, and daily rates with daily rates.
      const own = hasBars ? window : null;
      if (compared !== "") await show(seriesOf(base, compared, own), setOther, ": it is not compared");
    };
    void load();
    return () => {
      isCurrent = false;
    };
  }, [compared, interval, base, quote, interval === undefined ? daily : effectiveAt]);

  useEffect(() => {
    chart.current?.show({ series, other, span, isLogarithmic });
  }, [series, other, span, isLogarithmic]);

  const on = {
    setWindow: (name: Window) => {
      change({ window: name, zoom: null });
      setRows(ROWS);
    },
    showMore: () => setRows((shown) => shown + 250),
  };
  const zoomByKey = (event: KeyboardEvent) => {
    const zoomed = event.ctrlKey || event.metaKey ? null : zoomedBy(event.key, span, whole);
    if (zoomed === null) return;
    event.preventDefault();
    zoomTo(zoomed);
  };
  const lines = [
    { name: `${base}/${quote}`, series },
    ...(other === null ? [] : [{ name: `${base}/${compared}`, series: other }]),
  ];
  return (
    <>
      <div class="row chart-controls small">
        <WindowButtons window={window} on={on} />
        <label class="row">
          <input
            type="checkbox"
            checked={isLogarithmic}
            onChange={(event) => change({ isLogarithmic: event.currentTarget.checked })}
          />{" "}
          Log
        </label>
        <label>
          <span class="dim">Compare</span>{" "}
          <select value={compared} onChange={(event) => change({ compared: event.currentTarget.value })}>
            <option value="">–</option>
            <Options
              values={codes.filter((code) => code !== base && code !== quote)}
              chosen={compared}
              textOf={(code) => `${base}/${code}`}
            />
          </select>
        </label>
      </div>
      <Legend lines={lines} span={span} at={pointed} />
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
      <p class="hint tiny" id="chart-hint">
        {fault ||
          `${other === null ? "" : "Both lines are in percent of their first rate in this time. "}${zoom === null ? "Drag over the chart to zoom." : "Choose a range to leave the zoom."} By keyboard: + and −, and the arrows to move.`}
      </p>
      <Summary series={series} span={span} />
      <HistoryTable {...{ base, quote, series, span, rows, on }} />
    </>
  );
}

interface Start {
  readonly now: PairNow;
  readonly codes: readonly string[];
  /** Of the history; null without one. */
  readonly version: string | null;
}

const at = (id: string) => document.getElementById(id);

function show(pair: PairNow): void {
  const [rate, origin, converter] = [at("pair-rate"), at("pair-origin"), at("converter")];
  if (rate !== null) rate.textContent = shownRate(pair, pair.rate);
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

/** Another currency in a list opens the page of that pair; the swap opens the other direction. Both keep the range. */
function watchPicker(): void {
  const swap = at("pair-picker")?.querySelector("a");
  swap?.addEventListener("click", () => {
    swap.search = viewQuery();
  });
  const [from, to] = [at("pair-from"), at("pair-to")] as (HTMLSelectElement | null)[];
  at("pair-picker")?.addEventListener("change", () => {
    if (from == null || to == null || from.value === to.value) return;
    location.assign(`/${from.value.toLowerCase()}-${to.value.toLowerCase()}${viewQuery()}`);
  });
}

/** Going back may show a page that the browser kept, with lists and day as the visitor left them: they must match its rate. */
function watchWayBack(): void {
  addEventListener("pageshow", (event) => {
    if (!(event instanceof PageTransitionEvent && event.persisted)) return;
    for (const form of document.querySelectorAll<HTMLFormElement>(".pair-picker")) form.reset();
  });
}

/** The query without the day, with its question mark; empty without one. */
function viewQuery(): string {
  const query = new URLSearchParams(location.search);
  query.delete("date");
  return query.size > 0 ? `?${query}` : "";
}

let shownSeries: Unpacked | null = null;

/** Draws the history, loaded again where it has changed. If it cannot be loaded, the old one stays until the next call. */
async function showHistory({ now: { base, quote, effectiveAt }, codes, version }: Start): Promise<void> {
  const history = at("history");
  if (history === null || history.querySelector(".chart") === null) return;
  if (shownSeries === null || shownSeries.version !== version) {
    const series = await seriesOf(base, quote);
    if (typeof series === "string") return;
    if (shownSeries === null) history.replaceChildren();
    else void renewDay();
    shownSeries = series;
  }
  render(<History {...{ base, quote, codes, effectiveAt }} series={shownSeries} />, history);
}

function start(): void {
  const data = dataOf<Start>(document, "pair-data");
  if (data === null) return;
  const { base, quote } = data.now;
  show(data.now);
  watchClicks(data.now);
  watchPicker();
  watchWayBack();
  watchProvenance({ from: base, to: quote, date: new URLSearchParams(location.search).get("date") });
  follow(`/site/stream?base=${base}&symbols=${quote}`, {
    load: async () => {
      const explained = renewable();
      const page = await loadPage(`/${base}-${quote}`.toLowerCase());
      if (typeof page === "string") return page;
      const next = dataOf<Start>(page, "pair-data");
      if (next === null) return "The rate could not be loaded";
      // Both change at once and from one page: the number and its provenance are always of the same rate.
      return () => {
        // The page was opened before the history was collected, in the first seconds of a server.
        if (page.querySelector(".chart") !== null && document.querySelector(".chart") === null)
          return location.reload();
        show(next.now);
        void showHistory(next);
        if (explained !== null) renewProvenance(explained, page);
      };
    },
    markOld: (reason, age) => {
      const place = at("away");
      if (place !== null) render(<Away reason={reason} age={age} />, place);
      at("pair-head")?.classList.toggle("is-old", age !== null);
    },
  });
  void showHistory(data);
}

start();
