/** What the tests of the parsers share: documents from fixtures or text, windows from dates, and the real documents where they are. */

import { readFileSync } from "node:fs";
import { BrokenDocument } from "#domain/faults/upstream.ts";
import type { Reading, Window } from "#domain/intake/reading.ts";
import { type Day, parseDay } from "#domain/time/day.ts";
import type { UpstreamDocument } from "#ports/upstream.ts";

export function fixture(name: string): string {
  return readFileSync(new URL(`./fixtures/${name}`, import.meta.url), "utf8");
}

export function documentOf(
  content: string | Uint8Array,
  url = "https://example.org/document",
): UpstreamDocument {
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  return { url, bytes, sha256: "0".repeat(64), retrievedAt: 0 };
}

export function day(text: string): Day {
  const found = parseDay(text);
  if (found === null) throw new Error(`not a day: ${text}`);
  return found;
}

export function windowOf(reach: Window["reach"], from: string, to: string): Window {
  return { reach, from: day(from), to: day(to) };
}

/** The figures of a reading that has some, else an error with the outcome. */
export function figuresOf(reading: Reading): Extract<Reading, { outcome: "figures" }> {
  if (reading.outcome === "figures") return reading;
  throw new Error(`no figures but ${JSON.stringify(reading)}`);
}

export function reasonOf(parse: () => unknown): string {
  try {
    parse();
  } catch (error) {
    if (error instanceof BrokenDocument) return error.message;
    throw error;
  }
  throw new Error("the document was read");
}
