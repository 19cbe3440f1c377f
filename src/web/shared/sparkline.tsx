/** A line of a few weeks in the size of a word. It has a text for readers who do not see it. */
/* @jsxImportSource preact */

const WIDTH = 112;
const HEIGHT = 26;
const MARGIN = 2;

/** `values` oldest first; a flat line where nothing moved. */
export function Sparkline({ values, label }: { readonly values: readonly number[]; readonly label: string }) {
  if (values.length < 2) return null;
  const low = Math.min(...values);
  const span = Math.max(...values) - low;
  const x = (index: number) => MARGIN + (index / (values.length - 1)) * (WIDTH - 2 * MARGIN);
  const y = (value: number) =>
    span === 0 ? HEIGHT / 2 : HEIGHT - MARGIN - ((value - low) / span) * (HEIGHT - 2 * MARGIN);
  const points = values.map((value, index) => `${x(index).toFixed(1)},${y(value).toFixed(1)}`);
  const last = values.length - 1;
  return (
    <svg
      class="sparkline dim"
      width={WIDTH}
      height={HEIGHT}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      role="img"
      aria-label={label}
    >
      <polyline
        points={points.join(" ")}
        fill="none"
        stroke="currentColor"
        stroke-width="1.25"
        stroke-linejoin="round"
      />
      <circle cx={x(last)} cy={y(values[last] as number)} r="1.8" fill="currentColor" />
    </svg>
  );
}
