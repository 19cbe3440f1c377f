/** Which routes of a source are asked a second time, about which days, and whether their kind still answers. */

import { kindOfRoute } from "#domain/acceptance/statements.ts";
import type { CurrencyCode } from "#domain/currency/currency.ts";
import { type DailySource, PIVOT } from "#domain/currency/source.ts";
import type { HeldFigure } from "#domain/intake/reading.ts";
import type { Day, Instant } from "#domain/time/day.ts";
import type { DailyAdapter, FigureDays, Route } from "#ports/upstream.ts";
import { voiceOf } from "./gather.ts";
import type { Recorded } from "./record.ts";

export interface Answer {
  /** Names of the routes that answered. */
  readonly route: string;
  readonly voices: ReadonlySet<string>;
  readonly recorded: Recorded;
}

/** Days that one request covers at the most. */
export const WINDOW_DAYS = 31;
/** At most this many windows, spread evenly, are requested in one collection; the others follow in the next ones. */
export const MOST_WINDOWS = 4;
/** Days that are requested together, with what is asked about them. */
export interface AskedWindow<Asked> {
  readonly from: Day;
  readonly to: Day;
  readonly asked: readonly Asked[];
}

/** What a source's collections remember about second routes. */
export interface SecondRouteMemory {
  /** Number of collections so far: says which windows come first where there are many. */
  collections: number;
  /** Since when no route of a kind answers that was asked. */
  readonly silentSince: Map<string, Instant>;
}

/** A kind of route that did not answer for so long is not waited for. */
const SILENT_AFTER = 7 * 24 * 3_600_000;

/** The kinds of routes that a source has and that still answer. */
export function kindsOf(adapter: DailyAdapter, { silentSince }: SecondRouteMemory, now: Instant): string[] {
  const window = { reach: "recent", from: 0, to: 0 } as const;
  const routes = [
    ...adapter.routes(window),
    ...(adapter.secondRoutes?.({ ...window, today: 0, currencies: adapter.currencies }) ?? []),
  ];
  const kinds = new Set(routes.map((route) => kindOfRoute(voiceOf(route))));
  return [...kinds].filter((kind) => now - (silentSince.get(kind) ?? now) <= SILENT_AFTER);
}

/** Notes whether a kind of route answered. */
export function noteAnswer(
  { silentSince }: SecondRouteMemory,
  voice: string,
  answered: boolean,
  now: Instant,
): void {
  const kind = kindOfRoute(voice);
  if (answered) silentSince.delete(kind);
  else if (!silentSince.has(kind)) silentSince.set(kind, now);
}

/** Some of many windows, spread evenly; `turn` moves on to the others. */
export function inTurn<Asked>(
  windows: readonly AskedWindow<Asked>[],
  turn: number,
): readonly AskedWindow<Asked>[] {
  const { length } = windows;
  if (length <= MOST_WINDOWS) return windows;
  return Array.from(
    { length: MOST_WINDOWS },
    (_, nth) => windows[(turn + Math.floor((nth * length) / MOST_WINDOWS)) % length] as AskedWindow<Asked>,
  );
}

export function currenciesOf(
  adapter: DailyAdapter,
  asked: readonly Pick<HeldFigure, "base" | "quote">[],
): readonly CurrencyCode[] {
  return [...new Set(asked.map((figure) => currencyOf(figure, adapter.id)))];
}

/** The source's routes that can deliver the days, the most reliable first. */
export function routesOf(
  adapter: DailyAdapter,
  { from, to, currencies }: Omit<FigureDays, "today">,
  today: Day,
): readonly Route[] {
  return (
    adapter.secondRoutes?.({ from, to, today, currencies }) ?? adapter.routes({ reach: "recent", from, to })
  );
}

/** Figures by the days that are requested together, the oldest first. */
export function windowsOf<Asked extends { readonly date: Day }>(
  all: readonly Asked[],
): readonly AskedWindow<Asked>[] {
  const windows: { from: Day; to: Day; asked: Asked[] }[] = [];
  for (const figure of [...all].sort((a, b) => a.date - b.date)) {
    const last = windows.at(-1);
    if (last === undefined || figure.date - last.from >= WINDOW_DAYS) {
      windows.push({ from: figure.date, to: figure.date, asked: [figure] });
    } else {
      last.to = figure.date;
      last.asked.push(figure);
    }
  }
  return windows;
}

function currencyOf({ base, quote }: Pick<HeldFigure, "base" | "quote">, source: DailySource): CurrencyCode {
  return base === PIVOT[source] ? quote : base;
}
