/** What an operator is told of a Redis that is lost, comes back, or cannot decide. */

import { beforeEach, describe, expect, test } from "bun:test";
import { type Reach, trackReach } from "#store/redis/connection/reach.ts";

const LOST = "the hot book is served from memory only, Redis: ";
const BACK = "the hot book is shared through Redis again";

describe("an outage", () => {
  let now = 0;
  let told: string[] = [];
  let reach: Reach;
  beforeEach(() => {
    now = 1_000_000;
    told = [];
    reach = trackReach({ now: () => now }, (happening) =>
      told.push(happening.kind === "notice" ? happening.text : happening.kind),
    );
  });
  const lostFor = (seconds: number) => {
    for (let second = 0; second <= seconds; second++) {
      reach.lost("gone");
      if (second < seconds) now += 1000;
    }
    reach.answered();
  };

  test("is told once when it begins and once when it ends, however often it is tried meanwhile", () => {
    lostFor(300);
    expect(told).toEqual([`${LOST}gone`, BACK]);
  });

  test("soon after another is told only once it lasts; a flapping Redis is told of about once a minute", () => {
    for (let flap = 0; flap < 100; flap++) {
      lostFor(0);
      now += 600;
    }
    expect(told).toEqual([`${LOST}gone`, BACK]);
    lostFor(0);
    expect(told).toHaveLength(4);
    lostFor(4);
    expect(told).toHaveLength(4);
    lostFor(6);
    expect(told).toEqual([`${LOST}gone`, BACK, `${LOST}gone`, BACK, `${LOST}gone`, BACK]);
  });

  test("is in the state at once, told or not", () => {
    lostFor(0);
    reach.lost("gone again");
    expect(reach.state()).toMatchObject({ status: "degraded", detail: "Redis: gone again" });
    reach.answered();
    expect(reach.state()).toMatchObject({ status: "ok", detail: null, lastSeenAt: now });
  });

  const words: readonly (readonly [string, string])[] = [
    ['Reached the max retries per request limit (which is 0). Refer to "x".', "the connection was closed"],
    [
      "Socket timeout. Expecting data, but didn't receive any in 500ms.",
      "it says nothing, the connection was dropped",
    ],
    ['Unknown RESP type 72 "H". Please report this.', "what answers there does not speak its protocol"],
    [
      "OOM command not allowed when used memory > 'maxmemory'. script: 13f, on @user_script:42.",
      "OOM command not allowed when used memory > 'maxmemory'",
    ],
    ["connect ECONNREFUSED 127.0.0.1:6379", "connect ECONNREFUSED 127.0.0.1:6379"],
  ];
  for (const [said, plainly] of words) {
    test(`has its reason in plain words: ${plainly}`, () => {
      reach.lost(new Error(said));
      expect(reach.state().detail).toBe(`Redis: ${plainly}`);
    });
  }
});
