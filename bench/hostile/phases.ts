/** Which clients ask for what, one phase after the other. */

import { KINDS } from "./kinds.ts";
import type { Target } from "./targets.ts";

export interface Phase {
  /** For the table. */
  readonly route: string;
  readonly kind: string;
  readonly targets: readonly Target[];
}

export interface Wanted {
  /** Parts of names of targets; null: all. */
  readonly routes: readonly string[] | null;
  readonly kinds: readonly string[] | null;
}

/** With all connections on one route each, beside the phases with all routes. */
const SINGLE_KINDS = ["unread", "fast"] as const;
/** The routes of the longest answers, by which a server was driven furthest: they have phases of their own. */
const SINGLES = [
  "/compat/frankfurter/v2/rates?from=1999-01-04",
  "/compat/frankfurter/v2/rates.csv?from=1999-01-04",
  "/compat/frankfurter/v1/1999-01-04..",
  "/compat/oxr/time-series.json?start=1999-01-04&end=2026-04-13",
  "/openapi.json",
  "format=ndjson",
  "format=csv",
  "interval=1m",
  "updated_after=",
  "/v1/official/MEX/fix/publications?",
  "/v1/lake/current/official/",
] as const;

/** All phases, or those of the routes and kinds that are wanted. Throws where nothing is. */
export function phasesOf(targets: readonly Target[], { routes, kinds }: Wanted): readonly Phase[] {
  for (const kind of kinds ?? [])
    if (KINDS[kind] === undefined)
      throw new Error(`no kind ${kind}; there are ${Object.keys(KINDS).join(", ")}`);
  const names = kinds ?? Object.keys(KINDS);
  const chosen =
    routes === null
      ? targets
      : targets.filter(({ name, path }) => routes.some((part) => name.includes(part) || path.includes(part)));
  if (chosen.length === 0) throw new Error(`no route has ${routes?.join(" or ")} in its name`);
  const together = names.map((kind): Phase => {
    const route = chosen.length === 1 ? (chosen[0]?.name ?? "") : `${chosen.length} routes`;
    return { route, kind, targets: chosen };
  });
  if (routes !== null) return together;
  const alone = SINGLES.flatMap((part) => {
    const target = targets.find(({ path }) => path.includes(part));
    if (target === undefined) throw new Error(`no route has ${part} in its path`);
    const included = SINGLE_KINDS.filter((kind) => names.includes(kind));
    return included.map((kind): Phase => ({ route: shortName(target), kind, targets: [target] }));
  });
  return [...together, ...alone];
}

function shortName({ method, path }: Target): string {
  const short = path.replace(/symbols=(?:[A-Z]{3},){4,}[A-Z]{3}/, "symbols=all");
  return `${method} ${short}`;
}
