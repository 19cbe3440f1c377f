/** A call of every tool that succeeds in the sample world, with the REST call that it stands for. */

export interface SampleToolCall {
  readonly tool: string;
  readonly given: Record<string, unknown>;
  /** A path, with a body for a POST. Null: no REST call. */
  readonly rest: string | null;
  readonly body?: string;
  /** Members that the tool adds to the body, or all of them where it only reads the headers. */
  readonly adds?: "rounded" | "everything";
  readonly says: readonly string[];
}

export const SAMPLE_CALLS: readonly SampleToolCall[] = [
  {
    ...{ tool: "list_currencies", given: {}, rest: "/v1/currencies" },
    says: ["31 currencies, 465 pairs", "Live now: EUR, JPY"],
  },
  {
    ...{ tool: "get_rate", given: { base: "USD", quote: "JPY" }, rest: "/v1/rate/usd-jpy" },
    says: [
      "1 USD = 157.698 JPY",
      "Source: live; observed 2026-04-13T16:29:58Z, 2 s before",
      "not for settlement",
    ],
  },
  {
    ...{ tool: "get_rate", given: { base: "usd", quote: "mxn", fixing: "banxico", decimals: 2 } },
    rest: "/v1/rate/usd-mxn-banxico?dp=2",
    says: ["17.35 MXN", "banxico_daily"],
  },
  {
    ...{ tool: "get_latest", given: { base: "USD", symbols: ["EUR", "GBP"] } },
    rest: "/v1/latest?base=USD&symbols=EUR,GBP",
    says: [
      "\nsymbol,rate,source,effective_at\nUSD,1,ecb_daily,2026-04-13T12:15:00Z\nEUR,0.85585,live,",
      "\nGBP,0.7457206436,ecb_daily,",
      "4 h before",
    ],
  },
  {
    ...{ tool: "convert", given: { from: "USD", to: "EUR", amount: 1, date: "2026-04-11" } },
    rest: "/v1/convert/USD/EUR?amount=1&date=2026-04-11",
    adds: "rounded",
    says: ["at 0.856824608, in force on 2026-04-11, carried forward", "observed 2026-04-10T12:15:00Z"],
  },
  {
    ...{ tool: "get_historical", given: { date: "2026-04-11", symbols: ["EUR"] } },
    rest: "/v1/2026-04-11?symbols=EUR",
    says: ["2026-04-11 (carried forward from an earlier publication)", "\nEUR,0.856824608,ecb_daily,"],
  },
  {
    ...{ tool: "convert", given: { from: "USD", to: "EUR", amount: "99.99" } },
    rest: "/v1/convert/USD/EUR?amount=99.99",
    adds: "rounded",
    says: ["99.99 USD = 85.58 EUR (85.5764415 to 15 digits, at 0.85585)"],
  },
  {
    ...{ tool: "convert", given: { from: "USD", to: "JPY", amount: 1e-7, date: "2026-04-10" } },
    rest: "/v1/convert/USD/JPY?amount=0.0000001&date=2026-04-10",
    adds: "rounded",
    says: ["0.0000001 USD = 0 JPY", "of 2026-04-10"],
  },
  {
    tool: "convert_batch",
    given: {
      from: "USD",
      pairs: [
        { to: "EUR", amount: 100 },
        { to: "GBP", amount: "49.90" },
      ],
    },
    rest: "/v1/convert",
    body: '{"from":"USD","pairs":[["EUR",100],["GBP","49.90"]]}',
    adds: "rounded",
    says: ["Amounts in USD", "\nEUR,100,85.58,", "\nGBP,49.9,37.21,"],
  },
  {
    tool: "get_range",
    given: { symbols: ["EUR", "GBP"], start_date: "2026-04-09", end_date: "2026-04-13", limit: 2 },
    rest: "/v1/range?symbols=EUR,GBP&start_date=2026-04-09&end_date=2026-04-13&limit=2",
    says: [
      "2 rows",
      "\ndate,EUR,GBP,source,is_forward_filled\n2026-04-09,0.858000858,",
      "More rows follow: send cursor ",
    ],
  },
  {
    tool: "get_range",
    given: {
      symbols: ["GBP", "ISK"],
      start_date: "2026-04-09",
      end_date: "2026-04-13",
      ...{ interval: "1w", aggregate: "mean", order: "desc" },
    },
    rest: "/v1/range?symbols=GBP,ISK&start_date=2026-04-09&end_date=2026-04-13&interval=1w&aggregate=mean&order=desc&limit=100",
    says: [
      "Each row is a week from the day `from` on, with the mean of its days, up to `last_date`",
      "No rate: ISK.",
      "\nfrom,GBP,ISK,last_date,source,is_forward_filled\n2026-04-13,",
      ",,2026-04-10,",
    ],
  },
  {
    tool: "get_fluctuation",
    given: { symbols: ["EUR"], start_date: "2026-04-10", end_date: "2026-04-13" },
    rest: "/v1/fluctuation?symbols=EUR&start_date=2026-04-10&end_date=2026-04-13",
    says: ["\nsymbol,start_rate,start_date,end_rate,", "\nEUR,"],
  },
  {
    tool: "average_rate",
    given: { symbols: ["EUR"], start_date: "2026-04-01", end_date: "2026-04-13" },
    rest: "/v1/average?symbols=EUR&start_date=2026-04-01&end_date=2026-04-13",
    says: ["published days", "\nsymbol,average,days,first,", "\nEUR,"],
  },
  {
    ...{ tool: "search_docs", given: { query: "rate limit headers", limit: 3 }, rest: null },
    adds: "everything",
    says: ["limits"],
  },
  {
    ...{ tool: "list_official_changes", given: { since: "2026-04-13T00:00:00Z", country: "MEX" } },
    rest: "/v1/official/changes?since=2026-04-13T00:00:00Z&country=MEX&limit=50",
    says: [",published,MEX,fix,2026-04-13,1,2026-04-13"],
  },
  {
    ...{ tool: "get_official_publication", given: { country: "MEX", type: "fix" } },
    rest: "/v1/official/MEX/fix/publications/latest",
    says: ["Banco de México, MEX fix 2026-04-13, version 1", "\n1,USD,17.3485,MXN,mid"],
  },
  {
    tool: "convert_official",
    given: { country: "MEX", type: "fix", from: "USD", to: "MXN", amount: 1000, on: "2026-04-13" },
    rest: "/v1/official/MEX/fix/convert/USD/MXN?amount=1000&on=2026-04-13",
    says: ["1000 USD = 17348.50 MXN", "Cite: Banco de México: "],
  },
  {
    ...{ tool: "get_usage", given: {}, rest: "/v1/currencies", adds: "everything" },
    says: ["no limits"],
  },
];
