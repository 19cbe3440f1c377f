/** What all clients of upstreams share: where and as whom they ask, and the watch on this machine's clock. */

import type { Config } from "#config.ts";
import type { Clock } from "#ports.ts";
import { openClockWatch } from "#sources/fetch/clock-watch.ts";

/** `watch` is absent where the clock was set on purpose (NOW, the demo): then it differs from every host's. */
export function upstreamOf({ upstreamBase }: Pick<Config, "upstreamBase">, clock: Clock, version: string) {
  return {
    clock,
    base: upstreamBase,
    userAgent: `crossrate/${version} (self-hosted reference rates)`,
    ...(clock.now === Date.now && { watch: openClockWatch(clock) }),
  };
}
