/** Asks another kind of route about documents that change much, before anything of them is judged. */

import { documentsToVouchFor } from "#domain/acceptance/acceptance.ts";
import { kindOfRoute } from "#domain/acceptance/statements.ts";
import type { Day } from "#domain/time/day.ts";
import type { DailyAdapter } from "#ports/upstream.ts";
import { MOST_WINDOWS, noteAnswer, routesOf, type SecondRouteMemory, WINDOW_DAYS } from "./asking.ts";
import type { IngestDeps } from "./deps.ts";
import { followRoute, type ReadDocument, voiceOf } from "./gather.ts";
import { LakeFault, readingOf } from "./record.ts";

/**
 * What another kind of route states about documents that change much, on a sample of the days that they change. It is judged together
 * with them, and vouches for them or refutes them.
 */
export async function askAboutDocuments(
  { lake, upstream, clock }: Pick<IngestDeps, "lake" | "upstream" | "clock">,
  adapter: DailyAdapter,
  today: Day,
  memory: SecondRouteMemory,
  read: readonly ReadDocument[],
): Promise<readonly ReadDocument[]> {
  const record = await lake.read().catch((fault: unknown) => {
    throw new LakeFault(fault);
  });
  const readings = read.map((document) => readingOf(adapter.id, document));
  const answers: ReadDocument[] = [];
  for (const { route: voice, days } of documentsToVouchFor(record, adapter.id, readings)) {
    for (const { from, to } of sampleOf(days)) {
      const routes = routesOf(adapter, { from, to, currencies: adapter.currencies }, today);
      const route = routes.find((one) => kindOfRoute(voiceOf(one)) !== kindOfRoute(voice));
      if (route === undefined) continue;
      const span = { reach: "recent", from, to: today } as const;
      const outcome = await followRoute(upstream, route, span, () => {});
      noteAnswer(memory, voiceOf(route), outcome.read.length + outcome.unchanged > 0, clock.now());
      answers.push(...outcome.read);
    }
  }
  return answers;
}

/** Windows that begin at days spread evenly over ascending ones. */
function sampleOf(days: readonly Day[]): readonly { readonly from: Day; readonly to: Day }[] {
  const starts = Array.from(
    { length: MOST_WINDOWS },
    (_, nth) => days[Math.floor((nth * days.length) / MOST_WINDOWS)],
  );
  const last = days.at(-1) as Day;
  return [...new Set(starts as Day[])].map((from) => ({ from, to: Math.min(last, from + WINDOW_DAYS) }));
}
