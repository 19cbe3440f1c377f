/** A line of values without axes, small enough for a cell. It has a text for readers who do not see it. */
/* @jsxImportSource preact */

const MARGIN = 2;
const WIDTH = 112;
const HEIGHT = 26;

interface SparklineProps {
  /** Oldest first; a flat line where nothing moved. */
  readonly values: readonly number[];
  readonly label: string;
}

export function Sparkline({ values, label }: SparklineProps) {
  if (values.length < 2) return null;
  const low = Math.min(...values);
  const span = Math.max(...values) - low;
  const points = values.map((value, index) => {
    const x = MARGIN + (index / (values.length - 1)) * (WIDTH - 2 * MARGIN);
    const share = span === 0 ? 0.5 : (value - low) / span;
    return `${x.toFixed(1)},${(HEIGHT - MARGIN - share * (HEIGHT - 2 * MARGIN)).toFixed(1)}`;
  });
  return (
    <svg
      class="sparkline dim"
      width={WIDTH}
      height={HEIGHT}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      <polyline
        points={points.join(" ")}
        fill="none"
        stroke="currentColor"
        stroke-width="1.25"
        stroke-linejoin="round"
        vector-effect="non-scaling-stroke"
      />
    </svg>
  );
}
