/** While two hosts say that this machine's clock is wrong, no document is had; over real HTTP. */

import { expect, test } from "bun:test";
import { openClockWatch } from "#sources/fetch/clock-watch.ts";
import { client, NOW, requestFor, serve } from "#test/sources/upstream-server.ts";

const HOUR = 3_600_000;

/** A client whose clock is ahead of the hosts' by so much; what the hosts add to their answers. */
function world(answer: (host: string) => ResponseInit = () => ({})) {
  let ahead = 0;
  const server = serve((request) => {
    const host = new URL(request.url).pathname.split("/")[1] as string;
    const { headers, ...init } = answer(host);
    return new Response("rates", { ...init, headers: { date: new Date(NOW).toUTCString(), ...headers } });
  });
  const clock = { now: () => NOW + ahead };
  const watch = openClockWatch(clock);
  const { upstream } = client(server.base, { clock, watch, attempts: 1 });
  return {
    watch,
    /** Two clients of one watch: those of daily rates, of live quotes and of official tables. */
    other: client(server.base, { clock, watch, attempts: 1 }).upstream,
    get: (host: string) => upstream.get({ ...requestFor("/rates"), url: `https://${host}/rates` }),
    setAhead: (by: number) => {
      ahead = by;
    },
  };
}

test.each([2 * HOUR, -2 * HOUR, 365 * 24 * HOUR])(
  "a clock that is %d ms ahead: from the second host on",
  async (by) => {
    const { get, other, setAhead, watch } = world();
    setAhead(by);
    await get("a.example");
    expect(watch.verdict().status).toBe("ok");
    const refused = { kind: "clock", message: expect.stringContaining("set it by NTP") };
    expect(get("b.example")).rejects.toMatchObject(refused);
    expect(get("a.example")).rejects.toMatchObject(refused);
    expect(other.get(requestFor("/rates"))).rejects.toMatchObject(refused);
    setAhead(0);
    await get("a.example");
    await get("b.example");
    expect(watch.verdict()).toEqual({ status: "ok", ahead: 0, detail: null });
  },
);

test("three minutes are reported, and refuse nothing", async () => {
  const { get, setAhead, watch } = world();
  setAhead(HOUR / 20);
  for (const host of ["a.example", "b.example", "a.example"]) await get(host);
  expect(watch.verdict()).toMatchObject({ status: "off", ahead: HOUR / 20 });
});

test("one host proves nothing, however often it answers and by whatever path", async () => {
  const { get, setAhead, watch } = world();
  setAhead(2 * HOUR);
  for (let nth = 0; nth < 5; nth++) await get("a.example");
  expect(watch.verdict().status).toBe("ok");
});

test("answers from caches do not count, and those without a readable Date neither", async () => {
  for (const headers of [{ age: "7200" }, { date: "yesterday" }] as const) {
    const { get, setAhead, watch } = world(() => ({ headers }));
    setAhead(2 * HOUR);
    for (const host of ["a.example", "b.example"]) await get(host);
    expect(watch.verdict().status).toBe("ok");
  }
});

test("an answer without a document has the time, too", async () => {
  const { get, setAhead, watch } = world(() => ({ status: 500 }));
  setAhead(2 * HOUR);
  for (const host of ["a.example", "b.example"]) await get(host).catch(() => {});
  expect(watch.verdict().status).toBe("wrong");
});
