/** Steps of a run in time: moments, minutes, days, and to the very edge of whatever ends by the clock. */

import { pick, type RunContext } from "./context.ts";
import { DAY } from "./model.ts";
import { GRACE } from "./subscriptions.ts";
import { HOUR, MINUTE, monthAfter } from "./windows.ts";

export async function passTime(context: RunContext): Promise<string> {
  const { random } = context;
  const longest = pick(context, [5000, MINUTE, MINUTE, 2 * MINUTE, HOUR, DAY, 10 * DAY]);
  const by = 1 + Math.floor(random() * longest);
  await context.world.pass(by);
  return stamp(context);
}

/** One millisecond before it, or exactly at it. */
export async function toAnEdge(context: RunContext): Promise<string> {
  const edges = edgesAhead(context);
  const rare = context.random() < 0.2;
  const common = edges.filter(([name]) => rare || (name !== "session" && name !== "month"));
  const kind = pick(context, [...new Set((common.length > 0 ? common : edges).map(([name]) => name))]);
  const [name, at] = pick(
    context,
    edges.filter(([other]) => other === kind),
  );
  const to = at - (context.random() < 0.5 ? 1 : 0);
  await context.world.pass(Math.max(0, to - context.now));
  return `${name}: ${stamp(context)}`;
}

function edgesAhead(context: RunContext): (readonly [name: string, at: number])[] {
  const { now, people } = context;
  const orgs = people.flatMap(({ org }) => (org === null ? [] : [org]));
  const all = [
    ["month", monthAfter(now)] as const,
    ...orgs.flatMap(({ keys }) => keys.map(({ endsAt }) => ["key", endsAt] as const)),
    ...people.flatMap(({ sessions }) => [...sessions.values()].map((at) => ["session", at] as const)),
    ...orgs.flatMap(({ bought }) => [
      ["grace", (bought?.unpaidSince ?? Number.NEGATIVE_INFINITY) + GRACE] as const,
      ["period", bought?.endsAt ?? Number.NEGATIVE_INFINITY] as const,
    ]),
  ];
  return all.filter(([, at]) => at > now && at < now + 40 * DAY);
}

function stamp({ now }: RunContext): string {
  return new Date(now).toISOString();
}
