/** Which addresses an owner may register: one public https address, understood in one way, or a reason and what to do. */

import { describe, expect, test } from "bun:test";
import { readEndpointUrl } from "#domain/webhook/endpoint-url.ts";
import { words } from "#test/support/words.ts";

const at = (text: string, allowPrivate = false) => {
  const found = readEndpointUrl(text, allowPrivate);
  return "refused" in found ? found.refused : found.url;
};
const long = (length: number) => {
  const start = "https://hooks.example.com/";
  return `${start}${"a".repeat(length - start.length)}`;
};

describe("taken, in normal form", () => {
  test.each([
    ["https://hooks.example.com", "https://hooks.example.com/"],
    ["https://hooks.example.com/in?a=1&b=%20", "https://hooks.example.com/in?a=1&b=%20"],
    ["HTTPS://Hooks.Example.COM/In", "https://hooks.example.com/In"],
    ["https://hooks.example.com:443/in", "https://hooks.example.com/in"],
    ["https://hooks.example.com:/in", "https://hooks.example.com/in"],
    ["https://hooks.example.com/a/../b", "https://hooks.example.com/b"],
    ["https://hooks.example.com/a@b?c@d", "https://hooks.example.com/a@b?c@d"],
    ["https://bücher.example/ä?ö", "https://xn--bcher-kva.example/%C3%A4?%C3%B6"],
    ["https://例え.jp/", "https://xn--r8jz45g.jp/"],
    ["https://hooks。example。com/", "https://hooks.example.com/"],
    ["https://my_host.example.com/", "https://my_host.example.com/"],
    ["https://1.example.com/", "https://1.example.com/"],
    ["https://localhost.example.com/", "https://localhost.example.com/"],
    ["https://internal.example.com/", "https://internal.example.com/"],
    ["https://hooks.mylocal/", "https://hooks.mylocal/"],
    [long(2048), long(2048)],
  ])("%s", (text, url) => {
    expect(at(text)).toBe(url);
    // What is stored is read again before every attempt, and must come out as it is.
    expect(at(url)).toBe(url);
  });

  test("it is taken apart once", () => {
    expect(readEndpointUrl("https://Bücher.example:443/in/ä?b=1")).toEqual({
      url: "https://xn--bcher-kva.example/in/%C3%A4?b=1",
      isTls: true,
      host: "xn--bcher-kva.example",
      port: 443,
      authority: "xn--bcher-kva.example",
      target: "/in/%C3%A4?b=1",
    });
  });
});

describe("refused", () => {
  const REFUSED: Readonly<Record<string, readonly string[]>> = {
    too_long: [long(2049), `https://hooks.example.com/${"ž".repeat(400)}`],
    scheme: words(`
      hooks.example.com/in //hooks.example.com/in https:hooks.example.com https:/hooks.example.com
      http://hooks.example.com/ ftp://hooks.example.com/ javascript:alert(1) file:///etc/passwd
    `).concat(""),
    unreadable: [
      " https://hooks.example.com/",
      "https://hooks.example.com/in\n",
      "https://hooks.exa\tmple.com/",
      "https://hooks.example.com/a b",
      "https://hooks.example.com\\@127.0.0.1/",
      "https://hooks.example.com/\u0000",
      "https://hooks.example.com/\ud800",
      ...words(`
        https:// https:///hooks.example.com/ https://:443/ https://hooks.example.com:99999/
        https://hooks.example.com:4x/ https://exa%00mple.com/ https://xn--a.com/
      `),
      // What only resembles an address.
      ...words(`
        https://[fe80::1%25eth0]/ https://[::1/ https://1.2.3.4.5/ https://256.1.1.1/ https://a.0x7f/
      `),
    ],
    user_info: words(`
      https://user@hooks.example.com/ https://user:password@hooks.example.com/ https://@hooks.example.com/
      https://hooks.example.com:443@127.0.0.1/
    `),
    fragment: words(`
      https://hooks.example.com/in#part https://hooks.example.com/in# https://hooks.example.com#@127.0.0.1/
    `),
    port: words("https://hooks.example.com:8443/ https://hooks.example.com:80/ https://hooks.example.com:0/"),
    trailing_dot: words("https://hooks.example.com./ https://hooks.example.com。/ https://localhost./"),
    private_name: words(`
      https://localhost/ https://LOCALHOST/ https://ｌｏｃａｌｈｏｓｔ/ https://app.localhost/ https://intranet/
      https://com/ https://printer.local/ https://printer.LOCAL/ https://metadata.google.internal/
      https://router.home.arpa/
    `),
    host: words(`
      https://a..example.com/ https://*.example.com/ https://-a.example.com/ https://a$b.example.com/
      https://${"a".repeat(64)}.example.com/ https://${"a.".repeat(130)}example.com/
    `),
    address_literal: words(`
      https://127.0.0.1/ https://8.8.8.8/ https://0x7f.1/ https://0X7F000001/ https://2130706433/
      https://017700000001/ https://0177.0.0.1/ https://127.1/ https://127.0.1/ https://①②⑦.0.0.1/
      https://１２７．０．０．１/ https://127。0。0。1/ https://127.0.0.1./ https://%31%32%37.0.0.1/ https://0/
      https://[::1]/ https://[::]/ https://[::ffff:127.0.0.1]/ https://[::ffff:7f00:1]/
      https://[2606:2800:21f:cb07::1]/ https://[0:0:0:0:0:0:0:1]:443/
    `),
  };
  const all = Object.entries(REFUSED).flatMap(([why, texts]) => texts.map((text) => [why, text] as const));
  test.each(all)("%s: %p", (why, text) => expect(at(text)).toBe(why));

  test("with a sentence that states the remedy, and repeats nothing of the address", () => {
    const found = readEndpointUrl("https://user:hunter2@hooks.example.com/");
    expect(found).toEqual({
      refused: "user_info",
      message: "Leave out user name and password: deliveries are proved by their signature.",
    });
  });
});

describe("where private addresses are allowed", () => {
  test.each([
    ["http://127.0.0.1:8080/in", "http://127.0.0.1:8080/in", "127.0.0.1", 8080],
    ["http://localhost/", "http://localhost/", "localhost", 80],
    ["https://[::1]:8443/", "https://[::1]:8443/", "::1", 8443],
    ["http://receiver:9000/", "http://receiver:9000/", "receiver", 9000],
    ["https://hooks.example.com/", "https://hooks.example.com/", "hooks.example.com", 443],
  ])("%s is taken", (text, url, host, port) => {
    expect(readEndpointUrl(text, true)).toMatchObject({ url, host, port });
  });

  test.each([
    ["scheme", "ftp://127.0.0.1/"],
    ["scheme", "file:///etc/passwd"],
    ["user_info", "http://user@127.0.0.1/"],
    ["fragment", "http://127.0.0.1/#a"],
    ["unreadable", "http://127.0.0.1/a b"],
    ["too_long", `http://127.0.0.1/${"a".repeat(2048)}`],
    ["host", "http://a..b/"],
  ])("the rest stays: %s: %s", (refused, text) => {
    expect(at(text, true)).toBe(refused);
  });
});
