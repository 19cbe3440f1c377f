/** Rooms (the files and folders of one folder of src) import one another in one direction. Biome sees cycles of files only. */

import { expect, test } from "bun:test";
import { dirname } from "node:path";
import { ROOT } from "./arrow-table.ts";

/** Paths below src of the files that each file imports, types included. */
type Imports = ReadonlyMap<string, readonly string[]>;
/** The rooms that each room of a folder imports. */
type Arrows = ReadonlyMap<string, ReadonlySet<string>>;

const SPECIFIER = /\b(?:from|import)\s*\(?\s*"([#.][^"]+)"/g;

async function importsOf(src: string): Promise<Imports> {
  const imports = new Map<string, readonly string[]>();
  for await (const path of new Bun.Glob("**/*.{ts,tsx}").scan(src)) {
    const code = (await Bun.file(`${src}/${path}`).text()).replace(/\/\*[\s\S]*?\*\//g, "");
    const names = Array.from(code.matchAll(SPECIFIER), ([, name = ""]) =>
      name.startsWith("#") ? name.slice(1) : name.replace(/^\./, dirname(path)).replace(/^\.\//, ""),
    );
    imports.set(path, names);
  }
  return imports;
}

/** `folder` is "" for src itself, else ends with a slash. */
function arrowsIn(imports: Imports, folder: string): Arrows {
  const arrows = new Map<string, Set<string>>();
  const roomOf = (path: string) =>
    path.startsWith(folder) ? (path.slice(folder.length).split("/")[0] as string) : null;
  for (const [path, names] of imports) {
    const from = roomOf(path);
    if (from === null) continue;
    const to = arrows.get(from) ?? new Set();
    for (const name of names) {
      const room = roomOf(name);
      if (room !== null && room !== from) to.add(room);
    }
    arrows.set(from, to);
  }
  return arrows;
}

/** The rooms on cycles, and those that lead to one: what is left when rooms that import no other are taken away in turn. */
function circling(arrows: Arrows): string[] {
  const left = new Map([...arrows].map(([room, to]) => [room, new Set(to)]));
  for (;;) {
    const ends = [...left].filter(([, to]) => [...to].every((room) => !left.has(room)));
    if (ends.length === 0) return [...left.keys()].sort();
    for (const [room] of ends) left.delete(room);
  }
}

const imports = await importsOf(`${ROOT}/src`);
const folders = new Set([""]);
for (const path of imports.keys()) {
  for (let at = path.indexOf("/"); at >= 0; at = path.indexOf("/", at + 1))
    folders.add(path.slice(0, at + 1));
}

test.each([...folders].sort())("no rooms of src/%s import one another in a circle", (folder) => {
  expect(circling(arrowsIn(imports, folder))).toEqual([]);
});

test("a circle of rooms is found where no files import one another in one", () => {
  const planted = new Map([
    ["a/one.ts", ["b/one.ts"]],
    ["b/one.ts", []],
    ["b/two.ts", ["a/two.ts", "c/one.ts"]],
    ["a/two.ts", []],
    ["c/one.ts", []],
  ]);
  expect(circling(arrowsIn(planted, ""))).toEqual(["a", "b"]);
  expect(circling(arrowsIn(planted, "a/"))).toEqual([]);
});
