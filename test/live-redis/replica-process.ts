/** A replica as a process of its own, its answers, and the lines of its log. */

import type { CurrencyCode } from "#domain/currency/currency.ts";
import { startServe } from "#test/commands/process.ts";
import type { Json } from "#test/metered/client.ts";

/** A replica's rate of one live currency. */
export interface LiveRate {
  readonly rate: number;
  /** Milliseconds since the epoch. */
  readonly effectiveAt: number;
}

export type ReplicaProcess = Awaited<ReturnType<typeof startReplica>>;

/** Starts `serve` on a free port; resolves when it prints its address, rejects when it ends before. */
export async function startReplica(environment: Record<string, string>) {
  const { url, pid, printed, end } = await startServe({ LOG_LEVEL: "info", ...environment });
  return {
    /** Where it answers. */
    url,
    pid,
    /** Rejects when the answer is not a 200. */
    status: async () => {
      const answer = await fetch(`${url}/status`);
      if (answer.status !== 200) throw new Error(`/status answered ${answer.status}`);
      return (await answer.json()) as Json;
    },
    /** GET /v1/latest as sent. */
    latest: () => fetch(`${url}/v1/latest`),
    /** The lines it has written to standard error. */
    log: () => printed.err.split("\n").filter((line) => line !== ""),
    /** Sends a signal and resolves with the exit code. */
    end,
  };
}

/** The live currencies of a body of /v1/latest. Throws when it is not one. */
export function liveRatesIn(text: string): ReadonlyMap<CurrencyCode, LiveRate> {
  const { result, rates, sources, effective_at } = JSON.parse(text);
  if (result !== "success") throw new Error(text);
  const live = (Object.keys(rates) as CurrencyCode[]).filter((code) => sources[code] === "live");
  return new Map(
    live.map((code) => [code, { rate: rates[code], effectiveAt: Date.parse(effective_at[code]) }]),
  );
}
