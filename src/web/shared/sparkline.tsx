/** A line of values without axes, by default small enough for a cell. It has a text for readers who do not see it. */
/* @jsxImportSource preact */

const MARGIN = 2;

interface SparklineProps {
  /** Oldest first; a flat line where nothing moved. */
  readonly values: readonly number[];
  readonly label: string;
  readonly class?: string;
  /** The size of the drawing; CSS may stretch it. */
  readonly width?: number;
  readonly height?: number;
}

export function Sparkline({ values, label, ...drawn }: SparklineProps) {
  const { width = 112, height = 26 } = drawn;
  if (values.length < 2) return null;
  const low = Math.min(...values);
  const span = Math.max(...values) - low;
  const points = values.map((value, index) => {
    const x = MARGIN + (index / (values.length - 1)) * (width - 2 * MARGIN);
    const share = span === 0 ? 0.5 : (value - low) / span;
    return `${x.toFixed(1)},${(height - MARGIN - share * (height - 2 * MARGIN)).toFixed(1)}`;
  });
  return (
    <svg
      class={drawn.class ?? "sparkline dim"}
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
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
