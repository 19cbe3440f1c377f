/** Finished exports are kept within their budget, the newest always, and what goes is what was used longest ago. */

import { expect, test } from "bun:test";
import { createShelf } from "#store/export/shelf.ts";

const file = (name: string, bytes: number) => ({
  path: `/nowhere/crossrate-test/${name}`,
  bytes,
  sha256: "00".repeat(32),
});

test("what fits is found, under its own identity", () => {
  const shelf = createShelf(100);
  shelf.put("a", file("a", 40));
  shelf.put("b", file("b", 60));
  expect(shelf.find("a")).toEqual(file("a", 40));
  expect(shelf.find("b")).toEqual(file("b", 60));
  expect(shelf.find("c")).toBeNull();
  shelf.close();
});

test("the one used longest ago goes first, and finding is using", () => {
  const shelf = createShelf(100);
  for (const name of ["a", "b", "c"]) shelf.put(name, file(name, 30));
  shelf.find("a");
  shelf.put("d", file("d", 30));
  expect(["a", "b", "c", "d"].filter((name) => shelf.find(name) !== null)).toEqual(["a", "c", "d"]);
  shelf.close();
});

test("as many go as make room, and the newest stays whatever its size", () => {
  const shelf = createShelf(100);
  for (const name of ["a", "b", "c"]) shelf.put(name, file(name, 30));
  shelf.put("large", file("large", 1000));
  expect(["a", "b", "c"].map((name) => shelf.find(name))).toEqual([null, null, null]);
  expect(shelf.find("large")?.bytes).toBe(1000);
  shelf.put("d", file("d", 30));
  expect([shelf.find("large"), shelf.find("d")?.bytes]).toEqual([null, 30]);
  shelf.close();
});

test("a closed shelf holds nothing", () => {
  const shelf = createShelf(100);
  shelf.put("a", file("a", 40));
  shelf.close();
  expect(shelf.find("a")).toBeNull();
});

test("an identity put twice is counted with what it holds now", () => {
  const shelf = createShelf(100);
  for (let round = 0; round < 5; round++) shelf.put("a", file(`a${round}`, 40));
  shelf.put("b", file("b", 50));
  expect([shelf.find("a")?.bytes, shelf.find("b")?.bytes]).toEqual([40, 50]);
  shelf.close();
});
