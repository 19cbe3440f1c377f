/** A log of the status page in memory, for tests that have no ledger. */

import type { Incident, PartDay } from "#domain/rates/status.ts";
import { dayAt } from "#domain/time/day.ts";
import type { StatusLog } from "#ports/ledger.ts";

const MOST_ENDED = 50;
const KEPT_DAYS = 91;

export function memoryStatusLog(): StatusLog {
  const open = new Map<string, Incident>();
  let ended: readonly Incident[] = [];
  const days = new Map<string, PartDay>();
  return {
    note: async ({ parts, faults }, at) => {
      const day = dayAt(at);
      const wrong = new Set(faults.map((fault) => fault.split(" ")[0]));
      for (const part of new Set(parts)) {
        const { looks, faults } = days.get(`${part} ${day}`) ?? { looks: 0, faults: 0 };
        days.set(`${part} ${day}`, {
          part,
          day,
          looks: looks + 1,
          faults: faults + (wrong.has(part) ? 1 : 0),
        });
      }
      for (const [fault, incident] of open) {
        if (faults.includes(fault)) continue;
        open.delete(fault);
        ended = [{ ...incident, until: at }, ...ended].slice(0, MOST_ENDED);
      }
      for (const fault of faults) if (!open.has(fault)) open.set(fault, { fault, since: at, until: null });
    },
    prune: async (at) => {
      for (const [key, { day }] of days) if (day < dayAt(at) - KEPT_DAYS) days.delete(key);
    },
    read: async (from) => ({
      incidents: [...open.values(), ...ended].sort(
        (a, b) => b.since - a.since || (a.fault < b.fault ? -1 : 1),
      ),
      days: [...days.values()].filter(({ day }) => day >= from),
      delays: new Map(),
    }),
  };
}
