/** Changes in percent. */

/** The sign is written with a true minus; what rounds to zero has none. */
export function percentText(change: number): string {
  const digits = Math.abs(change).toFixed(2);
  if (digits === "0.00") return "0.00 %";
  return `${change < 0 ? "−" : "+"}${digits} %`;
}
