/** The networks that an address is counted in: the one subscriber's, and the wider one that a single customer can fill with addresses. */

import { describe, expect, test } from "bun:test";
import { clientAddress, networksOf } from "#domain/net/address.ts";

describe("the networks of an address", () => {
  test.each([
    ["192.0.2.7", "192.0.2.7", "192.0.2.0/24"],
    ["::ffff:192.0.2.7", "192.0.2.7", "192.0.2.0/24"],
    ["255.255.255.255", "255.255.255.255", "255.255.255.0/24"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64", "2001:db8:1:0::/56"],
    ["2001:db8:1:2ff::", "2001:db8:1:2ff::/64", "2001:db8:1:200::/56"],
    ["2001:db8:ffff:ffff:ffff:ffff:ffff:ffff", "2001:db8:ffff:ffff::/64", "2001:db8:ffff:ff00::/56"],
    ["::1", "0:0:0:0::/64", "0:0:0:0::/56"],
    ["fe80::1%eth0", "fe80:0:0:0::/64", "fe80:0:0:0::/56"],
  ])("%s: %s in %s", (address, narrow, wide) => {
    expect(networksOf(address)).toEqual({ narrow, wide });
  });

  test.each(["192.0.2.7", "2001:db8:1:2ab:3:4:5:6", "::1", "unix:"])(
    "are the same for the text that clientAddress makes of %s",
    (peer) => {
      const client = clientAddress(peer, null, []);
      expect(networksOf(client)).toEqual(networksOf(peer));
      expect(networksOf(client).narrow).toBe(client);
    },
  );

  test("256 addresses of an IPv4 /24, and 256 /64 of an IPv6 /56, have one wide network and no other", () => {
    const last = Array.from({ length: 512 }, (_, nth) => nth);
    const four = new Set(last.map((nth) => networksOf(`203.0.${nth >> 8}.${nth & 255}`).wide));
    expect([...four]).toEqual(["203.0.0.0/24", "203.0.1.0/24"]);
    const six = new Set(last.map((nth) => networksOf(`2001:db8:7:${nth.toString(16)}::9`).wide));
    expect([...six]).toEqual(["2001:db8:7:0::/56", "2001:db8:7:100::/56"]);
  });

  test.each(["unix:", "", "unknown", "1.2.3", "2001:db8::1::/64"])(
    "%p is no address: itself both times",
    (text) => {
      expect(networksOf(text)).toEqual({ narrow: text, wide: text });
    },
  );
});
