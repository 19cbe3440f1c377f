/** The dashboard's cookies: their flags, their names on TLS and on loopback, and whose pages may use them. */

import { expect, test } from "bun:test";
import { openCookies, publicUrlFaults } from "#gateways/cookies.ts";

const SITE = "https://rates.example.com";

test.each(["http://localhost:3000", "http://127.0.0.1:3000", "http://[::1]:3000"])(
  "on %s the names are plain, since browsers refuse the prefix without TLS",
  (site) => {
    expect(openCookies(site).session.set("abc", 60)).toBe(
      "crossrate_session=abc; Max-Age=60; Path=/; HttpOnly; SameSite=Lax",
    );
  },
);

test.each([
  "http://rates.example.com",
  "http://10.0.0.5:3000",
  "http://127.0.0.1.example.com",
  "http://localhost.example.com",
  "ftp://rates.example.com",
  "https://user:secret@rates.example.com",
  "https://rates.example.com/path",
  "https://rates.example.com/?a=b",
  "rates.example.com",
  "",
])("%s is refused as a public address", (site) => {
  expect(publicUrlFaults(site)).toHaveLength(1);
  expect(publicUrlFaults(site).join()).not.toContain("secret");
});

test("a cookie is found among others, and only under its whole name", () => {
  const { session } = openCookies(SITE);
  expect(session.read("theme=dark; __Host-crossrate_session=abc; other=1")).toBe("abc");
  expect(session.read("__Host-crossrate_session=abc")).toBe("abc");
  expect(session.read("crossrate_session=abc")).toBeNull();
  expect(session.read("x__Host-crossrate_session=abc; __host-crossrate_session=abc")).toBeNull();
  expect(session.read(null)).toBeNull();
  expect(session.read("")).toBeNull();
  expect(session.read("__Host-crossrate_session=")).toBeNull();
  expect(session.read('__Host-crossrate_session="a b"')).toBeNull();
});

test("two cookies of one name with different values are both refused", () => {
  const { session } = openCookies("http://localhost:3000");
  expect(session.read("crossrate_session=mine; crossrate_session=planted")).toBeNull();
  expect(session.read("crossrate_session=mine; crossrate_session=mine")).toBe("mine");
});

test.each(["a;b", "a b", "a\r\nSet-Cookie: x=y", "", "ü", "x".repeat(3801)])(
  "%p is no value to set",
  (value) => {
    expect(() => openCookies(SITE).session.set(value, 60)).toThrow(TypeError);
  },
);
