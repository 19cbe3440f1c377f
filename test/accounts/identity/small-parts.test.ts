import { describe, expect, test } from "bun:test";
import { attempt } from "#accounts/identity/deps.ts";
import { openBackgroundTasks } from "#accounts/identity/links.ts";
import { clientSummary, networkSummary, openLastUsed } from "#accounts/identity/sessions.ts";
import { NOW } from "./fixture.ts";

describe("the list of sessions names the program, never the whole header", () => {
  test.each([
    ["Mozilla/5.0 (X11; Linux x86_64; rv:125.0) Gecko/20100101 Firefox/125.0", "Firefox on Linux"],
    [
      "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/124.0.0.0 Safari/537.36 Edg/124.0.0.0",
      "Edge on Windows",
    ],
    [
      "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Safari/605.1.15",
      "Safari on macOS",
    ],
    [
      "Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Mobile/15E148 Safari/604.1",
      "Safari on iOS",
    ],
    [
      "Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/124.0.0.0 Mobile Safari/537.36",
      "Chrome on Android",
    ],
    ["curl/8.5.0", "curl"],
    ["python-requests/2.31.0", "python-requests"],
    ["", null],
    [null, null],
    ["\u001b[31mnot a program", null],
  ])("%p is %p", (header, summary) => {
    expect(clientSummary(header)).toBe(summary);
  });
  test.each([
    ["192.0.2.7", "192.0.2.0/24"],
    ["::ffff:192.0.2.7", "192.0.2.0/24"],
    ["2001:db8:1:2::/64", "2001:db8:1::/48"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1::/48"],
    ["unknown", null],
    ["", null],
  ])("%p is in %p", (address, network) => {
    expect(networkSummary(address)).toBe(network);
  });
});

test("last seen stays pending when it cannot be written", async () => {
  let isDown = true;
  const written: { id: string; at: number }[] = [];
  const seen = openLastUsed({
    markUsed: async (batch) => {
      if (isDown) throw new Error("down");
      written.push(...batch);
    },
  });
  seen.note("ses_a", 5);
  await seen.flush();
  seen.note("ses_a", 4);
  isDown = false;
  await seen.flush();
  expect(written).toEqual([{ id: "ses_a", at: 5 }]);
});

test("background tasks begin with their timer and are bounded; one that is dropped or fails is an event", async () => {
  const emitted: object[] = [];
  const timers: (() => void)[] = [];
  const backgroundTasks = openBackgroundTasks(
    (event) => emitted.push(event),
    (_, run) => timers.push(run),
  );
  let done = 0;
  for (let nth = 0; nth < 1_000; nth++) backgroundTasks.run(async () => void done++);
  await Bun.sleep(0);
  expect([done, emitted.length]).toEqual([0, 800]);
  for (const run of timers) run();
  await backgroundTasks.settled();
  expect(done).toBe(200);
  backgroundTasks.run(async () => {
    throw new Error("no mail today");
  });
  timers.at(-1)?.();
  await backgroundTasks.settled();
  expect(emitted.at(-1)).toEqual({ kind: "job_failed", job: "mail", error: "Error: no mail today" });
});

test("a refused attempt may come again in whole seconds, rounded up", () => {
  const slow = { take: () => 61_500, clear: () => {} };
  const refused = () => attempt(slow, NOW, [{ limit: "sign-in to", key: "ada@example.com" }]);
  expect(refused).toThrow(expect.objectContaining({ code: "rate_limited", retryAfterSeconds: 62 }));
});
