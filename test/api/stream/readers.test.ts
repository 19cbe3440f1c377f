/** Programs of others read the stream: every event that they give has data, however long the line was silent. */

import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { runQuietly } from "#test/clients/process.ts";
import { listen } from "#test/support/listen.ts";
import { optionalPython } from "#test/support/require-tool.ts";
import { until } from "#test/support/until.ts";
import { openLiveFixture } from "./streaming.ts";

const python = optionalPython(["httpx", "httpx_sse"], "reading the stream with httpx-sse");
describe.skipIf(python === null)("httpx-sse", () => {
  async function read(lastEventId: (first: string) => string) {
    const fixture = await openLiveFixture();
    const own = await fixture.connect("/v1/stream");
    const first = own.events[0]?.id as string;
    await own.leave();
    const asked = [`${listen(fixture.answer).url}/v1/stream`, lastEventId(first), "2"];
    const reader = runQuietly([python as string, join(import.meta.dir, "httpx_sse_reader.py"), ...asked]);
    await until("it is connected", () => fixture.deps.stream.subscribers() === 1);
    await fixture.tick(50);
    for (const [at, JPY] of [
      [60, "157.80"],
      [70, "157.90"],
    ] as const) {
      await fixture.publishAfter(at, { JPY });
    }
    const events = (await reader).trim().split("\n").slice(1);
    return events.map((line) => JSON.parse(line));
  }

  test("gives a snapshot and the changes, and nothing for three heartbeats between them", async () => {
    const events = await read(() => "");
    expect(events.map(({ event }) => event)).toEqual(["snapshot", "rates"]);
    expect(events.map(({ retry }) => retry)).toEqual([3000, null]);
    for (const { data } of events) expect(JSON.parse(data)).toMatchObject({ result: "success" });
  });
  test("gives the changes alone after a return to a state that is known", async () => {
    const events = await read((first) => first);
    expect(events.map(({ event }) => event)).toEqual(["rates", "rates"]);
    expect(events[0]?.retry).toBe(3000);
  });
});
