/** The chart of one or two series: uPlot with the design's colours, zoom by dragging, corrections as marks. */

import uPlot from "uplot";
import type { Span, Unpacked } from "./pair-data.ts";

export interface Shown {
  readonly name: string;
  readonly series: Unpacked;
  /** A second pair: both are shown as percent of their first rate in the stretch. */
  readonly other: { readonly name: string; readonly series: Unpacked } | null;
  readonly span: Span;
  readonly isLogarithmic: boolean;
}

export interface PairChart {
  show(shown: Shown): void;
  destroy(): void;
}

const DAY_SECONDS = 86_400;
const HEIGHT = 340;

/** `zoomed` gets the stretch that the visitor has dragged over. */
export function openChart(place: HTMLElement, zoomed: (span: Span) => void): PairChart {
  let chart: uPlot | null = null;
  let last: Shown | null = null;
  const draw = () => {
    if (last === null) return;
    chart?.destroy();
    chart = new uPlot(optionsOf(last, place, zoomed), dataOf(last), place);
  };
  const watch = new ResizeObserver(() => chart?.setSize({ width: place.clientWidth, height: HEIGHT }));
  watch.observe(place);
  const dark = matchMedia("(prefers-color-scheme: dark)");
  dark.addEventListener("change", draw);
  const theme = new MutationObserver(draw);
  theme.observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme"] });
  return {
    show: (shown) => {
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
  const second = inside(other.series);
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
  { name, other, isLogarithmic }: Shown,
  place: HTMLElement,
  zoomed: (span: Span) => void,
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
          { label: name, stroke: colour("ink"), width: 1.5, points: { show: false } },
          {
            label: "Corrected",
            stroke: colour("accent"),
            fill: colour("accent"),
            paths: () => null,
            points: { show: true, size: 6 },
          },
        ]
      : [
          { label: `${name}, %`, stroke: colour("ink"), width: 1.5, spanGaps: true, points: { show: false } },
          {
            label: `${other.name}, %`,
            stroke: colour("accent"),
            width: 1.5,
            spanGaps: true,
            points: { show: false },
          },
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
    series: [{ label: "Date", value: "{YYYY}-{MM}-{DD}" }, ...lines],
    cursor: { drag: { x: true, y: false, setScale: false } },
    hooks: {
      setSelect: [
        (chart) => {
          const { left, width } = chart.select;
          if (width < 4) return;
          const day = (at: number) => Math.round(chart.posToVal(at, "x") / DAY_SECONDS);
          zoomed({ first: day(left), last: day(left + width) });
        },
      ],
    },
  };
}
