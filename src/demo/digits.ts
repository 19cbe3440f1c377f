/** How numbers are printed where a format has no fixed decimals. */

/** "366.90" → "366.9", "32.00" → "32". */
export function withoutTrailingZeros(printed: string): string {
  if (!printed.includes(".")) return printed;
  let end = printed.length;
  while (printed.charCodeAt(end - 1) === 48) end--;
  if (printed.charCodeAt(end - 1) === 46) end--;
  return printed.slice(0, end);
}
