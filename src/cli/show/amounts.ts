/** Counts and sizes for people. */

/** `1,234,567`. */
export function printedCount(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ",");
}

/** `812 bytes`, `4.1 kB`, `12.0 MB`: thousands of bytes, one decimal. */
export function printedBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`;
  const units = ["kB", "MB", "GB", "TB"];
  let value = bytes / 1000;
  let unit = 0;
  // What would print as 1000.0 belongs to the next unit.
  while (value >= 999.95 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${value.toFixed(1)} ${units[unit]}`;
}
