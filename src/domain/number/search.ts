/** Binary search in what is ordered, in whatever form it is stored. */

/** The first place from 0 to before `count` for which the condition does not hold, where it holds for all before it and for no later one; `count` without one. */
export function firstNot(count: number, holds: (place: number) => boolean): number {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}
