/** The chart of one or two series: uPlot with the design's colours, zoom by dragging, corrections as marks. */

import uPlot from "uplot";
import { chartColumns, type Shown, type Span } from "./pair-data.ts";

export type PairChart = ReturnType<typeof openChart>;

const DAY_SECONDS = 86_400;
const HEIGHT = 340;

/** By the distance between labels in seconds: the text of a label, and its second line where a year or a day begins. */
const LABELS = [
  [365 * DAY_SECONDS, "{YYYY}", null, null, null, null, null, null, 1],
  [28 * DAY_SECONDS, "{MMM}", "\n{YYYY}", null, null, null, null, null, 1],
  [DAY_SECONDS, "{D} {MMM}", "\n{YYYY}", null, null, null, null, null, 1],
];
/** Within a day: the hours of bars; a daily rate has none. */
const HOURS = [60, "{HH}:{mm}", "\n{D} {MMM} {YYYY}", null, "\n{D} {MMM}", null, null, null, 1];
const NO_HOURS = [60, "", "{D} {MMM}\n{YYYY}", null, "{D} {MMM}", null, null, null, 0];

/** The values under the pointer; in a comparison, in percent of each pair's first value. */
export interface Pointed {
  readonly day: number;
  readonly values: readonly (number | null | undefined)[];
}

export interface ChartEvents {
  readonly zoomed: (span: Span) => void;
  readonly pointed: (at: Pointed | null) => void;
}

export function openChart(place: HTMLElement, events: ChartEvents) {
  let chart: uPlot | null = null;
  let last: Shown | null = null;
  const draw = () => {
    if (last === null) return;
    chart?.destroy();
    chart = new uPlot(optionsOf(last, place, events), chartColumns(last), place);
  };
  const watch = new ResizeObserver(() => chart?.setSize({ width: place.clientWidth, height: HEIGHT }));
  watch.observe(place);
  // Paper has the light colours.
  const schemes = ["(prefers-color-scheme: dark)", "print"].map((scheme) => matchMedia(scheme));
  for (const scheme of schemes) scheme.addEventListener("change", draw);
  const theme = new MutationObserver(draw);
  theme.observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme"] });
  return {
    show: (shown: Shown) => {
      last = shown;
      draw();
    },
    destroy: () => {
      watch.disconnect();
      theme.disconnect();
      for (const scheme of schemes) scheme.removeEventListener("change", draw);
      chart?.destroy();
    },
  };
}

function optionsOf(
  { series, other, isLogarithmic }: Shown,
  place: HTMLElement,
  { zoomed, pointed }: ChartEvents,
): uPlot.Options {
  const style = getComputedStyle(document.documentElement);
  const colour = (token: string) => style.getPropertyValue(`--${token}`).trim();
  const font = `12px ${style.getPropertyValue("--sans")}`;
  const axis = {
    stroke: colour("dim"),
    font,
    ticks: { show: false },
    grid: { stroke: colour("line"), width: 1 },
  };
  // One value alone is no line.
  const points: uPlot.Series.Points = { show: ({ data }) => data[0].length === 1, size: 6 };
  const lines: uPlot.Series[] =
    other === null
      ? [
          { stroke: colour("ink"), width: 1.5, points },
          {
            stroke: colour("accent"),
            fill: colour("accent"),
            paths: () => null,
            points: { show: true, size: 6 },
          },
        ]
      : [
          { stroke: colour("ink"), width: 1.5, points },
          { stroke: colour("accent"), width: 1.5, points },
        ];
  return {
    width: place.clientWidth,
    height: HEIGHT,
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), "UTC"),
    scales: {
      // Around a single instant the library would show years.
      x: {
        range: ({ data }, min, max) =>
          data[0].length === 1 ? [min - DAY_SECONDS / 2, min + DAY_SECONDS / 2] : [min, max],
      },
      y: { distr: isLogarithmic ? 3 : 1 },
    },
    axes: [
      { ...axis, grid: { show: false }, values: [...LABELS, series.width === null ? NO_HOURS : HOURS] },
      {
        ...axis,
        // A rate of rupiah has ten characters: none of them may be cut off.
        size: (_, labels) => Math.max(64, ...(labels ?? []).map((label) => 12 + 7.2 * label.length)),
        values: (_, splits) => splits.map((value) => (value === null ? "" : String(value))),
      },
    ],
    series: [{}, ...lines],
    legend: { show: false },
    cursor: { drag: { x: true, y: false, setScale: false } },
    hooks: {
      setCursor: [
        ({ cursor, data }) => {
          const at = cursor.idx ?? null;
          const seconds = at === null ? undefined : data[0][at];
          if (at === null || seconds === undefined) pointed(null);
          else pointed({ day: seconds / DAY_SECONDS, values: data.slice(1).map((column) => column[at]) });
        },
      ],
      setSelect: [
        (chart) => {
          const { left, width } = chart.select;
          if (width < 4) return;
          const day = (at: number) => chart.posToVal(at, "x") / DAY_SECONDS;
          zoomed({ first: day(left), last: day(left + width) });
        },
      ],
    },
  };
}
