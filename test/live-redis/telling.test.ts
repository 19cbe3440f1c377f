/** What is logged of a Redis that is lost, comes back, or cannot decide. */

import { beforeEach, describe, expect, test } from "bun:test";
import { type Connection, trackConnection } from "#store/redis/hot-book/hot-book.ts";

const LOST = "served from memory only: ";
const BACK = "redis_recovered";

describe("an outage", () => {
  let now = 0;
  let emitted: string[] = [];
  let connection: Connection;
  beforeEach(() => {
    now = 1_000_000;
    emitted = [];
    connection = trackConnection({ now: () => now }, (event) =>
      emitted.push(event.kind === "redis_unavailable" ? `${event.effect}: ${event.detail}` : event.kind),
    );
  });
  const lostFor = (seconds: number) => {
    for (let second = 0; second <= seconds; second++) {
      connection.lost("gone");
      if (second < seconds) now += 1000;
    }
    connection.answered();
  };

  test("is logged once when it begins and once when it ends, however often it is tried meanwhile", () => {
    lostFor(300);
    expect(emitted).toEqual([`${LOST}gone`, BACK]);
  });

  test("soon after another is logged only once it lasts; a flapping Redis is logged about once a minute", () => {
    for (let flap = 0; flap < 100; flap++) {
      lostFor(0);
      now += 600;
    }
    expect(emitted).toEqual([`${LOST}gone`, BACK]);
    lostFor(0);
    expect(emitted).toHaveLength(4);
    lostFor(4);
    expect(emitted).toHaveLength(4);
    lostFor(6);
    expect(emitted).toEqual([`${LOST}gone`, BACK, `${LOST}gone`, BACK, `${LOST}gone`, BACK]);
  });

  test("is in the state at once, logged or not", () => {
    lostFor(0);
    connection.lost("gone again");
    expect(connection.state()).toMatchObject({ status: "degraded", detail: "Redis: gone again" });
    connection.answered();
    expect(connection.state()).toMatchObject({ status: "ok", detail: null, lastSeenAt: now });
  });

  const reasons: readonly (readonly [string, string])[] = [
    ['Reached the max retries per request limit (which is 0). Refer to "x".', "the connection was closed"],
    [
      "Socket timeout. Expecting data, but didn't receive any in 500ms.",
      "it does not answer, the connection was dropped",
    ],
    ['Unknown RESP type 72 "H". Please report this.', "what answers there does not speak its protocol"],
    [
      "OOM command not allowed when used memory > 'maxmemory'. script: 13f, on @user_script:42.",
      "OOM command not allowed when used memory > 'maxmemory'",
    ],
    ["connect ECONNREFUSED 127.0.0.1:6379", "connect ECONNREFUSED 127.0.0.1:6379"],
  ];
  for (const [message, expected] of reasons) {
    test(`has a plain reason: ${expected}`, () => {
      connection.lost(new Error(message));
      expect(connection.state().detail).toBe(`Redis: ${expected}`);
    });
  }
});
