/** Reads Server-Sent Events. After a lost connection it reconnects and continues after the last event. */

import type { Client, Query } from "./client.ts";
import type { Clock } from "./command.ts";
import { Refusal, Unreachable } from "./faults.ts";

export interface ServerEvent {
  readonly event: string;
  readonly data: string;
}

interface Parts {
  readonly signal: AbortSignal;
  readonly clock: Clock;
  /** Reports the end of a connection and the next attempt. */
  readonly lost: (line: string) => void;
}

/** The server sends a comment after 15 seconds without an event: three missing comments are a broken connection. */
const SILENCE_MILLISECONDS = 45_000;
const FIRST_WAIT_SECONDS = 3;
const LONGEST_WAIT_SECONDS = 60;

/**
 * Yields until the signal is aborted. Throws Refusal when another attempt would not help, and Unreachable when the first
 * connection fails; a later one is tried again, with growing waits up to a minute.
 */
export async function* eventsOf(
  client: Client,
  path: string,
  query: Query,
  parts: Parts,
): AsyncGenerator<ServerEvent> {
  const { signal, clock, lost } = parts;
  let lastId: string | null = null;
  let wait = FIRST_WAIT_SECONDS;
  let hasConnected = false;
  for (;;) {
    let ended = "the server ended the stream";
    try {
      const headers = {
        accept: "text/event-stream",
        ...(lastId === null ? {} : { "last-event-id": lastId }),
      };
      const response = await client.open(path, { query, headers, waits: false });
      hasConnected = true;
      // A quiet stream has no event that would reset it.
      wait = FIRST_WAIT_SECONDS;
      for await (const { id, retrySeconds, ...event } of read(response, signal)) {
        if (id !== null) lastId = id;
        wait = retrySeconds ?? FIRST_WAIT_SECONDS;
        if (event.data !== "") yield event;
      }
    } catch (fault) {
      signal.throwIfAborted();
      if (!hasConnected || (fault instanceof Refusal && !isPassing(fault))) throw fault;
      ended = fault instanceof Error ? fault.message : String(fault);
      const asked = fault instanceof Refusal ? fault.retryAfterSeconds : null;
      if (asked !== null) wait = Math.max(wait, asked);
    }
    lost(`${ended}; connecting again in ${wait} s`);
    await clock.sleep(wait * 1000, signal);
    wait = Math.min(wait * 2, LONGEST_WAIT_SECONDS);
  }
}

function isPassing({ status }: Refusal): boolean {
  return status === 429 || status >= 500;
}

interface ReadEvent extends ServerEvent {
  readonly id: string | null;
  readonly retrySeconds: number | null;
}

/** Reads one connection. Ends with the body; throws when it breaks off or stays silent for too long. */
async function* read(response: Response, signal: AbortSignal): AsyncGenerator<ReadEvent> {
  const reader = (response.body ?? new Blob([]).stream()).getReader();
  const decoder = new TextDecoder();
  let text = "";
  try {
    for (;;) {
      const { value } = await withinSilence(reader.read());
      signal.throwIfAborted();
      if (value === undefined) return;
      text += decoder.decode(value, { stream: true });
      const blocks = text.split("\n\n");
      text = blocks.pop() ?? "";
      for (const block of blocks) yield eventIn(block);
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}

function eventIn(block: string): ReadEvent {
  const fields = new Map<string, string>();
  for (const line of block.split("\n")) {
    const [, name = "", value = ""] = /^(\w+): ?(.*)$/.exec(line) ?? [];
    if (name !== "") fields.set(name, value);
  }
  const retry = Number(fields.get("retry") ?? Number.NaN);
  return {
    event: fields.get("event") ?? "message",
    data: fields.get("data") ?? "",
    id: fields.get("id") ?? null,
    retrySeconds: retry > 0 ? retry / 1000 : null,
  };
}

async function withinSilence<T>(reading: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new Unreachable("", "nothing came for 45 seconds")),
      SILENCE_MILLISECONDS,
    );
  });
  try {
    return await Promise.race([reading, silence]);
  } finally {
    clearTimeout(timer);
  }
}
