/** The demo that clients call, and what it answers without a client between. */

export const DEMO = { ACCESS: "open", NOW: "2026-04-13T16:30:00Z" };

/** The answers to the questions that every caller asks, in the members that every caller prints. */
export interface Answers {
  readonly base: string;
  /** Of the moment: it moves while the demo runs. */
  readonly eur: number;
  readonly updated: string;
  readonly converted: number;
  readonly batch: readonly number[];
  readonly rows: number;
  readonly first: string;
  readonly firstEur: number;
  readonly refused: string;
}

const RANGE = "/v1/range?symbols=EUR,GBP&start_date=2026-04-01&end_date=2026-04-10";
const DAY = "/v1/convert/USD/EUR?amount=100.50&date=2026-04-10";

export async function ask(url: string): Promise<Answers> {
  // biome-ignore lint/suspicious/noExplicitAny: bodies are read by name
  const body = async (path: string, init?: RequestInit): Promise<any> =>
    (await fetch(`${url}${path}`, init)).json();
  const latest = await body("/v1/latest?base=USD&symbols=EUR,GBP");
  const batch = await body("/v1/convert", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: '{"from":"USD","pairs":[["EUR",100],["GBP","49.90"]]}',
  });
  const { data } = await body(RANGE);
  return {
    base: latest.base,
    eur: latest.rates.EUR,
    updated: latest.data_updated_at.slice(0, 10),
    converted: (await body(DAY)).converted,
    batch: batch.conversions.map(({ converted }: { converted: number }) => converted),
    rows: data.length,
    first: data[0].date,
    firstEur: data[0].rates.EUR,
    refused: (await body("/v1/convert/USD/XYZ")).code,
  };
}

/** Of live rates the demo moves by less within a few minutes. */
const MOVED = 0.02;

/** What a caller printed that is not what the server answers, member by member; empty when all is. */
export function differences(printed: string, answers: Answers): readonly string[] {
  const seen = JSON.parse(printed);
  const near = (one: number | undefined, other: number) => Math.abs(Number(one) / other - 1) < MOVED;
  const wrong = (Object.keys(answers) as (keyof Answers)[]).filter((name) => {
    if (name === "eur") return !near(seen.eur, answers.eur);
    if (name === "batch") return !answers.batch.every((amount, index) => near(seen.batch?.[index], amount));
    return seen[name] !== answers[name];
  });
  return wrong.map(
    (name) => `${name} is ${JSON.stringify(seen[name])}, not ${JSON.stringify(answers[name])}`,
  );
}
