/** POST /v1/convert/dated on the wire: both forms, official tables, refusals by place, bounds. The figures themselves: test/rates/window.test.ts. */

import { describe, expect, test } from "bun:test";
import { openTestApp, post } from "#test/api/harness.ts";
import { collectedForEach, DOF, FIX } from "#test/official/collected.ts";

const app = openTestApp();
const PATH = "/v1/convert/dated";
const DAYS = [
  { from: "usd", to: "EUR", amount: "49.90", date: "2026-04-12" },
  { from: "GBP", to: "TWD", amount: 100, date: "2026-04-10" },
  { from: "JPY", to: "JPY", amount: "-0.5", date: "2026-04-08" },
];

const json = (items: unknown) => post({ items });
const csv = (text: string, type = "text/csv") => post(text, { "content-type": type });
const errorsOf = async (response: Response) => (await response.json()).errors;

describe("JSON", () => {
  test("has for each item the rate, the day and the source of /v1/convert with that date", async () => {
    const { conversions, market_session } = await app.get(PATH, json(DAYS));
    expect(market_session).toBe((await app.get("/v1/convert/USD/EUR")).market_session);
    for (const [index, { from, to, amount, date }] of DAYS.entries()) {
      const one = await app.get(`/v1/convert/${from}/${to}?amount=${amount}&date=${date}`);
      const { citation, rate_date, is_filled, ...rest } = conversions[index];
      expect(rest).toEqual({
        ...{ from: one.from, to: one.to, amount: one.amount, date, rate: one.rate },
        ...{ converted: one.converted, source: one.source, derived: one.derived },
      });
      expect(is_filled).toBe(one.is_forward_filled);
      expect(rate_date).toBe(one.data_updated_at.slice(0, 10));
      expect(citation).not.toBeEmpty();
    }
  });

  test("says of a past day that its publication is overdue here, as `stale` of /v1/convert does; of a weekend not", async () => {
    const said = async (now: string, from: string, date: string) => {
      const late = openTestApp({ now: Date.parse(now) });
      const [one] = (await late.get(PATH, json([{ ...DAYS[0], from, date }]))).conversions;
      const { stale } = await late.get(`/v1/convert/${from}/EUR?date=${date}`);
      return [
        stale,
        one.citation.endsWith(" (the publication of the day asked is overdue and missing here)"),
      ];
    };
    // Figures of the ECB end on Monday 13 April; those of H.10 for that week are due on the Monday after.
    expect(await said("2026-04-15T10:00:00Z", "USD", "2026-04-14")).toEqual([true, true]);
    expect(await said("2026-04-15T10:00:00Z", "USD", "2026-04-13")).toEqual([false, false]);
    expect(await said("2026-04-15T10:00:00Z", "USD", "2026-04-12")).toEqual([false, false]);
    expect(await said("2026-04-15T10:00:00Z", "TWD", "2026-04-13")).toEqual([false, false]);
  });

  test("keeps every digit of an amount", async () => {
    const digits = `{"items":[{"from":"EUR","to":"EUR","amount":123456789012.345678,"date":"2026-04-10"}]}`;
    const answer = await (await app.ask(PATH, { ...json([]), body: digits })).text();
    expect(answer).toContain('"amount":123456789012.345678');
  });

  test("as of an instant has what was known then, and a later day is refused", async () => {
    const [first] = DAYS;
    const asOf = `${PATH}?as_of=2026-04-12T09:00:00Z`;
    const body = await app.get(asOf, json([first]));
    expect([body.as_of, body.as_of_basis]).toEqual(["2026-04-12T09:00:00Z", "published"]);
    const refused = await app.refused(asOf, "validation_error", json([{ ...first, date: "2026-04-13" }]));
    expect((await errorsOf(refused))[0].message).toContain("the day of as_of");
    await app.refused(`${PATH}?as_of=2027-01-01T00:00:00Z`, "invalid_request", json([first]));
  });

  test.each([
    [
      { amount: "1,5" },
      "/items/1/amount",
      "not an acceptable amount: 1,5; send a decimal number with a point and no separators",
    ],
    [{ amount: 1e16 }, "/items/1/amount", "not an acceptable amount"],
    [{ date: "2026-02-30" }, "/items/1/date", "no calendar day"],
    [{ date: "" }, "/items/1/date", "an empty text"],
    [{ from: "XXX" }, "/items/1/from", "no currency of"],
    [{ to: "GBp" }, "/items/1/to", "pence"],
    [{ table: "mex" }, "/items/1/table", "country/type"],
    [{ table: "mex/fix", from: "EUR", to: "EUR" }, "/items/1/table", "both EUR"],
    [{ date: "2026-03-01" }, "/items/1", "within the 14 days"],
    [{ date: "1998-12-31" }, "/items/1", "where coverage starts"],
    [{ date: "2026-04-14" }, "/items/1", "after today"],
    [{ amount: true }, "/items/1/amount", "number or a text"],
    [{ day: "2026-04-14" }, "/items/1/day", "none of the documented members"],
  ])("refuses all for one item with %j", async (fault, path, message) => {
    const [item] = DAYS;
    const refused = await app.refused(PATH, "validation_error", json([item, { ...item, ...fault }, item]));
    const errors = await errorsOf(refused);
    expect(errors).toMatchObject([{ path }]);
    expect(errors[0].message).toContain(message);
  });

  test("names every item with a fault", async () => {
    const items = Array.from({ length: 300 }, (_, nth) => ({
      ...DAYS[0],
      date: nth % 2 ? "2026-04-10" : "never",
    }));
    const errors = await errorsOf(await app.refused(PATH, "validation_error", json(items)));
    expect(errors.length).toBe(150);
    expect(errors.at(-1).path).toBe("/items/298/date");
  });

  test("takes 1 to 1,000 items", async () => {
    const items = Array.from({ length: 1001 }, () => DAYS[0]);
    const { conversions } = await app.get(PATH, json(items.slice(1)));
    expect(conversions.length).toBe(1000);
    await app.refused(PATH, "invalid_request", json(items));
    await app.refused(PATH, "validation_error", json([]));
  });
});

