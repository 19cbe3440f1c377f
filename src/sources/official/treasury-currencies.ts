/** Maps the US Treasury's country and money names to currency codes, by the list beside this file: the report has no codes. */

import list from "./treasury-currencies.txt" with { type: "text" };

const CODES = new Map(
  [...list.matchAll(/^([A-Z]{3}|none) (.+)$/gm)].flatMap(([, code = "", names = ""]) =>
    names.split("|").map((name) => [name.trim().toLowerCase(), code] as const),
  ),
);
/** The euro zone has its own line. Its countries are sometimes listed too, perhaps with an older rate, and are left out. */
const EURO_COUNTRY = /-euro$/;

/**
 * The ISO 4217 code of a `country_currency_desc`, in any case; "none" where its line is not a rate of its own;
 * null for a name that is not in the list.
 */
export function treasuryCurrency(description: string): string | null {
  const name = description.trim().toLowerCase();
  return CODES.get(name) ?? (EURO_COUNTRY.test(name) ? "none" : null);
}
