/** Keys that have ended, between the processes that remember keys: what ends here is told, and what ended elsewhere is forgotten. */

import type { KeyNews } from "#ports/key-news.ts";
import { listenTo } from "#store/redis/connection/channel.ts";
import { tellRefusals } from "#store/redis/hot-book/refusal.ts";
import type { Tell } from "#telemetry.ts";
import { KEY_CHANNEL, keyIdsIn, type ToldKeyNews, tellKeyNews } from "./key-news.ts";

export interface KeyMessagesDeps {
  readonly url: string;
  /** What this process remembers of these keys is out of date. */
  readonly forget: KeyNews["ended"];
  /** Waits, then calls; returns how to call it off. */
  readonly later: (milliseconds: number, run: () => void) => () => void;
  readonly every: (milliseconds: number, run: () => void) => () => void;
  readonly tell: Tell;
}

const PROBE_MILLISECONDS = 1_000;
/** Forgetting looks through all that is remembered: the first message is obeyed at once, those that follow closely together. */
const BURST_MILLISECONDS = 100;

/**
 * Starts connecting. Connected again it forgets nothing, although messages may have been missed: every look is believed for
 * seconds only, and a Redis that comes and goes must not send all callers to the ledger at once, nor take from keys that a
 * ledger out of reach has vouched for the time that they go on working.
 */
export function openKeyMessages({ url, forget, later, every, tell }: KeyMessagesDeps): ToldKeyNews {
  const refusals = tellRefusals(tell, "other processes notice ended API keys after seconds only");
  const told = tellKeyNews(url, later, refusals.failed);
  /** Heard since the last forgetting; null when that was long enough ago. */
  let gathered: Set<string> | null = null;
  let callOff = () => {};

  const heard = (ids: readonly string[]): void => {
    if (ids.length === 0) return;
    if (gathered !== null) {
      for (const id of ids) gathered.add(id);
      return;
    }
    gathered = new Set();
    forget(ids);
    callOff = later(BURST_MILLISECONDS, () => {
      const meanwhile = [...(gathered ?? [])];
      gathered = null;
      heard(meanwhile);
    });
  };
  const listening = listenTo(url, "crossrate-key-messages", KEY_CHANNEL, {
    heard: (message) => heard(keyIdsIn(message)),
    listening: refusals.works,
    deaf: refusals.failed,
  });
  const stopProbing = every(PROBE_MILLISECONDS, listening.probe);

  return {
    ended: (keyIds) => {
      forget(keyIds);
      told.ended(keyIds);
    },
    close: async () => {
      stopProbing();
      callOff();
      listening.close();
      await told.close();
    },
  };
}