describe("a table", () => {
  const TABLE = [
    "memo,To,FROM,amount,date,paid",
    '"Taxi, ""late""\r\nand wet",EUR,usd,49.90,2026-04-12,yes',
    "",
    "Hotel,TWD, GBP ,100,2026-04-10,",
  ];

  test("comes back as it was sent, with the figures of the JSON behind it", async () => {
    const answer = await app.ask(PATH, csv(`\uFEFF${TABLE.join("\n")}`, "text/csv; charset=utf-8"));
    expect(answer.headers.get("content-type")).toBe("text/csv; charset=utf-8");
    const { conversions } = await app.get(PATH, json(DAYS.slice(0, 2)));
    const added = conversions.map((one: Record<string, unknown>) =>
      [
        ...["rate", "converted", "rate_date", "source", "derived", "is_filled"].map((name) => one[name]),
        `"${one["citation"]}"`,
      ].join(","),
    );
    expect(new TextDecoder("utf-8", { ignoreBOM: true }).decode(await answer.bytes())).toBe(
      [
        `\uFEFF${TABLE[0]},rate,converted,rate_date,source,derived,is_filled,citation\r\n`,
        `${TABLE[1]},${added[0]}\r\n`,
        `${TABLE[3]},${added[1]}\r\n`,
      ].join(""),
    );
  });

  test("is refused with the line of every fault", async () => {
    const rows = [...TABLE, "Bus,EUR,USD,1.5,2026-13-01,", "Bus,EUR,USD", "Bus,EUX,USD,?,2026-04-10,"];
    const refused = await app.refused(PATH, "validation_error", csv(rows.join("\n")));
    const paths = (await errorsOf(refused)).map(({ path }: { path: string }) => path);
    expect(paths).toEqual(["line 6, date", "line 7", "line 8, to", "line 8, amount"]);
    const early = await app.refused(
      PATH,
      "validation_error",
      csv([...TABLE, "x,EUR,USD,1,2026-03-01,"].join("\n")),
    );
    expect(await errorsOf(early)).toMatchObject([{ path: "line 6" }]);
  });

  test("as problem+json is refused with the same errors", async () => {
    const init = csv("from,to,amount,date\nUSD,EUR,1,never");
    const headers = { ...init.headers, Accept: "application/problem+json" };
    const refused = await app.ask(PATH, { ...init, headers });
    expect(refused.headers.get("content-type")).toBe("application/problem+json");
    expect(await refused.json()).toMatchObject({ status: 422, errors: [{ path: "line 2, date" }] });
  });

  test.each([
    ["", "empty"],
    ["from,to,amount,date\n", "no row"],
    ["from,to,amount\nUSD,EUR,1", "no column date"],
    ["from;to;amount;date\nUSD;EUR;1;2026-04-10", "separated by commas"],
    ["from\tto\tamount\tdate\nUSD\tEUR\t1\t2026-04-10", "separated by commas"],
    ["from,to,amount,date,Date\nUSD,EUR,1,2026-04-10,x", "two columns date"],
    ["from,to,amount,date,rate\nUSD,EUR,1,2026-04-10,x", "a column rate"],
    ['from,to,amount,date\nUSD,EUR,"1,2026-04-10', "line 2: a quote is open"],
    [new Uint8Array([0x66, 0xe9, 0x0a]), "UTF-8"],
    [`from,to,amount,date\n${"USD,EUR,1,2026-04-10\n".repeat(1001)}`, "at most 1000 rows"],
  ])("is refused as a whole, by its fault: %#", async (body, message) => {
    const refused = await app.refused(PATH, "invalid_request", { ...csv(""), body });
    expect((await refused.json()).message).toContain(message);
  });

  test("of another type, or too large, is refused", async () => {
    await app.refused(PATH, "unsupported_media_type", csv(TABLE.join("\n"), "text/plain"));
    await app.refused(PATH, "payload_too_large", csv(`from,to,amount,date\n${"x".repeat(256 * 1024)}`));
  });
});

