/** The chart of one or two series: uPlot with the design's colours, zoom by dragging, corrections as marks. */

import uPlot from "uplot";
import type { Span, Unpacked } from "./pair-data.ts";

export interface Shown {
  readonly series: Unpacked;
  /** A second pair: both are shown as percent of their first rate in the period. */
  readonly other: Unpacked | null;
  readonly span: Span;
  readonly isLogarithmic: boolean;
}

export type PairChart = ReturnType<typeof openChart>;

const DAY_SECONDS = 86_400;
const HEIGHT = 340;

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
    chart = new uPlot(optionsOf(last, place, events), dataOf(last), place);
  };
  const watch = new ResizeObserver(() => chart?.setSize({ width: place.clientWidth, height: HEIGHT }));
  watch.observe(place);
  const dark = matchMedia("(prefers-color-scheme: dark)");
  dark.addEventListener("change", draw);
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
      dark.removeEventListener("change", draw);
      chart?.destroy();
    },
  };
}

function dataOf({ series, other, span }: Shown): uPlot.AlignedData {
  const inside = ({ days, values }: Unpacked) => {
    const points = new Map<number, number>();
    days.forEach((day, at) => {
      if (day >= span.first && day <= span.last) points.set(day, values[at] as number);
    });
    return points;
  };
  const first = inside(series);
  if (other === null) {
    const days = [...first.keys()];
    const marks = days.map((day) => (series.corrected.has(day) ? (first.get(day) as number) : null));
    return [days.map((day) => day * DAY_SECONDS), [...first.values()], marks];
  }
  const second = inside(other);
  const days = [...new Set([...first.keys(), ...second.keys()])].sort((a, b) => a - b);
  const indexed = (points: Map<number, number>) => {
    const start = points.values().next().value ?? 1;
    return days.map((day) => {
      const value = points.get(day);
      return value === undefined ? undefined : (value / start) * 100;
    });
  };
  return [days.map((day) => day * DAY_SECONDS), indexed(first), indexed(second)];
}

function optionsOf(
  { other, isLogarithmic }: Shown,
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
  const lines: uPlot.Series[] =
    other === null
      ? [
          { stroke: colour("ink"), width: 1.5, points: { show: false } },
          {
            stroke: colour("accent"),
            fill: colour("accent"),
            paths: () => null,
            points: { show: true, size: 6 },
          },
        ]
      : [
          { stroke: colour("ink"), width: 1.5, spanGaps: true, points: { show: false } },
          { stroke: colour("accent"), width: 1.5, spanGaps: true, points: { show: false } },
        ];
  return {
    width: place.clientWidth,
    height: HEIGHT,
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), "UTC"),
    scales: { y: { distr: isLogarithmic ? 3 : 1 } },
    axes: [
      { ...axis, grid: { show: false } },
      {
        ...axis,
        size: 64,
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
