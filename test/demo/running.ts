/** What the simulator's tests share: a running one with a clock to set, and ways to ask it by real addresses. */

import type { Instant } from "#domain/time/day.ts";
import { readZipEntry } from "#sources/zip.ts";
import { startFullSimulator } from "#test/support/official/simulator.ts";

export const FILES = "https://www.ecb.europa.eu/stats/eurofxref";
export const SDMX = "https://data-api.ecb.europa.eu/service/data/EXR/D..EUR.SP00.A";
const KEY = "0123456789abcdef0123456789abcdef";
export const OBSERVATIONS = `https://api.stlouisfed.org/fred/series/observations?file_type=json&api_key=${KEY}`;

export async function running(moment: string) {
  let now: Instant = Date.parse(moment);
  const simulator = await startFullSimulator({ now: () => now });
  const get = (url: string, headers: Record<string, string> = {}, init: RequestInit = {}) =>
    fetch(url.replace("https:/", simulator.base), {
      ...init,
      headers: { "accept-encoding": "identity", ...headers },
    });
  return {
    simulator,
    /** Sets the clock, `2026-03-17T16:30:00Z`. */
    at(next: string) {
      now = Date.parse(next);
    },
    /** Asks a real host's address. Nothing is compressed unless requested. */
    get,
    text: async (url: string) => (await get(url)).text(),
    async unzipped(url: string, entry: string) {
      const bytes = new Uint8Array(await (await get(url)).arrayBuffer());
      return new TextDecoder().decode(readZipEntry(bytes, entry, 4_000_000));
    },
  };
}

/** A document with its figures and dates blotted out: what is left is its grammar. */
export function grammarOf(text: string): string {
  return text
    .replace(/\d{4}-\d{2}-\d{2}/g, "<date>")
    .replace(/\d+\.\d+/g, (figure) => `<${figure.length - figure.indexOf(".") - 1}>`);
}

export function linesOf(text: string): string[] {
  return text.replace(/\n$/, "").split("\n");
}