describe("an official table", () => {
  const { deps, publish } = collectedForEach();
  const item = { from: "USD", to: "MXN", amount: "2.5", date: "2026-04-11", table: "MEX/fix" };

  test("converts as the call of one official conversion does", async () => {
    await publish(FIX, "2026-04-10", { rate: "17.3400" });
    const official = openTestApp({ official: deps() });
    await publish(DOF, "2026-04-11", { rate: "17.5000" });
    const items = [item, DAYS[1], { ...item, to: "mxn" }, { ...item, table: "mex/dof" }];
    const body = await official.get(PATH, json(items));
    const one = await official.get("/v1/official/mex/fix/convert/USD/MXN/2.5?on=2026-04-11");
    const { rate, converted, citation, derived } = one;
    const expected = {
      ...{ from: "USD", to: "MXN", amount: 2.5, date: "2026-04-11", rate, converted, citation, derived },
      ...{ rate_date: "2026-04-10", source: "mex_fix", is_filled: false },
    };
    const other = { rate: 17.5, rate_date: "2026-04-11", source: "mex_dof" };
    expect(body.conversions).toMatchObject([expected, { source: "ecb_daily" }, expected, other]);
    expect(body.notice).toContain("Official rates");
    expect(body.notice).toContain("Daily reference rates");
  });

  test("as of an instant has the publication and the version that were retrieved by then", async () => {
    await publish(FIX, "2026-04-09", { rate: "17.1000" });
    await publish(FIX, "2026-04-10", { rate: "17.3400" });
    const official = openTestApp({ official: deps() });
    const asOf = `${PATH}?as_of=2026-04-10T09:00:00Z`;
    const early = await official.get(asOf, json([{ ...item, date: "2026-04-10" }]));
    const one = "/v1/official/mex/fix/convert/USD/MXN/2.5?on=2026-04-10&as_of=2026-04-10T09:00:00Z";
    expect(early.conversions[0].citation).toBe((await official.get(one)).citation);
    expect(early.conversions[0].rate).toBe(17.1);
  });

  test("is read in turns: another request is answered meanwhile", async () => {
    await publish(FIX, "2026-04-10", { rate: "17.3400" });
    const official = openTestApp({ official: deps() });
    let isDone = false;
    const items = Array.from({ length: 1000 }, () => item);
    const batch = official.ask(PATH, json(items)).then(() => {
      isDone = true;
    });
    let answered = 0;
    while (!isDone) {
      await official.get("/v1/rate/eur-usd");
      await new Promise<void>((resolve) => setImmediate(resolve));
      answered += 1;
    }
    await batch;
    expect(answered).toBeGreaterThan(20);
  });

  test("without a publication or a rate is a fault of the item, which is named", async () => {
    await publish(FIX, "2026-04-10", { rate: "17.3400" });
    const official = openTestApp({ official: deps() });
    const items = [
      item,
      { ...item, date: "2026-04-01" },
      { ...item, to: "AED" },
      { ...item, table: "mex/none" },
    ];
    const errors = await errorsOf(await official.refused(PATH, "validation_error", json(items)));
    expect(errors.map(({ path }: { path: string }) => path)).toEqual(["/items/1", "/items/2", "/items/3"]);
  });

  test("where tables are switched off, or nothing is collected, is refused with the reason", async () => {
    await app.refused(PATH, "source_unavailable", json([item]));
    await openTestApp({ official: deps() }).refused(PATH, "source_unavailable", json([DAYS[0], item]));
  });
});
