/** Public unicast and nothing else: the first and the last address of every special block, and those just outside it. */

import { describe, expect, test } from "bun:test";
import { parseAddress } from "#domain/net/address.ts";
import { isPublicAddress } from "#domain/webhook/endpoint-url.ts";
import { seededRandom } from "#test/support/seeded-random.ts";
import { words } from "#test/support/words.ts";

const isPublic = (text: string) => {
  const bytes = parseAddress(text);
  if (bytes === null) throw new Error(text);
  return isPublicAddress(bytes);
};

// First, last, the one before, the one after; null where that belongs to another block, or is not there.
describe.each([
  ["this network", "0.0.0.0", "0.255.255.255", null, "1.0.0.0"],
  ["private 10", "10.0.0.0", "10.255.255.255", "9.255.255.255", "11.0.0.0"],
  ["a carrier's", "100.64.0.0", "100.127.255.255", "100.63.255.255", "100.128.0.0"],
  ["loopback", "127.0.0.0", "127.255.255.255", "126.255.255.255", "128.0.0.0"],
  ["a cloud's wire server", "168.63.129.16", "168.63.129.16", "168.63.129.15", "168.63.129.17"],
  ["link-local", "169.254.0.0", "169.254.255.255", "169.253.255.255", "169.255.0.0"],
  ["private 172.16", "172.16.0.0", "172.31.255.255", "172.15.255.255", "172.32.0.0"],
  ["protocol assignments", "192.0.0.0", "192.0.0.255", "191.255.255.255", "192.0.1.0"],
  ["documentation 1", "192.0.2.0", "192.0.2.255", "192.0.1.255", "192.0.3.0"],
  ["AS112 v4", "192.31.196.0", "192.31.196.255", "192.31.195.255", "192.31.197.0"],
  ["AMT", "192.52.193.0", "192.52.193.255", "192.52.192.255", "192.52.194.0"],
  ["6to4 relays", "192.88.99.0", "192.88.99.255", "192.88.98.255", "192.88.100.0"],
  ["private 192.168", "192.168.0.0", "192.168.255.255", "192.167.255.255", "192.169.0.0"],
  ["AS112 direct", "192.175.48.0", "192.175.48.255", "192.175.47.255", "192.175.49.0"],
  ["benchmarking", "198.18.0.0", "198.19.255.255", "198.17.255.255", "198.20.0.0"],
  ["documentation 2", "198.51.100.0", "198.51.100.255", "198.51.99.255", "198.51.101.0"],
  ["documentation 3", "203.0.113.0", "203.0.113.255", "203.0.112.255", "203.0.114.0"],
  ["multicast", "224.0.0.0", "239.255.255.255", "223.255.255.255", null],
  ["reserved and broadcast", "240.0.0.0", "255.255.255.255", null, null],
  ["IETF assignments", "2001::", "2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff", null, "2001:200::"],
  [
    "documentation v6",
    "2001:db8::",
    "2001:db8:ffff:ffff:ffff:ffff:ffff:ffff",
    "2001:db7:ffff::",
    "2001:db9::",
  ],
  ["6to4", "2002::", "2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "2001:ffff:ffff::", "2003::"],
  ["AS112 v6", "2620:4f:8000::", "2620:4f:8000:ffff:ffff:ffff:ffff:ffff", "2620:4f:7fff::", "2620:4f:8001::"],
  [
    "a former test network",
    "3ffe::",
    "3ffe:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
    "3ffd:ffff::",
    "3fff:1000::",
  ],
  ["documentation v6 2", "3fff::", "3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff", null, "3fff:1000::"],
  ["below global unicast", "::", "1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", null, "2000::"],
  ["above global unicast", "4000::", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "3fff:ffff::", null],
])("%s", (_, first, last, before, after) => {
  test("is not public", () => {
    expect([first, last].filter(isPublic)).toEqual([]);
  });

  test("and its neighbours are", () => {
    expect([before, after].filter((address) => address !== null && !isPublic(address))).toEqual([]);
  });
});

test.each(
  words(`
  ::1 :: ::7f00:1 ::5efe:7f00:1 ::ffff:127.0.0.1 ::ffff:10.0.0.1 ::ffff:169.254.169.254 ::ffff:0:127.0.0.1
  64:ff9b::127.0.0.1 64:ff9b::8.8.8.8 64:ff9b:1::a00:1 100::1 100:0:0:1::1 2001::7f00:1
  2001:0:4136:e378:8000:63bf:80ff:fffe 2001:2::1 2001:10::1 2001:20::1 2002:7f00:1::1 2002:808:808::1
  2606:2800:21f:cb07:0:5efe:7f00:1 2606:2800:21f:cb07:200:5efe:808:808 4000::1 5f00::1 fc00::1 fd00:ec2::254
  fe80::1 fec0::1 ff02::1 ff0e::1 100.100.100.200 192.0.0.192 192.0.0.9
`),
)("not public: %s", (address) => {
  expect(isPublic(address)).toBe(false);
});

test.each(
  words(`
  1.1.1.1 8.8.8.8 93.184.215.14 ::ffff:8.8.8.8 2606:2800:21f:cb07::1 2001:4860:4860::8888
  2a00:1450:4001:81b::200e 2620:fe::fe 2606:2800:21f:cb07:1:5efe:7f00:1
`),
)("public: %s", (address) => {
  expect(isPublic(address)).toBe(true);
});

test("nothing outside 2000::/3 is public, whatever it is", () => {
  const random = seededRandom(5);
  const outside = Array.from({ length: 20_000 }, () =>
    Array.from({ length: 16 }, () => Math.floor(random() * 256)),
  ).filter(([first = 0]) => first >> 5 !== 1);
  expect(outside.length).toBeGreaterThan(10_000);
  expect(outside.filter(isPublicAddress)).toEqual([]);
});

test("bytes that are no address are not public", () => {
  for (const bytes of [[], [8, 8, 8], [8, 8, 8, 8, 8], Array<number>(15).fill(0x20)])
    expect(isPublicAddress(bytes)).toBe(false);
});
