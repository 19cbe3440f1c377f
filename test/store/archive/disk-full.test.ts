/** A disk that fills up under appends and flushes: a clear error, nothing durable lost, nothing refused kept, and recovery by itself. */

import { expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import type { LiveQuote } from "#domain/live/live-quote.ts";
import { openQuoteArchive } from "#store/archive/archive.ts";
import { smallDisk } from "#test/support/small-disk.ts";
import { at, lineOf, MINUTE, openTemporary, quote, stored } from "./sample.ts";

const DISK_BYTES = 1024 * 1024;
const disk = smallDisk("a disk that fills up", DISK_BYTES);

const START = at("2026-03-02T00:00:00Z");
let poll = 0;
function nextPoll(size: number): readonly LiveQuote[] {
  poll += 1;
  return Array.from({ length: size }, (_, nth) =>
    quote("USD/EUR", `0.${100_000 + ((poll * 7919 + nth * 104_729) % 899_999)}`, START + poll * MINUTE + nth),
  );
}

test.skipIf(!disk.isMounted).each([0, 4096])(
  "with %d bytes left an append fails by name and leaves nothing behind; with room again the archive continues by itself",
  async (bytesLeft) => {
    const directory = join(disk.path, `append-${bytesLeft}`);
    const archive = await openTemporary(directory);
    const before = nextPoll(20);
    await archive.append(before);
    const filler = join(disk.path, "filler");
    disk.fill(filler, bytesLeft);
    // The first may still find room in the page it ends in.
    const kept = [...before];
    let refused = 0;
    for (let attempt = 0; attempt < 8; attempt++) {
      const quotes = nextPoll(100);
      await archive.append(quotes).then(
        () => kept.push(...quotes),
        (fault) => {
          expect(String(fault)).toMatch(/no space left/i);
          refused += 1;
        },
      );
    }
    expect(refused).toBeGreaterThan(0);
    rmSync(filler);
    const after = nextPoll(10);
    await archive.append(after);
    await archive.close();
    await (await openQuoteArchive({ directory, simulated: false, access: "write" })).close();
    expect([...(await stored(directory))].sort()).toEqual([...kept, ...after].map(lineOf).sort());
    rmSync(directory, { recursive: true });
  },
);

test.skipIf(!disk.isMounted).each([0, 4096])(
  "with %d bytes left a flush fails by name; bars stay whole, a restart on the full disk too, and the next flush completes",
  async (bytesLeft) => {
    const directory = join(disk.path, `flush-${bytesLeft}`);
    const archive = await openTemporary(directory);
    const first = nextPoll(300);
    await archive.append(first);
    await archive.flush();
    const second = nextPoll(3000);
    await archive.append(second);
    const filler = join(disk.path, "filler");
    disk.fill(filler, bytesLeft);
    const query = {
      base: "USD",
      symbol: "EUR",
      from: START,
      to: START + 1e8,
      order: "asc",
      limit: 1e6,
    } as const;
    const ticks = async (of: typeof archive) =>
      (await of.bars({ ...query, widthSeconds: 60 })).reduce((sum, bar) => sum + bar.ticks, 0);

    await expect(archive.flush()).rejects.toThrow(/no space left/i);
    expect(await ticks(archive)).toBe(3300);
    expect((await stored(directory)).length).toBe(300);
    await archive.close();
    const emitted: string[] = [];
    const restarted = await openQuoteArchive({
      directory,
      simulated: false,
      access: "write",
      emit: (event) => emitted.push(JSON.stringify(event)),
    });
    expect(emitted.join()).toMatch(/archive_flush_failed.*no space left/i);
    expect(await ticks(restarted)).toBe(3300);

    rmSync(filler);
    expect(await restarted.flush()).toBe(3000);
    expect(await ticks(restarted)).toBe(3300);
    await restarted.close();
    expect([...(await stored(directory))].sort()).toEqual([...first, ...second].map(lineOf).sort());
    rmSync(directory, { recursive: true });
  },
);
