/** The currency behind each country and money name of the US Treasury, by the list beside this file: its report has no codes. */

import list from "./treasury-currencies.txt" with { type: "text" };

const CODES = new Map(
  [...list.matchAll(/^([A-Z]{3}|none) (.+)$/gm)].flatMap(([, code = "", names = ""]) =>
    names.split("|").map((name) => [name.trim().toLowerCase(), code] as const),
  ),
);
/** The zone has its own line; countries of it that are listed beside it, now and then with an older rate, add nothing. */
const EURO_COUNTRY = /-euro$/;

/**
 * The ISO 4217 code of a `country_currency_desc`, upper and lower case alike; "none" where its line is no rate of its
 * own; null for a name that is not in the list.
 */
export function treasuryCurrency(description: string): string | null {
  const name = description.trim().toLowerCase();
  return CODES.get(name) ?? (EURO_COUNTRY.test(name) ? "none" : null);
}
