/** Remaining time as a clock. */

/** Whole seconds as "23:59:59". */
export function clockText(seconds: number): string {
  const parts = [seconds / 3600, (seconds / 60) % 60, seconds % 60];
  return parts.map((part) => String(Math.floor(part)).padStart(2, "0")).join(":");
}
