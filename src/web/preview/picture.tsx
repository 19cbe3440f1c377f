/** The preview picture of a link as SVG, 1200 × 630. */
/* @jsxImportSource preact */

import { renderToString } from "preact-render-to-string";
import { dateOf } from "#web/shared/figure.tsx";

export interface PairPicture {
  readonly base: string;
  readonly quote: string;
  readonly baseName: string;
  readonly quoteName: string;
  /** As printed. */
  readonly rate: string;
  /** "2026-04-13". */
  readonly date: string;
  /** Of the last year, the oldest first: drawn, never printed. */
  readonly values: readonly number[];
}

export interface PictureProps {
  /** Null: of the whole site. */
  readonly pair: PairPicture | null;
  /** The demo: every figure is made up. */
  readonly isSimulated: boolean;
}

const WIDTH = 1200;
const HEIGHT = 630;
const EDGE = 80;
const PAPER = "#fdfdfb";
const INK = "#14161a";
const DIM = "#5f636b";
const ACCENT = "#0a4fc0";
/** The static typefaces have a family name for each weight. */
const BOLD = "Inter SemiBold";
const PLAIN = "Inter";

export function pictureSvg({ pair, isSimulated }: PictureProps): string {
  return renderToString(
    <svg
      xmlns="http://www.w3.org/2000/svg"
      width={WIDTH}
      height={HEIGHT}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      role="img"
      aria-label="Crossrate"
    >
      <rect width={WIDTH} height={HEIGHT} fill={PAPER} />
      <text x={EDGE} y={112} font-family={BOLD} font-size="40" letter-spacing="-1.2" fill={INK}>
        crossrate
      </text>
      {isSimulated && (
        <text x={WIDTH - EDGE} y={112} text-anchor="end" font-family={PLAIN} font-size="28" fill={DIM}>
          simulated data
        </text>
      )}
      {pair === null ? <SiteText /> : <PairText {...pair} />}
    </svg>,
  );
}

function SiteText() {
  return (
    <>
      <text x={EDGE} y={316} font-family={BOLD} font-size="76" letter-spacing="-2.6" fill={INK}>
        Exchange rates that say
      </text>
      <text x={EDGE} y={406} font-family={BOLD} font-size="76" letter-spacing="-2.6" fill={INK}>
        where they come from
      </text>
      <text x={EDGE} y={510} font-family={PLAIN} font-size="32" fill={DIM}>
        31 currencies, live through the day and daily since 1999. Self-hosted.
      </text>
    </>
  );
}

/** A printed rate of up to 12 digits fits the width. */
const RATE_SIZE = 116;
const LONG_RATE_SIZE = 88;
const LONG_RATE = 9;

function PairText({ base, quote, baseName, quoteName, rate, date, values }: PairPicture) {
  const size = rate.length > LONG_RATE ? LONG_RATE_SIZE : RATE_SIZE;
  return (
    <>
      <text x={EDGE} y={206} font-family={PLAIN} font-size="36" fill={DIM}>
        {baseName} to {quoteName}
      </text>
      <text x={EDGE - 4} y={330} font-family={BOLD} font-size={size} letter-spacing={-size / 30} fill={INK}>
        {rate}
        <tspan font-family={PLAIN} font-size="52" letter-spacing="-1" fill={DIM} dx="22">
          {base}/{quote}
        </tspan>
      </text>
      <text x={EDGE} y={388} font-family={PLAIN} font-size="28" fill={DIM}>
        {dateOf(date)}, and the year before it
      </text>
      <YearLine values={values} />
    </>
  );
}

const LINE_TOP = 440;
const LINE_BOTTOM = 570;

function YearLine({ values }: Pick<PairPicture, "values">) {
  if (values.length < 2) return null;
  const low = Math.min(...values);
  const span = Math.max(...values) - low;
  const x = (at: number) => EDGE + (at / (values.length - 1)) * (WIDTH - 2 * EDGE);
  const y = (value: number) =>
    span === 0
      ? (LINE_TOP + LINE_BOTTOM) / 2
      : LINE_BOTTOM - ((value - low) / span) * (LINE_BOTTOM - LINE_TOP);
  const points = values.map((value, at) => `${x(at).toFixed(1)},${y(value).toFixed(1)}`);
  const last = values.length - 1;
  return (
    <>
      <polyline
        points={points.join(" ")}
        fill="none"
        stroke={ACCENT}
        stroke-width="3"
        stroke-linejoin="round"
      />
      <circle cx={x(last)} cy={y(values[last] ?? low).toFixed(1)} r="7" fill={ACCENT} />
    </>
  );
}
