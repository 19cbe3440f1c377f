/** The prompts: example questions that a person chooses from a menu. */

type Prompt = (typeof PROMPTS)[number];

/** The arguments of a prompt in its question; one that is not required may be absent. */
type Values = Readonly<Record<string, string>>;

const required = (name: string, description: string) => ({ name, description, required: true });
const optional = (name: string, description: string) => ({ name, description, required: false });

/** `text` is the question to the model, with the arguments in it. */
export const PROMPTS = [
  {
    name: "compare_pair",
    title: "Compare a pair over a period",
    description: "How a pair of currencies moved between two days, with the source of every figure.",
    arguments: [
      required("base", "Currency that the rate is for 1 unit of, e.g. USD"),
      required("quote", "Currency that the rate is in units of, e.g. JPY"),
      required("start_date", "First day, YYYY-MM-DD"),
      required("end_date", "Last day, YYYY-MM-DD"),
    ],
    text: ({ base, quote, start_date, end_date }: Values) =>
      `How did ${base}/${quote} move from ${start_date} to ${end_date}?

1. Call get_fluctuation with base ${base}, symbols [${quote}], start_date ${start_date} and end_date ${end_date}.
2. Give both rates with the days that they are of, the change in percent, and the highest and the lowest rate with their dates. Use the digits as they are returned.
3. For the course between them call get_range with the same arguments; add interval 1w above half a year, 1mo above three years, 1q or 1y above ten. Follow next_cursor while has_more is true.
4. Say where the figures come from: the source, and whether the pair is triangulated (derived_symbols).
5. If a date is refused as plan_gated, say which days the plan shows and compare those instead.
6. End with the notice of the answer.`,
  },
  {
    name: "explain_rate",
    title: "Explain a rate",
    description: "Where a rate comes from, how old it is, and how exact.",
    arguments: [
      required("base", "Currency that the rate is for 1 unit of, e.g. USD"),
      required("quote", "Currency that the rate is in units of, e.g. JPY"),
      optional("date", "Day, YYYY-MM-DD; the latest rate without it"),
    ],
    text: ({
      base,
      quote,
      date,
    }: Values) => `Explain the rate of ${base}/${quote}${date === undefined ? " now" : ` on ${date}`}.

1. Call ${date === undefined ? `get_rate with base ${base} and quote ${quote}` : `get_historical with date ${date}, base ${base} and symbols [${quote}]`}.
2. State the rate with all its digits, its source, when it was observed, and how old it is. Say so if it is stale or carried forward.
3. If it is triangulated, say that it was computed through a third currency from published figures, and give derivation_bps_max if there is one.
4. Call search_docs for "rounding" and "triangulation" if the person needs to know how it is computed, and name the page.
5. End with the notice of the answer: the rate is indicative.`,
  },
  {
    name: "watch_official_table",
    title: "What an authority published",
    description: "New publications and corrections of an official table since a day, with their rates.",
    arguments: [
      required("country", "Country of the authority, ISO 3166-1 alpha-3, e.g. MEX"),
      required("type", "Type of the table, e.g. fix, customs, vat"),
      required("since", "Day, YYYY-MM-DD"),
    ],
    text: ({
      country,
      type,
      since,
    }: Values) => `What did the authority of ${country} publish in its table ${type} since ${since}?

1. Call list_official_changes with country ${country}, type ${type} and since ${since}T00:00:00Z. Follow next_cursor while has_more is true.
2. Call get_official_publication with country ${country}, type ${type} and publication latest for the newest one; without publication it is the one in force today.
3. List publications and corrections by date, name what a correction changed by reading its version and the one before, and give the newest rates with the days for which they are valid.
4. Name the authority and the address of its document, and end with the notice of the answer.`,
  },
];

const LONGEST_ARGUMENT = 100;

/** Returns the fault of a prompt's arguments as one sentence, or null. */
export function faultOfArguments(prompt: Prompt, values: Readonly<Record<string, unknown>>): string | null {
  for (const { name, required: isRequired } of prompt.arguments) {
    const value = values[name];
    if (value === undefined && !isRequired) continue;
    // Arguments become part of a text: each is one short token.
    if (typeof value !== "string" || !/^[\w-]+$/.test(value) || value.length > LONGEST_ARGUMENT)
      return `${name} is needed as a short word of letters, digits and hyphens`;
  }
  return null;
}
