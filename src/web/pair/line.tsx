/** A still picture of a series, for the time before the chart is there, and for readers without scripts. */
/* @jsxImportSource preact */

import { dateOf } from "#web/shared/figure.tsx";
import { dateText, type Span, type Unpacked } from "./pair-data.ts";

const WIDTH = 1000;
const HEIGHT = 320;
/** More points than that cannot be distinguished. */
const MOST_POINTS = 400;

export function StillChart({
  series,
  span,
  label,
}: {
  readonly series: Unpacked;
  readonly span: Span;
  readonly label: string;
}) {
  const places = series.days.flatMap((day, at) => (day >= span.first && day <= span.last ? [at] : []));
  const step = Math.max(1, Math.ceil(places.length / MOST_POINTS));
  const shown = places.filter((_, index) => index % step === 0 || index === places.length - 1);
  if (shown.length < 2) return null;
  const values = shown.map((at) => series.values[at] as number);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const points = shown.map((at) => {
    const x = (((series.days[at] as number) - span.first) / (span.last - span.first)) * WIDTH;
    const share = high === low ? 0.5 : ((series.values[at] as number) - low) / (high - low);
    return `${x.toFixed(1)},${(HEIGHT - 10 - share * (HEIGHT - 20)).toFixed(1)}`;
  });
  const name = `${label}, ${dateOf(dateText(span.first))} to ${dateOf(dateText(span.last))}`;
  return (
    <svg
      class="still-chart"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={name}
    >
      <polyline
        points={points.join(" ")}
        fill="none"
        stroke="currentColor"
        stroke-width="1.5"
        vector-effect="non-scaling-stroke"
      />
    </svg>
  );
}
