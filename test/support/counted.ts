/** What accounts counted, for tests that run them without metrics: `mails sent 1`. */

import type { Count } from "#telemetry.ts";

export function newCount() {
  const counted: string[] = [];
  const count: Count = (name, labels, by = 1) =>
    void counted.push([name, ...Object.values(labels), by].join(" "));
  return { count, counted };
}
