/** Words of the contract in the words of people. */

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
