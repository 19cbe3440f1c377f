/** How often API keys are checked, and how often that takes a look into the ledger. */

import type { Registry } from "prom-client";
import { Failure } from "#domain/faults/errors.ts";
import { tally } from "./tally.ts";

/** What finds the holder of a key: at once where it is remembered, else after a look. Throws, or rejects with, Failure. */
export interface FindsKeys {
  find(key: string): unknown;
}

/** `looked_up` keys had to be waited for; `refused` ones are malformed, unknown, ended or suspended. */
export const KEY_CHECKS = ["remembered", "looked_up", "refused", "unavailable"] as const;

export function watchKeys(registry: Registry): <Directory extends FindsKeys>(of: Directory) => Directory {
  const counts = { remembered: 0, looked_up: 0, refused: 0, unavailable: 0 };
  let isWatching = false;
  tally(
    registry,
    "crossrate_key_checks_total",
    "API keys that were checked, by what came of it.",
    ["outcome"],
    () => (isWatching ? KEY_CHECKS.map((outcome) => [{ outcome }, counts[outcome]] as const) : []),
  );
  const failed = (thrown: unknown): never => {
    const isKeys = thrown instanceof Failure && thrown.code !== "auth_unavailable";
    counts[isKeys ? "refused" : "unavailable"] += 1;
    throw thrown;
  };

  return (directory) => {
    isWatching = true;
    const find = (key: string): unknown => {
      try {
        const found = directory.find(key);
        if (found instanceof Promise) return found.then(lookedUp, failed);
        counts.remembered += 1;
        return found;
      } catch (thrown) {
        return failed(thrown);
      }
    };
    const lookedUp = <T>(holder: T): T => {
      counts.looked_up += 1;
      return holder;
    };
    return { ...directory, find };
  };
}
