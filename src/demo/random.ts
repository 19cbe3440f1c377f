/** Reproducible random numbers. They are counter-based: any value can be computed without the ones before it. */

/** Mixes four integers into 32 well-spread bits. Integer arithmetic only: the same on every machine. */
export function hash(seed: number, stream: number, step: number, node = 0): number {
  let h = Math.imul(seed | 0, 0x9e3779b1) ^ Math.imul(stream + 1, 0x85ebca6b);
  h = scramble(h ^ Math.imul(step + 1, 0xc2b2ae35));
  return scramble(h ^ Math.imul(node + 1, 0x27d4eb2f));
}

/** Standard normal in shape, cut at ±3.46: the sum of four 16-bit uniforms. */
export function gaussian(seed: number, stream: number, step: number, node = 0): number {
  const a = hash(seed, stream, step, node);
  const b = scramble(a ^ 0x5bd1e995);
  const sum = (a & 0xffff) + (a >>> 16) + (b & 0xffff) + (b >>> 16);
  return (sum / 65_536 - 2) * SQRT_3;
}

/**
 * e^x for |x| ≤ 1, by its series. Math.exp may differ in the last bit between machines, and a simulated
 * document must have the same bytes everywhere.
 */
export function exp(x: number): number {
  let sum = 1;
  // As many terms as still reach the last bit; a walk is seldom far from its level.
  for (let n = Math.abs(x) < 0.25 ? 11 : 18; n > 0; n--) sum = 1 + (x * sum) / n;
  return sum;
}

const SQRT_3 = Math.sqrt(3);

function scramble(bits: number): number {
  let h = bits ^ (bits >>> 16);
  h = Math.imul(h, 0x7feb352d);
  h ^= h >>> 15;
  h = Math.imul(h, 0x846ca68b);
  return (h ^ (h >>> 16)) >>> 0;
}
