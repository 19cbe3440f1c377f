/** States and instants as the status page shows them. */
/* @jsxImportSource preact */

import type { ComponentChildren } from "preact";
import { formatInstant, type Instant } from "#domain/time/day.ts";
import { momentOf } from "#web/shared/figure.tsx";

export function State({
  isFine,
  children,
}: {
  readonly isFine: boolean;
  readonly children: ComponentChildren;
}) {
  return <span class={isFine ? "source live" : "source stale"}>{children}</span>;
}

export function When({ at }: { readonly at: Instant | null }) {
  if (at === null) return <>–</>;
  const text = formatInstant(Math.floor(at / 1000) * 1000);
  return <time dateTime={text}>{momentOf(text)}</time>;
}
