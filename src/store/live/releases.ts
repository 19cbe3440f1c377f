/** Small files of live quotes: operators' releases, and the quotes that the collecting process refuses now. */

import { closeSync, existsSync, fsyncSync, openSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { CURRENCY_CODES } from "#domain/currency/currency.ts";
import type { RefusedQuote } from "#domain/live/feed-choice.ts";
import { FEEDS, PRICE, type QuoteRelease } from "#domain/live/live-quote.ts";
import type { Instant } from "#domain/time/day.ts";
import { makeFolder, replaceText, syncPath } from "#store/disk/durable.ts";
import type { Emit } from "#telemetry.ts";

/** Opens the releases that all processes of an installation read. An unreadable line is reported and left out. */
export function openReleases(dataDir: string, emit: Emit) {
  const path = join(dataDir, "live", "releases.ndjson");
  let seen = "";
  let releases: readonly QuoteRelease[] = [];

  /** Reads a changed file again; returns the releases that were not there before. */
  const refresh = (): readonly QuoteRelease[] => {
    const stats = statSync(path, { throwIfNoEntry: false });
    const stamp = stats === undefined ? "" : `${stats.ino} ${stats.size} ${stats.mtimeMs}`;
    if (stamp === seen) return [];
    seen = stamp;
    const read = stamp === "" ? [] : readAll(path, emit);
    const before = new Set(releases.map((release) => JSON.stringify(release)));
    releases = read;
    return read.filter((release) => !before.has(JSON.stringify(release)));
  };
  refresh();
  return {
    /** Returns the releases as last read, in the order in which they were given: the same object until the file changes. */
    list: () => releases,
    refresh,
    /** Durable when this returns. */
    append: (release: QuoteRelease): void => {
      makeFolder(dirname(path));
      const isNew = !existsSync(path);
      const file = openSync(path, "a", 0o600);
      try {
        // The first line end separates this line from one that a crash has cut off. Empty lines are skipped.
        writeFileSync(file, `\n${JSON.stringify(release)}\n`);
        fsyncSync(file);
      } finally {
        closeSync(file);
      }
      if (isNew) syncPath(dirname(path));
      refresh();
    },
  };
}

function readAll(path: string, emit: Emit): readonly QuoteRelease[] {
  const lines = readFileSync(path, "utf8").split("\n");
  return lines.flatMap((line) => {
    const release = line === "" ? [] : parse(line);
    if (release === null) emit({ kind: "release_unreadable", path });
    return release ?? [];
  });
}

function parse(line: string): QuoteRelease | null {
  try {
    const release = JSON.parse(line) as QuoteRelease;
    return isRelease(release) ? release : null;
  } catch (fault) {
    if (fault instanceof SyntaxError) return null;
    throw fault;
  }
}

function isRelease(release: QuoteRelease | null): release is QuoteRelease {
  if (release === null || typeof release !== "object") return false;
  const { at, feed, currency, price, reference } = release;
  const isJudgedBy =
    reference === null ||
    (typeof reference === "object" && reference.perDollar > 0 && Number.isFinite(reference.observedAt));
  return (
    Number.isFinite(at) &&
    FEEDS.includes(feed) &&
    CURRENCY_CODES.includes(currency) &&
    typeof price === "string" &&
    PRICE.test(price) &&
    isJudgedBy
  );
}

/** `at`: when the collecting process last wrote the list, which it does at each change. */
type RefusedList = { readonly at: Instant; readonly refused: readonly RefusedQuote[] };

const refusedPath = (dataDir: string) => join(dataDir, "live", "refused.json");

/** Replaces the list; durable when this resolves. */
export function writeRefused(dataDir: string, list: RefusedList): Promise<void> {
  return replaceText(refusedPath(dataDir), `${JSON.stringify(list)}\n`);
}

/** Returns null when no process has collected yet. Throws when the file is no JSON. */
export function readRefused(dataDir: string): RefusedList | null {
  const path = refusedPath(dataDir);
  return existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as RefusedList) : null;
}
