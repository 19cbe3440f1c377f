/** A replica as a process of its own, its answers, and the lines of its log. */

import { join } from "node:path";
import type { CurrencyCode } from "#domain/currency/currency.ts";

const ROOT = join(import.meta.dir, "..", "..");

/** A replica's rate of one live currency. */
export interface LiveRate {
  readonly rate: number;
  /** Milliseconds since the epoch. */
  readonly effectiveAt: number;
}

export interface StatusBody {
  readonly status: "ready" | "degraded" | "unready";
  readonly checks: {
    readonly cache: { readonly status: "ok" | "degraded"; readonly detail: string | null };
    readonly live_data: {
      readonly status: string;
      readonly live_currencies: number;
      readonly feeds: readonly { readonly outcome: string | null }[];
    };
  };
}

export interface ReplicaProcess {
  /** Where it answers. */
  readonly url: string;
  readonly pid: number;
  /** Rejects when the answer is not a 200. */
  status(): Promise<StatusBody>;
  /** GET /v1/latest as sent. */
  latest(): Promise<Response>;
  /** The lines it has written to standard error. */
  log(): readonly string[];
  /** Sends a signal and resolves with the exit code. */
  end(signal?: NodeJS.Signals): Promise<number>;
}

/** Starts `serve` on a free port; resolves when it prints its address, rejects when it ends before. */
export async function startReplica(environment: Record<string, string>): Promise<ReplicaProcess> {
  const child = Bun.spawn([process.execPath, "src/main.ts", "serve"], {
    cwd: ROOT,
    env: { ...process.env, PORT: "0", LOG_LEVEL: "info", ACCESS: "open", ...environment },
    stdout: "pipe",
    stderr: "pipe",
  });
  const err = gathered(child.stderr);
  const out = gathered(child.stdout);
  let url: string | undefined;
  while (url === undefined) {
    url = /answers on (http:\/\/[\w.]+:\d+)/.exec(out())?.[1];
    if (url === undefined && child.exitCode !== null) throw new Error(`serve ended at once: ${err()}`);
    if (url === undefined) await Bun.sleep(2);
  }
  const address = url;
  return {
    url: address,
    pid: child.pid,
    status: async () => {
      const answer = await fetch(`${address}/status`);
      if (answer.status !== 200) throw new Error(`/status answered ${answer.status}`);
      return (await answer.json()) as StatusBody;
    },
    latest: () => fetch(`${address}/v1/latest`),
    log: () =>
      err()
        .split("\n")
        .filter((line) => line !== ""),
    end: async (signal = "SIGTERM") => {
      child.kill(signal);
      return await child.exited;
    },
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

function gathered(stream: ReadableStream<Uint8Array>): () => string {
  const decoder = new TextDecoder();
  let text = "";
  void (async () => {
    for await (const part of stream) text += decoder.decode(part, { stream: true });
  })();
  return () => text;
}
