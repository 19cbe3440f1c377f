/** Forms that Elysia takes without a word and then runs otherwise than they read. */

import { expect, test } from "bun:test";
import { Glob } from "bun";
import { sampleApp } from "#test/api/sample-world.ts";

const AsyncFunction = (async () => {}).constructor;

test("every handler is an async function: of others Elysia guesses from the source whether they give a promise", () => {
  const { routes } = sampleApp();
  expect(routes.length).toBeGreaterThan(90);
  const plain = routes.filter(({ handler }) => !(handler instanceof AsyncFunction));
  expect(plain.map(({ method, path }) => `${method} ${path}`)).toEqual([]);
});

test("parameters at one place of a path have one name: of two Elysia keeps one", () => {
  const names = new Map<string, Set<string>>();
  for (const { path, method } of sampleApp().routes) {
    const segments = path.split("/");
    for (const [index, segment] of segments.entries()) {
      if (!segment.startsWith(":")) continue;
      const place = `${method} ${segments
        .slice(0, index)
        .join("/")
        .replace(/:[^/]+/g, ":")}/:`;
      names.set(place, (names.get(place) ?? new Set()).add(segment));
    }
  }
  expect(names.size).toBeGreaterThan(10);
  expect([...names].filter(([, of]) => of.size > 1).map(([place, of]) => [place, ...of])).toEqual([]);
});

test("hooks that cross all routes come before every route: Elysia leaves out what was registered earlier", () => {
  const { routes } = sampleApp();
  for (const { path, hooks } of routes)
    expect([path, hooks.error?.length ?? 0, (hooks.transform?.length ?? 0) >= 2]).toEqual([path, 1, true]);
});

test("a route that can have a body says how it is read, or is in a document: there its sample call sends a broken one", () => {
  const open = sampleApp().routes.filter(
    ({ method, path, hooks }) =>
      method !== "GET" && hooks.parse === undefined && !/^\/(v1|dashboard\/api)\//.test(path),
  );
  expect(open.map(({ method, path }) => `${method} ${path}`)).toEqual([]);
});

const OWN_MACROS = ["wire", "metered", "reply", "compatible", "session", "accounts"];

async function sources(): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  for await (const path of new Glob("src/{api,web,operate}/**/*.{ts,tsx}").scan("."))
    found.set(path, await Bun.file(path).text());
  return found;
}

test("a guard states parameters alone: of a guard without a callback Elysia forgets our macros", async () => {
  const forgotten: string[] = [];
  let guards = 0;
  for (const [path, text] of await sources())
    for (const [, stated = ""] of text.matchAll(/\.guard\(\{([\s\S]*?)\n? *\}\)\n/g)) {
      guards += 1;
      if (OWN_MACROS.some((name) => new RegExp(`\\b${name}:`).test(stated))) forgotten.push(path);
    }
  expect(guards).toBeGreaterThan(0);
  expect(forgotten).toEqual([]);
});

test("no chain uses two plugins with macros of one name: the later one would answer for the routes of both", async () => {
  const mixed: string[] = [];
  for (const [path, text] of await sources())
    for (const chain of text.split(/\bnew Elysia\(/).slice(1)) {
      const people = new Set(
        Array.from(chain.matchAll(/\.use\((?:\w+\.)?(ownerOf|people|session)\(/g), ([, name]) => name),
      );
      if (people.size > 1) mixed.push(path);
    }
  expect(mixed).toEqual([]);
});

test("no schema transforms or validates an answer: Elysia does not decode every transform, nor compile every schema", async () => {
  for (const { path, hooks } of sampleApp().routes) expect([path, hooks.response]).toEqual([path, undefined]);
  for await (const path of new Glob("src/{api,web,operate}/**/*.ts").scan("."))
    expect([path, /\bTransform\(/.test(await Bun.file(path).text())]).toEqual([path, false]);
});
