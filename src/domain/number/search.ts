/** Binary search by place, for ordered values stored in any form. */

/** The first place below `count` where the condition fails, or `count`. The condition must fail at all later places, too. */
export function firstNot(count: number, holds: (place: number) => boolean): number {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}
