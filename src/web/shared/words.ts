/** Texts for readers: names for the contract's codes, counts, durations. */

export const SOURCE_NAMES: Readonly<Record<string, { readonly short: string; readonly long: string }>> = {
  live: { short: "live", long: "live feed, indicative mid" },
  ecb_daily: { short: "ECB", long: "European Central Bank, euro reference rates" },
  fred_daily: { short: "Fed", long: "Federal Reserve H.10, through FRED" },
  banxico_daily: { short: "Banxico", long: "Banco de México, FIX" },
  dof_daily: { short: "DOF", long: "Diario Oficial de la Federación" },
};

export const SESSION_WORDS: Readonly<Record<string, string>> = {
  open: "Market open",
  weekend: "Market closed for the weekend",
  interbank_closed: "Market closed, bank holiday",
};

export const TIER_NAMES = { free: "Free", basic: "Basic", plus: "Plus", pro: "Pro" } as const;

/** "1000000" → "1,000,000". */
export function grouped(count: number | string): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ",");
}

/** "1 call", "12,000 calls". */
export function counted(count: number, noun: string): string {
  return `${grouped(count)} ${noun}${count === 1 ? "" : "s"}`;
}

const UNITS = [
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
] as const;

/** "40 seconds", "2 minutes", "3 hours", "2 days": in the largest unit that fits at least twice, by default rounded down. */
export function durationText(milliseconds: number, round = Math.floor): string {
  const seconds = round(milliseconds / 1000);
  const [unit, width] = UNITS.find(([, width]) => seconds >= 2 * width) ?? ["second", 1];
  return counted(round(seconds / width), unit);
}
