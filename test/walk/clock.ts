/** Steps of a walk in time: moments, minutes, days, and to the very edge of whatever ends by the clock. */

import { DAY } from "./model.ts";
import { GRACE } from "./subscriptions.ts";
import { pick, type Walk } from "./walk.ts";
import { HOUR, MINUTE, monthAfter } from "./windows.ts";

export async function passTime(walk: Walk): Promise<string> {
  const { random } = walk;
  const longest = pick(walk, [5000, MINUTE, MINUTE, 2 * MINUTE, HOUR, DAY, 10 * DAY]);
  const by = 1 + Math.floor(random() * longest);
  await walk.world.pass(by);
  return stamp(walk);
}

/** One millisecond before it, or exactly at it. */
export async function toAnEdge(walk: Walk): Promise<string> {
  const edges = edgesAhead(walk);
  const rare = walk.random() < 0.2;
  const common = edges.filter(([name]) => rare || (name !== "session" && name !== "month"));
  const kind = pick(walk, [...new Set((common.length > 0 ? common : edges).map(([name]) => name))]);
  const [name, at] = pick(
    walk,
    edges.filter(([other]) => other === kind),
  );
  const to = at - (walk.random() < 0.5 ? 1 : 0);
  await walk.world.pass(Math.max(0, to - walk.now));
  return `${name}: ${stamp(walk)}`;
}

function edgesAhead(walk: Walk): (readonly [name: string, at: number])[] {
  const { now, people } = walk;
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

function stamp({ now }: Walk): string {
  return new Date(now).toISOString();
}
