/** Large answers: bounded by address and network, and together by the bytes that are held for one reader each. */

import { describe, expect, test } from "bun:test";
import { openLargeBodies, SMALLEST_LARGE } from "#api/response/large-bodies.ts";

const MB = 1024 * 1024;

/** Requests by address; those in `done` have ended. */
function world(most = 1000) {
  const addresses = new Map<Request, string>();
  const done = new Set<Request>();
  let waiting: (() => void)[] = [];
  const large = openLargeBodies({
    most,
    addressOf: (request) => addresses.get(request) ?? "",
    isDone: (request) => done.has(request),
    later: (_, run) => void waiting.push(run),
  });
  const from = (address: string): Request => {
    const request = new Request("http://localhost/");
    addresses.set(request, address);
    return request;
  };
  /** Calls what waits; false where nothing did. */
  const wake = (): boolean => {
    const woken = waiting;
    waiting = [];
    for (const run of woken) run();
    return woken.length > 0;
  };
  return { large, done, from, wake };
}

describe("an address", () => {
  test("has so many large answers open and no more, until one has ended", () => {
    const { large, done, from } = world(3);
    const requests = [1, 2, 3].map(() => from("192.0.2.7"));
    for (const request of requests) {
      large.admit(request);
      large.note(request, 1 * MB);
    }
    const late = () => large.admit(from("192.0.2.7"));
    expect(late).toThrow(
      expect.objectContaining({
        code: "rate_limited",
        details: expect.objectContaining({ retryAfterSeconds: 5 }),
      }),
    );
    large.admit(from("192.0.2.8"));
    done.add(requests[1] as Request);
    late();
  });
  test("is counted by its /64, and its /56 has four times as many", () => {
    const { large, from } = world(2);
    for (let nth = 0; nth < 8; nth++) {
      const request = from(`2001:db8:1:10${nth}::${nth}`);
      large.admit(request);
      large.note(request, NaN);
    }
    expect(() => large.admit(from("2001:db8:1:1ff::1"))).toThrow("large answers");
    large.admit(from("2001:db8:1:200::1"));
  });
  test("is not held with requests whose answers have ended, also where nothing is asked any more", () => {
    const { large, done, from, wake } = world();
    const request = from("10.1.1.1");
    large.note(request, 10 * MB);
    expect(wake()).toBe(true);
    done.add(request);
    expect(wake()).toBe(true);
    expect(wake()).toBe(false);
  });
  test("may have any number of small ones", () => {
    const { large, from } = world(1);
    for (let nth = 0; nth < 10; nth++) {
      const request = from("192.0.2.7");
      large.admit(request);
      large.note(request, SMALLEST_LARGE);
    }
  });
});

test("bytes for one reader each are bounded together, until their answers have ended; small ones always go", () => {
  const { large, done, from, wake } = world();
  const readers = Array.from({ length: 9 }, (_, nth) => from(`10.0.${nth}.1`));
  const body = new Uint8Array(10 * MB);
  for (const reader of readers) expect(large.own(reader, body)).toBe(body);
  const late = () => large.own(from("192.0.2.1"), body);
  expect(late).toThrow(
    expect.objectContaining({
      code: "service_unavailable",
      details: expect.objectContaining({ retryAfterSeconds: 5 }),
    }),
  );
  // A series is refused before it is made.
  expect(() => large.admitLong(from("192.0.2.1"))).toThrow("waiting for their readers");
  const small = body.subarray(0, SMALLEST_LARGE);
  expect(large.own(from("192.0.2.1"), small)).toBe(small);
  done.add(readers[4] as Request);
  expect(late()).toBe(body);
  expect(late).toThrow("waiting for their readers");
  for (const reader of readers) done.add(reader);
  expect(wake()).toBe(true);
  for (let nth = 0; nth < 8; nth++) late();
  expect(late).toThrow("waiting for their readers");
});
