/** Whose address a keyless call is counted by: that of the first hop which is no trusted proxy, and never a forged one; and the networks that count with it. */

import { describe, expect, test } from "bun:test";
import { clientAddress, type Network, networksOf, parseNetwork } from "#domain/net/address.ts";
import { words } from "#test/support/words.ts";

const networks = (...texts: string[]) =>
  texts.map((text) => {
    const network = parseNetwork(text);
    if (network === null) throw new Error(text);
    return network;
  });
const NONE: readonly Network[] = [];
const PROXIES = networks("10.0.0.0/8", "192.0.2.1", "fd00::/8", "::1");

describe("the client's address", () => {
  test.each([
    ["192.0.2.7", "192.0.2.7"],
    ["::ffff:192.0.2.7", "192.0.2.7"],
    ["::FFFF:c000:207", "192.0.2.7"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
    ["2001:DB8:1:2::", "2001:db8:1:2::/64"],
    ["2001:0db8:0001:0002:ffff::1", "2001:db8:1:2::/64"],
    ["fe80::1%eth0", "fe80:0:0:0::/64"],
    ["::1", "0:0:0:0::/64"],
    ["64:ff9b::192.0.2.7", "64:ff9b:0:0::/64"],
  ])("of the peer %s is %s", (peer, client) => {
    expect(clientAddress(peer, null, NONE)).toBe(client);
  });

  test("without trusted proxies the header is ignored", () => {
    expect(clientAddress("192.0.2.7", "203.0.113.5", NONE)).toBe("192.0.2.7");
  });

  test.each([
    ["one proxy", "10.0.0.1", "203.0.113.5", "203.0.113.5"],
    ["what the client wrote itself stands further left", "10.0.0.1", "1.2.3.4, 203.0.113.5", "203.0.113.5"],
    ["two proxies", "10.0.0.1", "203.0.113.5, 10.9.9.9", "203.0.113.5"],
    ["a trusted address claimed by the client", "10.0.0.1", "10.0.0.2, 203.0.113.5", "203.0.113.5"],
    ["a peer that is no proxy", "203.0.113.9", "203.0.113.5", "203.0.113.9"],
    ["all of them trusted: the first", "10.0.0.1", "10.0.0.2, 10.0.0.3", "10.0.0.2"],
    ["a proxy seen through IPv6", "::ffff:10.0.0.1", "203.0.113.5", "203.0.113.5"],
    ["IPv6", "fd00::1", "2001:db8::1", "2001:db8:0:0::/64"],
    ["mapped in the header", "10.0.0.1", "::ffff:203.0.113.5", "203.0.113.5"],
    ["ports", "10.0.0.1", "203.0.113.5:4711", "203.0.113.5"],
    ["ports of IPv6", "10.0.0.1", "[2001:db8::1]:4711", "2001:db8:0:0::/64"],
    ["spaces", "10.0.0.1", "  203.0.113.5 ,10.0.0.2", "203.0.113.5"],
    ["an empty header", "10.0.0.1", "", "10.0.0.1"],
  ])("%s", (_, peer, forwarded, client) => {
    expect(clientAddress(peer, forwarded, PROXIES)).toBe(client);
  });

  test.each([
    "a".repeat(5000),
    ...words(`
    unknown _hidden 203.0.113 203.0.113.5.6 0x7f.1 010.0.0.9 1.2.3.256 ::1:: ::: 1:2:3:4:5:6:7:8:9 12345::
    203.0.113.5;10.0.0.1 ,
  `),
  ])("a malformed entry where it counts (%p) leaves the peer", (entry) => {
    expect(clientAddress("10.0.0.1", `203.0.113.5, ${entry}`, PROXIES)).toBe("10.0.0.1");
  });

  test("a malformed entry left of the client is ignored", () => {
    expect(clientAddress("10.0.0.1", "unknown, 203.0.113.5", PROXIES)).toBe("203.0.113.5");
  });

  test("a peer that is no address at all is itself", () => {
    expect(clientAddress("unix:", "203.0.113.5", PROXIES)).toBe("unix:");
  });
});

describe("a network", () => {
  test.each([
    "",
    ...words(
      "10.0.0.1/8 10.0.0.0/33 10.0.0.0/08 10.0.0.0/ 10.0.0.0/8/8 fd00::1/8 fd00::/129 localhost 10.0.0.0/-1",
    ),
  ])("is not %p", (text) => {
    expect(parseNetwork(text)).toBeNull();
  });

  test.each([
    ["0.0.0.0/0", "203.0.113.5", true],
    ["10.0.0.0/9", "10.127.255.255", true],
    ["10.0.0.0/9", "10.128.0.0", false],
    ["192.0.2.1/32", "192.0.2.1", true],
    ["192.0.2.1", "192.0.2.2", false],
    ["2001:db8::/33", "2001:db8:7fff::1", true],
    ["2001:db8::/33", "2001:db8:8000::1", false],
    ["::/0", "10.0.0.1", false],
  ])("%s and %s: %p", (network, peer, isInside) => {
    const client = clientAddress(peer, "203.0.113.77", networks(network));
    expect(client === "203.0.113.77").toBe(isInside);
  });
});

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
