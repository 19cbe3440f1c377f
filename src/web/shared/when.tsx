/** An instant in text, with its machine-readable form. All times are UTC. */
/* @jsxImportSource preact */

import { formatInstant, type Instant } from "#domain/time/day.ts";
import { momentOf } from "./figure.tsx";

/** "13 Apr 2026, 12:15:00 UTC"; `absent` where there is none. */
export function When({ at, absent = "–" }: { readonly at: Instant | null; readonly absent?: string }) {
  if (at === null) return <>{absent}</>;
  const text = formatInstant(Math.floor(at / 1000) * 1000);
  return <time dateTime={text}>{momentOf(text)}</time>;
}
