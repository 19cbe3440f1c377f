/**
 * Numbers, instants, changes, and texts of others as all pages show them: digits as in the API, aligned at the decimal point; times in UTC;
 * a text or an address of others (people, authorities, receivers) without any effect on the page around it.
 */
/* @jsxImportSource preact */

import type { ComponentChildren } from "preact";
import { parseDecimal, roundAmount } from "#domain/number/decimal.ts";
import { formatInstant, type Instant } from "#domain/time/day.ts";
import { SOURCE_NAMES } from "./words.ts";

export function fractionDigits(text: string): number {
  const point = text.indexOf(".");
  return point === -1 ? 0 : text.length - point - 1;
}

const TABLE_DIGITS = 6;

/**
 * A printed number at the precision of tables, six significant digits; whole numbers stay whole. All digits are in the provenance.
 * Rounded half-even from its digits, as in the API: 11812.55 as a double is a little less, and would be 11812.5.
 */
export function rounded(text: string, digits = TABLE_DIGITS): string {
  const near = Number(text).toPrecision(digits);
  const value = parseDecimal(text);
  return value === null || near.includes("e") || near.length >= text.length
    ? text
    : roundAmount(value, fractionDigits(near));
}

/** A printed number. In a column all numbers have room for `fraction` digits after the point, which aligns the points. */
export function Figure({ text, fraction }: { readonly text: string; readonly fraction: number }) {
  const point = text.indexOf(".");
  const [whole, rest] = point === -1 ? [text, ""] : [text.slice(0, point), text.slice(point)];
  const missing = fraction === 0 ? "" : `.${"0".repeat(fraction)}`.slice(rest.length);
  return (
    <span class="figure">
      {whole}
      <span data-room={missing}>{rest}</span>
    </span>
  );
}

export interface Origin {
  readonly source: string;
  readonly effectiveAt: string;
  readonly isStale: boolean;
  readonly isSimulated: boolean;
}

/**
 * Where a rate comes from and how old it is: "live 20 Nov 14:15:02", "ECB 20 Nov", "ECB, stale 20 Nov 2026". All times are
 * UTC; a live rate may be of Friday.
 */
export function SourceMark({ source, effectiveAt, isStale, isSimulated }: Origin) {
  const kind = isStale ? "stale" : source === "live" ? "live" : "";
  // A server that cannot reach its sources shows figures that may be years old.
  const day = isStale ? dateOf(effectiveAt) : dayOf(effectiveAt);
  const when = source === "live" ? `${day} ${timeOf(effectiveAt)}` : day;
  const short = SOURCE_NAMES[source]?.short ?? source;
  const name = !isSimulated ? short : source === "live" ? "simulated" : `${short}, simulated`;
  return (
    <span class={`source ${kind}`}>
      <span>
        {isStale ? `${name}, stale` : name} <time dateTime={effectiveAt}>{when}</time>
      </span>
    </span>
  );
}

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** "2026-04-13T12:15:00Z" or "2026-04-13" → "13 Apr". */
export function dayOf(instant: string): string {
  return `${Number(instant.slice(8, 10))} ${MONTHS[Number(instant.slice(5, 7)) - 1]}`;
}

export function dateOf(instant: string): string {
  return `${dayOf(instant)} ${instant.slice(0, 4)}`;
}

/** "2026-04-13T12:15:00Z" → "12:15:00". */
export function timeOf(instant: string): string {
  return instant.slice(11, 19);
}

/** "13 Apr 2026, 12:15:00 UTC"; `absent` for null. */
export function When({ at, absent = "–" }: { readonly at: Instant | null; readonly absent?: string }) {
  if (at === null) return <>{absent}</>;
  const text = formatInstant(Math.floor(at / 1000) * 1000);
  return <time dateTime={text}>{`${dateOf(text)}, ${timeOf(text)} UTC`}</time>;
}

/**
 * Rounds half-even, and tolerates the error of a quotient of doubles: 0.375 may come as 0.374999999999996. Writes a true minus sign; a change
 * that rounds to zero has no sign.
 */
export function percentText(change: number): string {
  const digits = roundAmount({ units: BigInt(Math.round(Math.abs(change) * 1e9)), scale: 9 }, 2);
  if (digits === "0.00") return "0.00 %";
  return `${change < 0 ? "−" : "+"}${digits} %`;
}

/** A text of others within our own line. Isolated: its characters cannot change the direction of the writing after it. */
export function Others({ children }: { readonly children: string }) {
  return <bdi class="others">{children}</bdi>;
}

/** A link with http or https; any other address, such as `javascript:`, becomes text. */
export function OutsideLink({
  url,
  children,
  ...rest
}: {
  readonly url: string;
  readonly rel: string;
  readonly class?: string;
  readonly children: ComponentChildren;
}) {
  const { protocol = "" } = URL.parse(url) ?? {};
  if (!["http:", "https:"].includes(protocol)) return <span class={rest.class}>{children}</span>;
  return (
    <a href={url} {...rest}>
      {children}
    </a>
  );
}
