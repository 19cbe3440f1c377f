/** Requests by day as bars, and the same figures as a table. */
/* @jsxImportSource preact */

import type { UsageDay } from "#domain/account/usage-day.ts";
import { formatDay } from "#domain/time/day.ts";
import { dateOf, dayOf } from "#web/shared/figure.tsx";
import { numbers, Table } from "#web/shared/table.tsx";
import { grouped } from "#web/shared/words.ts";
import { counted } from "./words.ts";

const STEP = 10;
const WIDTH = 7;
const HEIGHT = 100;
/** A day with a request is seen, however few there were. */
const LEAST_HEIGHT = 1;

export function UsageChart({ days }: { readonly days: readonly UsageDay[] }) {
  const most = Math.max(1, ...days.map(({ served, rateLimited }) => served + rateLimited));
  const total = days.reduce((sum, { served }) => sum + served, 0);
  const refused = days.reduce((sum, { rateLimited }) => sum + rateLimited, 0);
  const [first, last] = [days[0], days.at(-1)];
  if (first === undefined || last === undefined) return null;
  return (
    <figure class="usage">
      <figcaption>
        {counted(total, "request")} served and {grouped(refused)} refused in the last {days.length} days. Days
        are UTC.
      </figcaption>
      <div class="usage-scale dim" aria-hidden="true">
        {grouped(most)}
      </div>
      <svg
        class="usage-bars"
        viewBox={`0 0 ${days.length * STEP} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`Bars of ${days.length} days, at most ${counted(most, "request")} a day. The table below has the figures.`}
      >
        {days.map((day, index) => (
          <Bar key={day.day} day={day} x={index * STEP} most={most} />
        ))}
      </svg>
      <div class="usage-days dim" aria-hidden="true">
        <span>{dayOf(formatDay(first.day))}</span>
        <span>{dayOf(formatDay(last.day))}</span>
      </div>
      <details>
        <summary>Show as a table</summary>
        <Table columns={["Day", numbers("Served"), numbers("Refused")]}>
          {days.toReversed().map(({ day, served, rateLimited }) => (
            <tr key={day}>
              <th scope="row">{dateOf(formatDay(day))}</th>
              <td class="number">{grouped(served)}</td>
              <td class="number">{grouped(rateLimited)}</td>
            </tr>
          ))}
        </Table>
      </details>
    </figure>
  );
}

function Bar({ day, x, most }: { readonly day: UsageDay; readonly x: number; readonly most: number }) {
  const heightOf = (count: number) => (count === 0 ? 0 : Math.max(LEAST_HEIGHT, (count / most) * HEIGHT));
  const [served, refused] = [heightOf(day.served), heightOf(day.rateLimited)];
  return (
    <g>
      <title>
        {`${dateOf(formatDay(day.day))}: ${grouped(day.served)} served, ${grouped(day.rateLimited)} refused`}
      </title>
      <rect class="hit" x={x} y={0} width={STEP} height={HEIGHT} />
      <rect class="served" x={x} y={HEIGHT - served} width={WIDTH} height={served} />
      <rect class="refused" x={x} y={Math.max(0, HEIGHT - served - refused)} width={WIDTH} height={refused} />
    </g>
  );
}
