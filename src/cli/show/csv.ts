/** Rows as CSV (RFC 4180), for spreadsheets and scripts. */

export function csvLine(cells: readonly (string | null)[]): string {
  return cells.map((cell) => quoted(cell ?? "")).join(",");
}

function quoted(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
