/** Addresses of Redis as users of other software write them, and what is said of those that are wrong. */

import { describe, expect, test } from "bun:test";
import { parseRedisAddress } from "#domain/net/redis-address.ts";
import { words } from "#test/support/words.ts";

const NONE = { username: undefined, password: undefined };

describe("an address", () => {
  test.each(["redis://cache:6379", "rediss://ada:secret@cache.example:6380/2", "redis://[2001:db8::1]"])(
    "%s is one server, left as it is",
    (url) => {
      expect(parseRedisAddress(`${url}/`)).toEqual({ kind: "server", url });
    },
  );

  test("of sentinels has hosts, the name of the master, a database, and passwords for both", () => {
    expect(
      parseRedisAddress(
        "rediss+sentinel://ada:open%3Asesame%2F1@a.example:26380,10.0.0.2,[2001:db8::1]:26381/rates.main/3?sentinel_username=eve&sentinel_password=watch%26ward",
      ),
    ).toEqual({
      kind: "sentinel",
      tls: true,
      username: "ada",
      password: "open:sesame/1",
      hosts: [
        { host: "a.example", port: 26_380 },
        { host: "10.0.0.2", port: 26_379 },
        { host: "2001:db8::1", port: 26_381 },
      ],
      name: "rates.main",
      database: 3,
      sentinelLogin: { username: "eve", password: "watch&ward" },
    });
    expect(parseRedisAddress("redis+sentinel://a/rates")).toMatchObject({
      tls: false,
      database: 0,
      sentinelLogin: NONE,
      ...NONE,
    });
  });

  test("of a cluster has hosts and a password", () => {
    const hosts = [
      { host: "a", port: 6379 },
      { host: "b", port: 7001 },
    ];
    expect(parseRedisAddress("redis+cluster://:pa:ss@a,b:7001/")).toEqual({
      kind: "cluster",
      tls: false,
      username: undefined,
      password: "pa:ss",
      hosts,
    });
    expect(parseRedisAddress("REDISS+CLUSTER://ada@a")).toMatchObject({ tls: true, username: "ada" });
  });

  test.each([
    "redis+cluster://a b",
    ...words(`
      http://:hidden@cache redis://cache/a redis://cache/-1 redis://cache/1/2 redis+cluster redis://:hidden@a:6379,b:6379 redis://:hidden@cache?db=1
      redis+cluster://:hid/den@a redis+cluster://:hid@den@a redis+cluster://:hid%en@a redis+cluster://a,,b
      redis+cluster://a:0 redis+cluster://a:65536 redis+cluster:// redis+cluster://a/1 redis+cluster://a?x=1
      redis+sentinel://a:26379 redis+sentinel://a/rates/x redis+sentinel://a/rates/1/2
      redis+sentinel://a/rates?password=hidden redis+sentinel://a/rates?sentinel_password=%`),
  ])("%s is refused", (text) => {
    expect(parseRedisAddress(text)).toBeNull();
  });
});
