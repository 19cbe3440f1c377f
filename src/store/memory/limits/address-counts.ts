/**
 * Counts of client addresses, some 100 bytes each with their index: addresses can be made up by the hundred thousand, and as objects they
 * took 360.
 */

import type { Cell } from "#domain/limits/cell.ts";
import type { Counts } from "#domain/limits/counts.ts";

/** Where the counts of a caller are. */
export interface CountsPlace {
  counts: Counts;
}

/** The start, the running count and the one before it, for the minute and for the hour. */
const NUMBERS = 6;
/** Memory is taken for so many places at a time. */
const CHUNK_PLACES = 4096;

/** Places by their number, from 0 on. They start empty. */
export function newCountsList(): (nth: number) => CountsPlace {
  const chunks: (Float64Array | undefined)[] = [];
  return (nth) => {
    const chunk = Math.floor(nth / CHUNK_PLACES);
    let numbers = chunks[chunk];
    if (numbers === undefined) {
      numbers = new Float64Array(CHUNK_PLACES * NUMBERS);
      chunks[chunk] = numbers;
    }
    return new Place(numbers, (nth % CHUNK_PLACES) * NUMBERS);
  };
}

class Place implements CountsPlace {
  readonly #numbers: Float64Array;
  readonly #at: number;

  constructor(numbers: Float64Array, at: number) {
    this.#numbers = numbers;
    this.#at = at;
  }

  get counts(): Counts {
    return { minute: this.#cell(0), hour: this.#cell(3), month: null };
  }

  set counts({ minute, hour, month }: Counts) {
    if (month !== null) throw new Error("the calls of a month are not counted for an address");
    this.#setCell(0, minute);
    this.#setCell(3, hour);
  }

  #cell(from: number): Cell {
    const at = this.#at + from;
    const [start, current, previous] = [this.#numbers[at], this.#numbers[at + 1], this.#numbers[at + 2]];
    return { start: start as number, current: current as number, previous: previous as number };
  }

  #setCell(from: number, { start, current, previous }: Cell): void {
    const at = this.#at + from;
    this.#numbers[at] = start;
    this.#numbers[at + 1] = current;
    this.#numbers[at + 2] = previous;
  }
}

/** Places by a number that stands for the address. */
export function newAddressCounts() {
  const places = newCountsList();
  const numbers = new Map<number, number>();
  let last = 0;
  return {
    size: () => numbers.size,
    find: (key: number): CountsPlace | null => {
      const nth = numbers.get(key);
      return nth === undefined ? null : places(nth);
    },
    /** Adds a key that is not there. */
    add: (key: number): CountsPlace => {
      const place = places(last);
      numbers.set(key, last);
      last += 1;
      return place;
    },
    delete: (key: number): void => {
      numbers.delete(key);
    },
  };
}
