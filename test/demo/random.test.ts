/** The simulator's chance: reproducible, evenly spread, and an exponential that is the same on every machine. */

import { expect, test } from "bun:test";
import { exp, gaussian, hash } from "#demo/world.ts";

test("exp agrees with the machine's own to the last bits, on both sides of where it takes fewer terms", () => {
  for (let x = -1; x <= 1; x += 1 / 512) expect(Math.abs(exp(x) / Math.exp(x) - 1)).toBeLessThan(1e-15);
});

test("gaussian has mean 0 and deviation 1, and never leaves ±3.47", () => {
  const draws = Array.from({ length: 50_000 }, (_, step) => gaussian(7, 3, step));
  const mean = draws.reduce((sum, draw) => sum + draw) / draws.length;
  const variance = draws.reduce((sum, draw) => sum + (draw - mean) ** 2, 0) / draws.length;
  expect(Math.abs(mean)).toBeLessThan(0.02);
  expect(Math.abs(variance - 1)).toBeLessThan(0.03);
  expect(Math.max(...draws.map(Math.abs))).toBeLessThan(3.47);
});

test("neighbouring seeds, streams, steps and nodes give unrelated bits", () => {
  const seen = new Set<number>();
  for (let a = 0; a < 8; a++)
    for (let b = 0; b < 8; b++)
      for (let c = 0; c < 8; c++) for (let d = 0; d < 8; d++) seen.add(hash(a, b, c, d));
  expect(seen.size).toBeGreaterThan(4090);
  expect(hash(1, 2, 3, 4)).toBe(hash(1, 2, 3, 4));
});
