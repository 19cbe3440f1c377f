/** Which figures become observations, which are held, and which changes are revisions. */

import { describe, expect, test } from "bun:test";
import { accept } from "#domain/acceptance/acceptance.ts";
import type { DocumentReading } from "#domain/acceptance/judgement.ts";
import { ACCEPTANCE_RULES, WITNESS_RULES } from "#domain/acceptance/printed.ts";
import type { CurrencyCode } from "#domain/currency/currency.ts";
import type { Figure } from "#domain/history/observation.ts";
import type { HeldFigure } from "#domain/intake/reading.ts";
import { formatDay } from "#domain/time/day.ts";
import { day } from "#test/domain/history/columns.ts";
import { words } from "#test/support/words.ts";
import { document, figure, Judged } from "./judged.ts";
import { NOTHING } from "./known-in-memory.ts";

const XML = "files/daily XML";
const ZIP = "files/history zip";
const SDMX = "sdmx";
const THURSDAY = "2026-04-09T14:05:00Z";
const FRIDAY = "2026-04-10T14:05:00Z";
const MONDAY = "2026-04-13T14:05:00Z";
const TUESDAY = "2026-04-14T14:05:00Z";

const usd = (date: string, printed: string, publishedAt: string | null = null) =>
  figure(date, "USD", printed, publishedAt);

const dollarOf = (date: string) => ({ date: day(date), base: "EUR", quote: "USD" }) as const;

function dollarAt(printed = "1.1000"): Judged {
  const lifecycle = new Judged();
  lifecycle.read(XML, THURSDAY, [usd("2026-04-09", printed)]);
  return lifecycle;
}

describe("each rule holds what it names and reports the numbers", () => {
  const wrong: [string, Figure, RegExp][] = [
    ["not_a_number", usd("2026-04-10", "NaN"), /"NaN"/],
    ["not_a_number", usd("2026-04-10", "1,1"), /"1,1"/],
    ["not_a_number", usd("2026-04-10", "0x10"), /"0x10"/],
    ["not_a_number", usd("2026-04-10", ""), /""/],
    ["not_finite", usd("2026-04-10", "Infinity"), /"Infinity"/],
    ["not_finite", usd("2026-04-10", "-inf"), /"-inf"/],
    ["not_positive", usd("2026-04-10", "0.0000"), /"0.0000"/],
    ["not_positive", usd("2026-04-10", "-1.1"), /"-1.1"/],
    ["too_many_digits", usd("2026-04-10", "12345678901234567"), /more digits/],
    ["too_many_digits", usd("2026-04-10", "0.0000000000000011"), /more digits/],
    ["wrong_pivot", { ...figure("2026-04-10", "JPY", "110"), base: "USD" }, /USD\/JPY .* EUR/],
    ["wrong_pivot", figure("2026-04-10", "EUR", "1.1"), /EUR\/EUR/],
    ["direction_changed", { ...figure("2026-04-10", "EUR", "0.9"), base: "USD" }, /EUR\/USD/],
    ["outside_coverage", usd("1999-01-01", "1.1"), /1999-01-01/],
    ["future_date", usd("2026-04-14", "1.1"), /2026-04-14 .* 2026-04-13/],
    ["weekend_date", usd("2026-04-11", "1.1"), /Saturday/],
    ["holiday_date", usd("2026-04-06", "1.1"), /2026-04-06 is a holiday of TARGET/],
    ["holiday_date", usd("2025-12-26", "1.1"), /2025-12-26 is a holiday of TARGET/],
    ["decimal_slip", usd("2026-04-10", "11.02"), /11\.02 .* 10\.02 times .* 1\.1 of 2026-04-09/],
    ["decimal_slip", usd("2026-04-10", "0.011"), /power of ten/],
    ["implausible_jump", usd("2026-04-10", "1.45"), /1\.318 times .* factor of 1\.3/],
    ["implausible_jump", usd("2026-04-10", "0.84"), /0\.7636 times .* factor of 1\.3/],
    ["implausible_jump", usd("2026-04-10", "0.0054"), /0\.004909 times .* factor of 1\.3/],
  ];
  test.each(wrong)("%s: %p", (rule, given, reason) => {
    const lifecycle = dollarAt();
    const judgement = lifecycle.read(ZIP, MONDAY, [given]);
    expect(judgement.accepted).toEqual([]);
    expect(judgement.newlyHeld.map((held) => held.rule)).toEqual([rule]);
    expect(judgement.newlyHeld[0]?.reason).toMatch(reason);
    expect(judgement.held).toEqual(judgement.newlyHeld);
    expect(lifecycle.inForce("2026-04-09")?.printed).toBe("1.1000");
  });
  test("no rule about a single figure is left out above", () => {
    const single = ACCEPTANCE_RULES.filter((rule) => !WITNESS_RULES.has(rule));
    expect([...new Set(wrong.map(([rule]) => rule))].sort()).toEqual([...single].sort());
  });
});

test("a figure of a holiday of the source is served once another kind of route states it: a calendar can change", () => {
  const lifecycle = dollarAt();
  lifecycle.read(ZIP, MONDAY, [usd("2026-04-06", "1.1")]);
  expect(lifecycle.inForce("2026-04-06")).toBeNull();
  lifecycle.read(SDMX, MONDAY, [usd("2026-04-06", "1.1")]);
  expect(lifecycle.inForce("2026-04-06")).toEqual({ printed: "1.1", revision: 1 });
  expect(lifecycle.held()).toEqual([]);
});

describe("held figures", () => {
  test("a jump is held however often it is repeated, and the correct figure after it is believed", () => {
    const lifecycle = dollarAt();
    expect(lifecycle.read(XML, FRIDAY, [usd("2026-04-10", "2.5000")]).accepted).toEqual([]);
    lifecycle.read(XML, MONDAY, [usd("2026-04-13", "2.5300")]);
    lifecycle.read(ZIP, TUESDAY, [usd("2026-04-13", "2.53"), usd("2026-04-14", "2.51")]);
    expect(lifecycle.held()).toEqual([
      "USD 2.5000 implausible_jump",
      "USD 2.5300 implausible_jump",
      "USD 2.51 implausible_jump",
    ]);
    lifecycle.read(XML, "2026-04-15T14:05:00Z", [usd("2026-04-15", "1.1040")]);
    expect(lifecycle.held()).toHaveLength(3);
    expect(lifecycle.inForce("2026-04-15")).toEqual({ printed: "1.1040", revision: 1 });
  });

  test("after more than 14 days without a believed value a factor of 5 passes", () => {
    const lifecycle = dollarAt();
    expect(lifecycle.read(XML, "2026-04-23T14:05:00Z", [usd("2026-04-23", "5.4")]).held).toHaveLength(1);
    lifecycle.read(XML, "2026-04-24T14:05:00Z", [usd("2026-04-24", "11.2")]);
    expect(lifecycle.held()).toContain("USD 11.2 decimal_slip");
    expect(lifecycle.read(XML, "2026-04-24T14:05:00Z", [usd("2026-04-24", "5.4")]).accepted).toHaveLength(1);
    const far = dollarAt();
    expect(far.read(XML, "2026-04-24T14:05:00Z", [usd("2026-04-24", "5.6")]).held).toHaveLength(1);
  });

  test("another route with the same value releases it, and what follows is judged against it", () => {
    const lifecycle = dollarAt();
    lifecycle.read(ZIP, MONDAY, [usd("2026-04-10", "1.65"), usd("2026-04-13", "1.66")]);
    expect(lifecycle.held()).toHaveLength(2);
    const judgement = lifecycle.read(SDMX, TUESDAY, [usd("2026-04-10", "1.6500", "2026-04-10T14:00:00Z")]);
    expect(judgement.released.map(({ printed }) => printed)).toEqual(["1.65", "1.66"]);
    expect(lifecycle.held()).toEqual([]);
    expect(lifecycle.inForce("2026-04-10")).toEqual({ printed: "1.65", revision: 1 });
    const released = lifecycle.current.find(({ date }) => date === day("2026-04-10"));
    expect(released).toMatchObject({ document: ZIP, publishedAt: Date.parse("2026-04-10T14:00:00Z") });
    expect(lifecycle.known.statements.every(({ says }) => says === "current")).toBe(true);
  });

  test("two routes in one collection confirm each other", () => {
    const lifecycle = dollarAt();
    const given = [usd("2026-04-10", "1.65")];
    lifecycle.judge(document(ZIP, MONDAY, given), document(SDMX, MONDAY, given));
    expect(lifecycle.held()).toEqual([]);
    expect(lifecycle.inForce("2026-04-10")).toEqual({ printed: "1.65", revision: 1 });
  });

  test("a route does not confirm itself, and files of one publication do not confirm each other", () => {
    const lifecycle = dollarAt();
    lifecycle.read(XML, FRIDAY, [usd("2026-04-10", "1.65")]);
    lifecycle.read(XML, MONDAY, [usd("2026-04-10", "1.6500")]);
    lifecycle.read("files/90-day XML", MONDAY, [usd("2026-04-10", "1.65")]);
    lifecycle.read(ZIP, MONDAY, [usd("2026-04-10", "1.65")]);
    expect(lifecycle.held()).toEqual(["USD 1.65 implausible_jump"]);
    expect(lifecycle.inForce("2026-04-10")).toBeNull();
  });

  test("a second route with a third value: the believable one of them is accepted, else the newest is held", () => {
    const lifecycle = dollarAt();
    lifecycle.read(XML, FRIDAY, [usd("2026-04-10", "1.65")]);
    lifecycle.read(SDMX, FRIDAY, [usd("2026-04-10", "1.75")]);
    expect(lifecycle.held()).toEqual(["USD 1.75 implausible_jump"]);
    lifecycle.read(SDMX, MONDAY, [usd("2026-04-10", "1.1040")]);
    expect(lifecycle.held()).toEqual([]);
    expect(lifecycle.inForce("2026-04-10")).toEqual({ printed: "1.1040", revision: 1 });
    const [first] = lifecycle.known.statements.filter(({ says }) => says === "value");
    expect(first).toMatchObject({ route: XML, printed: "1.65", since: Date.parse(FRIDAY) });
    // The first route repeats its value: no revision, and nothing to hold.
    expect(lifecycle.read(XML, TUESDAY, [usd("2026-04-10", "1.65")]).newlyHeld).toEqual([]);
    expect(lifecycle.inForce("2026-04-10")).toEqual({ printed: "1.1040", revision: 1 });
  });

  test("a route that states something else now does not confirm what it stated before", () => {
    const lifecycle = dollarAt();
    lifecycle.read(SDMX, FRIDAY, [usd("2026-04-10", "1.65")]);
    const [now, before] = [usd("2026-04-10", "1.1040"), usd("2026-04-10", "1.65")];
    lifecycle.judge(document(SDMX, MONDAY, [now]), document(ZIP, MONDAY, [before]));
    expect(lifecycle.inForce("2026-04-10")).toEqual({ printed: "1.1040", revision: 1 });
  });

  test("a held revision is gone when another route states the value in force, and believed when another route follows it", () => {
    const lifecycle = dollarAt();
    lifecycle.read(XML, FRIDAY, [usd("2026-04-09", "1.65")]);
    expect(lifecycle.held()).toHaveLength(1);
    lifecycle.read(SDMX, FRIDAY, [usd("2026-04-09", "1.1")]);
    expect(lifecycle.held()).toEqual([]);
    lifecycle.read(XML, MONDAY, [usd("2026-04-09", "1.65")]);
    expect(lifecycle.held()).toEqual([]);
    lifecycle.read(SDMX, TUESDAY, [usd("2026-04-09", "1.65")]);
    expect(lifecycle.inForce("2026-04-09")).toEqual({ printed: "1.65", revision: 2 });
  });

  test("the authority corrects a held figure in the route that had it: it is accepted, and the wrong one is dropped", () => {
    const lifecycle = dollarAt();
    lifecycle.read(XML, FRIDAY, [usd("2026-04-10", "1.65")]);
    lifecycle.read(XML, MONDAY, [usd("2026-04-10", "1.1050")]);
    expect(lifecycle.held()).toEqual([]);
    // Its old value in a route that lags is neither a revision nor a confirmation.
    lifecycle.read(SDMX, TUESDAY, [usd("2026-04-10", "1.65")]);
    expect(lifecycle.inForce("2026-04-10")).toEqual({ printed: "1.1050", revision: 1 });
  });

  test("a slipped decimal point is never confirmed by another route or later figures, only by command", () => {
    const lifecycle = dollarAt();
    lifecycle.read(XML, FRIDAY, [usd("2026-04-10", "11.000")]);
    lifecycle.read(SDMX, FRIDAY, [usd("2026-04-10", "11.000")]);
    lifecycle.read(XML, MONDAY, [usd("2026-04-13", "11.010")]);
    expect(lifecycle.held()).toEqual(["USD 11.000 decimal_slip", "USD 11.010 decimal_slip"]);
    const key = dollarOf("2026-04-10");
    const judgement = lifecycle.command({ ...key, action: "release" }, "2026-04-13");
    expect(judgement.released.map(({ printed }) => printed)).toEqual(["11.000", "11.010"]);
    expect(lifecycle.held()).toEqual([]);
    expect(lifecycle.inForce("2026-04-10")).toEqual({ printed: "11.000", revision: 1 });
  });

  test("a command cannot make a rate of what is not a number", () => {
    const lifecycle = dollarAt();
    lifecycle.read(XML, FRIDAY, [usd("2026-04-10", "NaN")]);
    const key = dollarOf("2026-04-10");
    lifecycle.command({ ...key, action: "release" }, "2026-04-13");
    expect(lifecycle.held()).toEqual(["USD NaN not_a_number"]);
    lifecycle.command({ ...key, action: "discard" }, "2026-04-13");
    expect(lifecycle.held()).toEqual([]);
  });

  test("a weekend's figure is a rate by command; of a document are released those that only lack a witness and are plausible", () => {
    const lifecycle = dollarAt();
    lifecycle.read(XML, MONDAY, [usd("2026-04-11", "1.1020")]);
    lifecycle.command({ ...dollarOf("2026-04-11"), action: "release" }, "2026-04-13");
    expect(lifecycle.inForce("2026-04-11")).toEqual({ printed: "1.1020", revision: 1 });

    const three = (printed: string) =>
      words("NOK SEK USD").map((code) => figure("2026-04-09", code as CurrencyCode, printed));
    const several = new Judged();
    several.read(SDMX, THURSDAY, three("1.1"));
    several.read(XML, MONDAY, [...three("1.12"), usd("2026-04-11", "1.1")]);
    const [first, ...others] = several.known.held as [HeldFigure, ...HeldFigure[]];
    several.known = { ...several.known, held: [{ ...first, printed: "11.2" }, ...others] };
    const action = { document: first.documentSha256, action: "release" } as const;
    several.command(action, "2026-04-13");
    expect(several.held()).toEqual(["NOK 11.2 decimal_slip", "USD 1.1 weekend_date"]);
    several.command({ ...action, action: "discard" }, "2026-04-13");
    expect(several.held()).toEqual([]);
  });

  test("seen again it stays held once, as first retrieved", () => {
    const lifecycle = dollarAt();
    lifecycle.read(XML, FRIDAY, [usd("2026-04-10", "11.000")]);
    const before = lifecycle.known.held;
    const judgement = lifecycle.read(ZIP, MONDAY, [usd("2026-04-10", "11")]);
    expect(judgement.newlyHeld).toEqual([]);
    expect(lifecycle.known.held).toEqual(before);
  });

  test("a slipped revision is held while the old value is in force", () => {
    const lifecycle = dollarAt();
    lifecycle.read(XML, FRIDAY, [usd("2026-04-10", "1.1020")]);
    lifecycle.read(SDMX, MONDAY, [usd("2026-04-10", "11.020", MONDAY)]);
    expect(lifecycle.held()).toEqual(["USD 11.020 decimal_slip"]);
    expect(lifecycle.inForce("2026-04-10")).toEqual({ printed: "1.1020", revision: 1 });
  });

  test("a slipped first figure of a history is outvoted by those after it", () => {
    const lifecycle = new Judged();
    const [first, ...others] = ["2026-04-08", "2026-04-09", "2026-04-10"] as const;
    lifecycle.read(ZIP, FRIDAY, [usd(first, "11.02"), ...others.map((date) => usd(date, "1.102"))]);
    expect(lifecycle.held()).toEqual(["USD 11.02 decimal_slip"]);
    expect(lifecycle.current).toHaveLength(2);
  });

  test("a slipped figure behind a long gap is outvoted too, although large moves over gaps pass", () => {
    const lifecycle = new Judged();
    const gap = (first: string) => [
      figure("2008-12-09", "ISK", "290.0"),
      figure("2018-02-01", "ISK", first),
      figure("2018-02-02", "ISK", "125.2"),
      figure("2018-02-05", "ISK", "125.0"),
    ];
    lifecycle.read(ZIP, FRIDAY, gap("1251.0"));
    expect(lifecycle.held()).toEqual(["ISK 1251.0 decimal_slip"]);
    expect(lifecycle.current).toHaveLength(3);
    const real = accept(NOTHING, "ecb_daily", [document(ZIP, FRIDAY, gap("125.1"))], day("2026-04-10"));
    expect(real.held).toEqual([]);
  });
});

test("a history read after its newest figure passes whole, however far the currency has moved since", () => {
  const lifecycle = new Judged();
  lifecycle.read(XML, FRIDAY, [figure("2026-04-10", "TRY", "50.1000")]);
  const values = ["1.8230", "1.8300", "1.8410"];
  const history = values.map((printed, nth) => figure(`2005-01-0${nth + 4}`, "TRY", printed));
  lifecycle.read(ZIP, MONDAY, [
    ...history,
    figure("2026-04-09", "TRY", "50.02"),
    figure("2026-04-10", "TRY", "50.1"),
  ]);
  expect(lifecycle.held()).toEqual([]);
  expect(lifecycle.current).toHaveLength(5);
  expect(lifecycle.inForce("2005-01-04", "TRY")).toEqual({ printed: "1.8230", revision: 1 });
});

const DATES = words("2026-04-01 2026-04-02 2026-04-07 2026-04-08 2026-04-09 2026-04-10 2026-04-13");
const TEN = words("USD JPY CZK DKK GBP HUF PLN RON SEK CHF") as CurrencyCode[];
const dayOf = (date: string, values: (at: number) => string) =>
  TEN.map((code, at) => figure(date, code, values(at)));

test("an earlier day's figures under today's date are not served, unless another kind has them too; half of them may be equal", () => {
  const friday = (at: number) => `1${at}.10`;
  const monday = (at: number) => `1${at}.15`;
  const begun = () => {
    const lifecycle = new Judged();
    lifecycle.read(XML, FRIDAY, dayOf("2026-04-10", friday));
    return lifecycle;
  };

  const lifecycle = begun();
  const judgement = lifecycle.read(XML, MONDAY, dayOf("2026-04-13", friday));
  expect(judgement.accepted).toEqual([]);
  expect(judgement.distrusted.map(({ reason }) => reason)).toEqual([
    "10 of its 10 figures of 2026-04-13 are those of 2026-04-10",
  ]);
  expect(lifecycle.held()).toContain("USD 10.10 distrusted_document");
  lifecycle.read(XML, MONDAY, dayOf("2026-04-13", monday));
  expect(lifecycle.inForce("2026-04-13")).toEqual({ printed: "10.15", revision: 1 });
  expect(lifecycle.held()).toEqual([]);

  const older = begun();
  older.read(XML, MONDAY, dayOf("2026-04-13", monday));
  expect(older.read(XML, TUESDAY, dayOf("2026-04-14", friday)).distrusted).toHaveLength(1);
  expect(older.inForce("2026-04-14")).toBeNull();

  // Both days are new, and the second has the figures of the first.
  const twice = begun();
  twice.read(XML, TUESDAY, [...dayOf("2026-04-13", monday), ...dayOf("2026-04-14", monday)]);
  expect(twice.inForce("2026-04-14")).toBeNull();

  const confirmed = begun();
  confirmed.read(XML, MONDAY, dayOf("2026-04-13", friday));
  confirmed.read(SDMX, MONDAY, dayOf("2026-04-13", friday));
  expect(confirmed.inForce("2026-04-13")?.printed).toBe("10.10");

  for (const [equal, served] of [
    [5, "10.10"],
    [6, undefined],
  ] as const) {
    const partly = begun();
    partly.read(
      XML,
      MONDAY,
      dayOf("2026-04-13", (at) => (at < equal ? friday(at) : monday(at))),
    );
    expect(partly.inForce("2026-04-13")?.printed).toBe(served);
  }
});

test("a day on which half of the currencies moved by more than 5 % is not served before another kind has it", () => {
  const times = (factor: (at: number) => number) => (at: number) => (10 * (at + 1) * factor(at)).toFixed(4);
  const inDollars = times(() => 1 / 1.1);
  const read = (values: (at: number) => string) => {
    const lifecycle = new Judged();
    const before = times(() => 1);
    lifecycle.read(XML, FRIDAY, dayOf("2026-04-10", before));
    return { lifecycle, judgement: lifecycle.read(XML, MONDAY, dayOf("2026-04-13", values)) };
  };
  // Against the dollar instead of the euro.
  const { lifecycle, judgement } = read(inDollars);
  expect(judgement.distrusted.map(({ reason }) => reason)).toEqual([
    "half of its 10 figures of 2026-04-13 moved by more than 5 %",
  ]);
  expect(lifecycle.current).toHaveLength(TEN.length);
  lifecycle.read(SDMX, MONDAY, dayOf("2026-04-13", inDollars));
  expect(lifecycle.current).toHaveLength(2 * TEN.length);

  expect(read(times(() => 1.049)).judgement.accepted).toHaveLength(TEN.length);
  expect(read(times((at) => (at < 5 ? 1.09 : 1.01))).judgement.accepted).toEqual([]);
  expect(read(times((at) => (at < 4 ? 1.09 : 1.01))).judgement.accepted).toHaveLength(TEN.length);
});

test("the newest figure of one route that moved by more than a tenth waits for another kind, where one can be asked", () => {
  const KINDS = ["files", "sdmx"];
  const begun = (kinds: readonly string[] = KINDS) => {
    const lifecycle = new Judged(kinds);
    lifecycle.read(XML, FRIDAY, [usd("2026-04-08", "1.1000"), usd("2026-04-10", "1.1000")]);
    return lifecycle;
  };
  const lower = begun();
  lower.read(XML, MONDAY, [usd("2026-04-13", "0.9900")]);
  expect(lower.inForce("2026-04-13")).toBeNull();
  const lifecycle = begun();
  lifecycle.read(XML, MONDAY, [usd("2026-04-13", "1.2200")]);
  expect(lifecycle.inForce("2026-04-13")).toBeNull();
  expect(lifecycle.held()).toEqual(["USD 1.2200 unconfirmed_revision"]);
  // Repetition by the same file is no evidence.
  lifecycle.read(XML, TUESDAY, [usd("2026-04-13", "1.2200")]);
  expect(lifecycle.inForce("2026-04-13")).toBeNull();
  lifecycle.read(SDMX, TUESDAY, [usd("2026-04-13", "1.2200")]);
  expect(lifecycle.inForce("2026-04-13")?.printed).toBe("1.2200");
  expect(lifecycle.held()).toEqual([]);

  const ordinary = begun();
  ordinary.read(XML, MONDAY, [usd("2026-04-13", "1.2100")]);
  expect(ordinary.inForce("2026-04-13")?.printed).toBe("1.2100");
  const lone = begun(["files"]);
  lone.read(XML, MONDAY, [usd("2026-04-13", "1.2200")]);
  expect(lone.inForce("2026-04-13")?.printed).toBe("1.2200");
  // Long ago: the values after it are known.
  const older = begun();
  older.read(ZIP, MONDAY, [usd("2026-04-09", "1.2200")]);
  expect(older.inForce("2026-04-09")?.printed).toBe("1.2200");
});

test("two currencies with each other's values are not served, nor the rest of the day, before another kind has it", () => {
  const THREE = ["NOK", "SEK", "USD"] as const;
  const threeOf = (date: string, ...printed: readonly string[]) =>
    THREE.map((code, at) => figure(date, code, printed[at] as string));
  const begun = () => {
    const lifecycle = new Judged();
    lifecycle.read(XML, FRIDAY, threeOf("2026-04-10", "11.70", "10.90", "1.10"));
    return lifecycle;
  };
  const inForce = (lifecycle: Judged) => THREE.map((code) => lifecycle.inForce("2026-04-13", code)?.printed);

  const lifecycle = begun();
  const { distrusted } = lifecycle.read(XML, MONDAY, threeOf("2026-04-13", "10.92", "11.68", "1.11"));
  expect(distrusted.map(({ reason }) => reason)).toEqual([
    "its EUR/NOK and EUR/SEK of 2026-04-13 are each what the other was before",
  ]);
  expect(inForce(lifecycle)).toEqual([undefined, undefined, undefined]);
  lifecycle.read(SDMX, MONDAY, threeOf("2026-04-13", "11.68", "10.92", "1.11"));
  expect(inForce(lifecycle)).toEqual(["11.68", "10.92", "1.11"]);
  expect(lifecycle.held()).toEqual([]);

  // The day's own moves do not hide it.
  expect(begun().read(XML, MONDAY, threeOf("2026-04-13", "11.04", "11.60", "1.11")).distrusted).toHaveLength(
    1,
  );

  const nearer = begun();
  nearer.read(XML, MONDAY, threeOf("2026-04-13", "11.40", "11.20", "1.11"));
  expect(inForce(nearer)).toEqual(["11.40", "11.20", "1.11"]);
});

describe("revisions", () => {
  test("EUR/NOK of 2025-10-23: 11.5829 is revision 2, and 11.8529 stays as revision 1", () => {
    const lifecycle = new Judged();
    lifecycle.read(XML, "2025-10-22T14:05:00Z", [figure("2025-10-22", "NOK", "11.6430")]);
    lifecycle.read(XML, "2025-10-23T14:05:00Z", [figure("2025-10-23", "NOK", "11.8529")]);
    const judgement = lifecycle.read(SDMX, "2025-10-24T16:40:00Z", [
      figure("2025-10-23", "NOK", "11.5829", "2025-10-24T15:16:04+02:00"),
    ]);
    expect(judgement.revised).toHaveLength(1);
    expect(lifecycle.inForce("2025-10-23", "NOK")).toEqual({ printed: "11.5829", revision: 2 });
    expect(lifecycle.superseded).toMatchObject([{ printed: "11.8529", revision: 1, why: "revised" }]);
  });

  test("another spelling of the same value is none: 366.9 and 366.90", () => {
    const lifecycle = new Judged();
    lifecycle.read(XML, THURSDAY, [figure("2026-04-09", "HUF", "366.90")]);
    const judgement = lifecycle.read(ZIP, FRIDAY, [figure("2026-04-09", "HUF", "366.9")]);
    expect([judgement.accepted, judgement.unchanged]).toEqual([[], 1]);
  });

  test("versions with publication instants become revisions in their order, and come in once", () => {
    const versions = [
      figure("2026-04-09", "NOK", "11.8529", "2026-04-09T15:57:01+02:00"),
      figure("2026-04-09", "NOK", "11.5829", "2026-04-10T15:16:04+02:00"),
    ];
    const lifecycle = new Judged();
    lifecycle.read(SDMX, FRIDAY, versions);
    expect(lifecycle.inForce("2026-04-09", "NOK")).toEqual({ printed: "11.5829", revision: 2 });
    expect(lifecycle.superseded).toMatchObject([{ printed: "11.8529", revision: 1 }]);
    const again = lifecycle.read(SDMX, MONDAY, versions);
    expect([again.accepted, again.withdrawn, again.unchanged]).toEqual([[], [], 2]);
  });

  test("a publication instant is completed without a new revision", () => {
    const lifecycle = dollarAt();
    const judgement = lifecycle.read(SDMX, FRIDAY, [usd("2026-04-09", "1.1", "2026-04-09T15:57:01+02:00")]);
    expect(judgement).toMatchObject({ completed: 1, revised: [] });
    expect(lifecycle.current).toHaveLength(1);
    const publishedAt = Date.parse("2026-04-09T13:57:01Z");
    expect(lifecycle.current[0]).toMatchObject({ printed: "1.1000", revision: 1, publishedAt });
  });

  const APRIL_9 = "2026-04-09";
  /** SDMX alone says when it published a value. */
  const given = (route: string, at: string, printed: string) =>
    document(route, at, [usd(APRIL_9, printed, route === SDMX ? at : null)]);

  test("a route that lags behind a correction does not bring the old value back, however late it is read", () => {
    const lifecycle = dollarAt("1.1000");
    lifecycle.judge(given(SDMX, FRIDAY, "1.1200"));
    expect(lifecycle.inForce(APRIL_9)).toEqual({ printed: "1.1200", revision: 2 });
    for (const at of ["2026-04-10T15:00:00Z", "2026-04-17T14:00:00Z", "2026-06-15T14:00:00Z"]) {
      // The zip was never read before; the XML repeats its value.
      for (const route of [ZIP, XML]) expect(lifecycle.judge(given(route, at, "1.1")).accepted).toEqual([]);
      expect(lifecycle.judge(given(SDMX, at, "1.1200")).accepted).toEqual([]);
    }
    expect(lifecycle.inForce(APRIL_9)).toEqual({ printed: "1.1200", revision: 2 });
  });

  test("what a route stated of an earlier value confirms nothing", () => {
    const lifecycle = dollarAt("1.1000");
    lifecycle.judge(given(XML, FRIDAY, "1.0500"));
    lifecycle.judge(given(SDMX, MONDAY, "1.1200"));
    lifecycle.read(SDMX, "2026-04-15T14:05:00Z", [usd(APRIL_9, "1.0500")]);
    expect(lifecycle.inForce(APRIL_9)).toEqual({ printed: "1.1200", revision: 2 });
  });

  test("a document changes three figures of a series and 20 in all, where no other kind can be asked three; more where one confirms 50 and denies none", () => {
    const some = (codes: number, dates: number, printed: string, at: string | null = null) =>
      DATES.slice(-dates).flatMap((date) =>
        TEN.slice(0, codes).map((code) => figure(date, code, printed, at)),
      );
    const revised = (kinds: readonly string[], ...given: Parameters<Judged["judge"]>) => {
      const lifecycle = new Judged(kinds);
      lifecycle.read(XML, MONDAY, some(10, 7, "1.1000"));
      return lifecycle.judge(...given).revised.length;
    };
    const both = ["files", "sdmx"];
    const dated = (...size: [number, number]) =>
      revised(both, document(SDMX, TUESDAY, some(...size, "1.1200", TUESDAY)));
    expect([dated(1, 3), dated(1, 4), dated(10, 2), dated(7, 3)]).toEqual([3, 0, 20, 0]);
    const alone = (...size: [number, number]) =>
      revised(["files"], document(XML, TUESDAY, some(...size, "1.1200")));
    expect([alone(1, 3), alone(2, 2)]).toEqual([3, 0]);
    const many = some(10, 7, "1.1200");
    const vouched = (confirmed: number, ...denied: Figure[]) => {
      const sample = document(SDMX, TUESDAY, [...many.slice(0, confirmed), ...denied]);
      return revised(both, document(ZIP, TUESDAY, many), sample);
    };
    const other = { ...(many[50] as Figure), printed: "1.1300" };
    expect([vouched(49), vouched(50), vouched(50, other)]).toEqual([49, 70, 50]);
  });

  test("judging the same document again changes nothing, and what is known of the other source stays", () => {
    const lifecycle = new Judged();
    const printed = { USD: "1.1", JPY: "1x", NOK: "11.5", CZK: "2x" };
    const rows = Object.entries(printed).map(([code, text]) =>
      figure("2026-04-10", code as CurrencyCode, text),
    );
    const reading = document(ZIP, FRIDAY, rows);
    expect(lifecycle.judge(reading).accepted).toHaveLength(2);
    expect(lifecycle.held()).toEqual(["CZK 2x not_a_number", "JPY 1x not_a_number"]);
    const { held, statements } = lifecycle.known;
    expect([...new Set(statements.map(({ quote }) => quote))]).toEqual(["CZK", "JPY", "NOK", "USD"]);
    const withFred = <Row extends object>(all: readonly Row[]) => [
      ...all,
      ...all.map((row) => ({ ...row, source: "fred_daily" as const })),
    ];
    const others = { held: withFred(held), statements: withFred(statements) };
    lifecycle.known = { ...lifecycle.known, ...others };
    const again = lifecycle.judge(reading);
    expect([again.accepted, again.newlyHeld, again.unchanged]).toEqual([[], [], 2]);
    expect(lifecycle.known).toMatchObject(others);
  });

  test("SDMX corrects, the XML states the old value, follows, and changes back: only what SDMX dates later is a revision", () => {
    const lifecycle = dollarAt("1.1000");
    lifecycle.judge(given(SDMX, FRIDAY, "1.1200"));
    for (const [at, printed] of [
      [MONDAY, "1.1000"],
      [TUESDAY, "1.1200"],
      ["2026-04-15T14:05:00Z", "1.1000"],
    ] as const) {
      lifecycle.judge(given(XML, at, printed));
      expect(lifecycle.inForce(APRIL_9)).toEqual({ printed: "1.1200", revision: 2 });
    }
    expect(lifecycle.held()).toEqual(["USD 1.1000 unconfirmed_revision"]);
    // Another kind of route states the current value: the claim is refuted, and its repetition is not held again.
    lifecycle.judge(given(SDMX, "2026-04-16T14:05:00Z", "1.1200"));
    lifecycle.judge(given(XML, "2026-04-16T15:05:00Z", "1.1000"));
    expect(lifecycle.held()).toEqual([]);
    lifecycle.judge(given(SDMX, "2026-04-17T14:05:00Z", "1.1300"));
    expect(lifecycle.inForce(APRIL_9)).toEqual({ printed: "1.1300", revision: 3 });
  });

  /** A file whose statement about the day is its first, and SDMX's as of the fixing itself. */
  const first = (route: string, at: string, printed: string) =>
    document(route, at, [usd(APRIL_9, printed, route === SDMX ? "2026-04-09T13:57:01Z" : null)]);

  test("a false correction that its source takes back is refuted after a day: until then the older date is that of an old copy", () => {
    const lifecycle = new Judged();
    const both = (at: string) => lifecycle.judge(first(XML, at, "1.1000"), first(SDMX, at, "1.1000"));
    both(THURSDAY);
    lifecycle.read(SDMX, FRIDAY, [usd(APRIL_9, "1.1200", "2026-04-10T14:00:00Z")]);
    both("2026-04-11T14:04:59Z");
    expect(lifecycle.inForce(APRIL_9)).toEqual({ printed: "1.1200", revision: 2 });
    both("2026-04-11T14:05:00Z");
    expect(lifecycle.inForce(APRIL_9)).toEqual({ printed: "1.1000", revision: 3 });
  });

  test("old copies of both kinds do not take a correction of many days back, in whichever order they come", () => {
    const days = Array.from({ length: 60 }, (_, nth) => formatDay(day("2026-01-05") + nth));
    const read = (route: string, at: string, printed: string, published: string) =>
      document(
        route,
        at,
        days.map((date) => usd(date, printed, route === SDMX ? published : null)),
      );
    for (const [one, other] of [
      [XML, SDMX],
      [SDMX, XML],
    ] as const) {
      const lifecycle = new Judged();
      const both = (at: string, printed: string, published: string) =>
        lifecycle.judge(read(one, at, printed, published), read(other, at, printed, published));
      both(THURSDAY, "1.1000", "2026-04-09T14:00:00Z");
      both(FRIDAY, "1.1200", "2026-04-10T14:00:00Z");
      both("2026-04-10T15:05:00Z", "1.1000", "2026-04-09T14:00:00Z");
      expect(lifecycle.inForce("2026-02-02")).toEqual({ printed: "1.1200", revision: 2 });
    }
  });

  test("a misprint of one document that comes first is corrected by two kinds of routes that agree, in either order", () => {
    for (const [second, third] of [
      [SDMX, ZIP],
      [ZIP, SDMX],
    ] as const) {
      const lifecycle = new Judged();
      lifecycle.judge(first(XML, THURSDAY, "1.1044"));
      lifecycle.judge(first(second, FRIDAY, "1.1000"));
      expect(lifecycle.inForce(APRIL_9)).toEqual({ printed: "1.1044", revision: 1 });
      lifecycle.judge(first(third, MONDAY, "1.1000"));
      expect(lifecycle.inForce(APRIL_9)).toEqual({ printed: "1.1000", revision: 2 });
      // The file repeats its misprint, and two files that lag do not outvote.
      expect(lifecycle.judge(first(XML, TUESDAY, "1.1044")).accepted).toEqual([]);
    }
  });

  test("a withdrawal ends a figure, is recorded once, and a later value is a further revision", () => {
    const lifecycle = dollarAt();
    const gone = { ...dollarOf("2026-04-09"), publishedAt: Date.parse("2026-04-10T13:25:34Z") };
    const first = lifecycle.read(SDMX, FRIDAY, [], [gone]);
    expect(first.withdrawn.map(({ revision }) => revision)).toEqual([1]);
    expect(lifecycle.inForce("2026-04-09")).toBeNull();
    expect(lifecycle.read(SDMX, MONDAY, [], [gone]).withdrawn).toEqual([]);
    lifecycle.read(SDMX, MONDAY, [usd("2026-04-09", "1.1000", "2026-04-09T13:57:01Z")]);
    expect(lifecycle.inForce("2026-04-09")).toBeNull();
    lifecycle.read(SDMX, TUESDAY, [usd("2026-04-09", "1.105", "2026-04-14T12:00:00Z")]);
    expect(lifecycle.inForce("2026-04-09")).toEqual({ printed: "1.105", revision: 2 });
    const later = { ...gone, publishedAt: Date.parse("2026-04-14T13:00:00Z") };
    const again = lifecycle.read(SDMX, TUESDAY, [], [later]);
    expect(again.withdrawn.map(({ revision }) => revision)).toEqual([2]);
  });
});

describe("what a document no longer has", () => {
  const without = (...gone: string[]) =>
    DATES.filter((date) => !gone.includes(date)).map((date) => usd(date, "1.1000"));
  /** One kind of route, which loses figures, where no other could be asked. */
  const read = (route = ZIP, kinds: readonly string[] = []) => {
    const lifecycle = new Judged(kinds);
    lifecycle.read(route, MONDAY, without());
    return lifecycle;
  };

  test.each([[ZIP], ["files/90-day XML"], [SDMX], ["CSV"], ["API"]])(
    "%s: a figure between the first and the last is withdrawn, once, and may return",
    (route) => {
      const lifecycle = read(route);
      const gone = lifecycle.read(route, TUESDAY, without("2026-04-08"));
      expect(gone.withdrawn).toMatchObject([
        { date: day("2026-04-08"), quote: "USD", revision: 1, document: route, publishedAt: null },
      ]);
      expect(lifecycle.inForce("2026-04-08")).toBeNull();
      expect(lifecycle.superseded).toMatchObject([{ printed: "1.1000", why: "withdrawn" }]);
      const again = lifecycle.read(route, "2026-04-15T14:05:00Z", without("2026-04-08"));
      expect([again.withdrawn, again.accepted]).toEqual([[], []]);
      lifecycle.read(route, "2026-04-16T14:05:00Z", without());
      expect(lifecycle.inForce("2026-04-08")).toEqual({ printed: "1.1000", revision: 2 });
    },
  );

  test("neither the first nor the last figure is: a document may begin later, and end earlier", () => {
    const lifecycle = read();
    lifecycle.read(ZIP, TUESDAY, without("2026-04-01", "2026-04-13"));
    lifecycle.read(ZIP, TUESDAY, [usd("2026-04-09", "1.1000")]);
    expect(lifecycle.current).toHaveLength(DATES.length);
  });

  test("three losses are withdrawals; four are a torn document, which is reported and changes nothing in force", () => {
    const three = read().read(ZIP, TUESDAY, without("2026-04-02", "2026-04-07", "2026-04-08"));
    expect([three.withdrawn.length, three.torn]).toEqual([3, []]);
    const lifecycle = read();
    const torn = () =>
      lifecycle.read(ZIP, TUESDAY, without("2026-04-02", "2026-04-07", "2026-04-08", "2026-04-09"));
    for (const { withdrawn, torn: report } of [torn(), torn()]) {
      expect(withdrawn).toEqual([]);
      expect(report).toMatchObject([{ route: ZIP, base: "EUR", quote: "USD", missing: 4 }]);
    }
    expect(lifecycle.current).toHaveLength(DATES.length);
    // Whole again, it withdraws as before.
    lifecycle.read(ZIP, "2026-04-15T14:05:00Z", without("2026-04-08"));
    expect(lifecycle.inForce("2026-04-08")).toBeNull();
  });

  test("what the route never stated is not its to withdraw", () => {
    const lifecycle = read(SDMX);
    for (const at of [TUESDAY, "2026-04-15T14:05:00Z"]) {
      expect(lifecycle.read(ZIP, at, without("2026-04-08")).withdrawn).toEqual([]);
    }
    // Once it has stated the figure, it is.
    lifecycle.read(ZIP, "2026-04-16T14:05:00Z", without());
    expect(lifecycle.read(ZIP, "2026-04-17T14:05:00Z", without("2026-04-08")).withdrawn).toHaveLength(1);
  });

  test("a series that is absent has no effect, and a lake without statements withdraws nothing", () => {
    const lifecycle = read();
    const other = without().map((row) => ({ ...row, quote: "JPY" as const, printed: "160.00" }));
    lifecycle.read(ZIP, TUESDAY, other);
    expect(lifecycle.inForce("2026-04-08")).not.toBeNull();
    lifecycle.known = { ...lifecycle.known, statements: [] };
    expect(lifecycle.read(ZIP, TUESDAY, without("2026-04-08")).withdrawn).toEqual([]);
  });

  test("a value that another route corrected since is not reverted by a route that had the old one", () => {
    const lifecycle = read();
    lifecycle.read(SDMX, TUESDAY, [usd("2026-04-08", "1.1100", TUESDAY)]);
    expect(lifecycle.inForce("2026-04-08")?.revision).toBe(2);
    expect(lifecycle.read(ZIP, "2026-04-15T14:05:00Z", without("2026-04-08")).withdrawn).toEqual([]);
    expect(lifecycle.inForce("2026-04-08")).toEqual({ printed: "1.1100", revision: 2 });
  });

  test("another route that still has a withdrawn figure does not bring it back", () => {
    const lifecycle = read();
    lifecycle.read(SDMX, MONDAY, without());
    lifecycle.read(SDMX, TUESDAY, without("2026-04-08"));
    for (const at of ["2026-04-15T14:05:00Z", "2026-05-15T14:05:00Z"]) lifecycle.read(ZIP, at, without());
    expect(lifecycle.inForce("2026-04-08")).toBeNull();
  });

  test("a held figure that its route no longer has is no longer held", () => {
    const lifecycle = read();
    const held = (printed: string | null) =>
      DATES.flatMap((date) =>
        date !== "2026-04-08" ? [usd(date, "1.1000")] : printed === null ? [] : [usd(date, printed)],
      );
    lifecycle.read(ZIP, TUESDAY, held("1.9"));
    expect(lifecycle.held()).toHaveLength(1);
    lifecycle.read(ZIP, "2026-04-15T14:05:00Z", held(null));
    expect(lifecycle.held()).toEqual([]);
  });
});

describe("a first figure of a day that another kind of route has no figure of", () => {
  const LONE_DAY = "2026-03-20";
  const AROUND = ["2026-03-18", "2026-03-19", "2026-03-24", "2026-03-25"];
  const NEXT = "2026-04-15T14:05:00Z";
  const dollars = (dates: readonly string[]) => dates.map((date) => usd(date, "1.1000"));
  const open = dollars(AROUND);
  const withLoneDay = dollars([...AROUND, LONE_DAY].sort());
  const KINDS = [
    [ZIP, SDMX],
    [SDMX, ZIP],
    ["API", "CSV"],
  ] as const;

  test("is never served, however often its own kind repeats it, and ends when that kind drops it", () => {
    for (const [wrong, other] of KINDS) {
      const lifecycle = new Judged([wrong, other]);
      lifecycle.read(other, MONDAY, open);
      for (const at of [TUESDAY, NEXT]) {
        lifecycle.read(wrong, at, withLoneDay);
        expect(lifecycle.inForce(LONE_DAY)).toBeNull();
        expect(lifecycle.held()).toEqual(["USD 1.1000 unconfirmed_revision"]);
      }
      lifecycle.read(other, NEXT, open);
      expect(lifecycle.inForce(LONE_DAY)).toBeNull();
      lifecycle.read(wrong, "2026-04-16T14:05:00Z", open);
      expect(lifecycle.held()).toEqual([]);
      expect(lifecycle.superseded).toEqual([]);
    }
  });

  test("is not served either where both kinds are read in one collection, a first history too", () => {
    for (const [wrong, other] of KINDS)
      for (const order of [0, 1]) {
        const readings = [document(wrong, MONDAY, withLoneDay), document(other, MONDAY, open)] as const;
        const lifecycle = new Judged([wrong, other]);
        lifecycle.judge(readings[order] as DocumentReading, readings[1 - order] as DocumentReading);
        expect(lifecycle.inForce(LONE_DAY)).toBeNull();
        expect(lifecycle.held()).toEqual(["USD 1.1000 unconfirmed_revision"]);
        expect(lifecycle.current).toHaveLength(AROUND.length);
      }
  });

  test("is served once the other kind states it too", () => {
    for (const [first, other] of KINDS) {
      const lifecycle = new Judged([first, other]);
      lifecycle.read(other, MONDAY, open);
      lifecycle.read(first, TUESDAY, withLoneDay);
      const { released } = lifecycle.read(other, TUESDAY, dollars([LONE_DAY]));
      expect(released).toHaveLength(1);
      expect(lifecycle.inForce(LONE_DAY)).toEqual({ printed: "1.1000", revision: 1 });
      expect(lifecycle.held()).toEqual([]);
      expect(lifecycle.known.statements.filter(({ says }) => says !== "current")).toEqual([]);
    }
  });

  test("is served at once where the other kind ends before its day, or on it, or never covered it", () => {
    for (const [first, other] of KINDS)
      for (const dates of [AROUND.slice(0, 2), AROUND.slice(2)]) {
        const lifecycle = new Judged([first, other]);
        lifecycle.read(other, MONDAY, dollars(dates));
        lifecycle.read(first, MONDAY, withLoneDay);
        expect(lifecycle.inForce(LONE_DAY)).not.toBeNull();
      }
  });

  test("is served at once where only its own kind had none: a late figure comes with one file before the others", () => {
    const lifecycle = new Judged();
    lifecycle.read(ZIP, MONDAY, open);
    lifecycle.read("files/90-day XML", TUESDAY, withLoneDay);
    expect(lifecycle.inForce(LONE_DAY)).not.toBeNull();
  });

  test("is served where the other document lacks more than three days: it is incomplete", () => {
    const march = ["2026-03-16", "2026-03-17", ...AROUND, "2026-03-26", "2026-03-27"];
    const lifecycle = new Judged();
    const sparse = dollars(["2026-03-16", "2026-03-27"]);
    lifecycle.judge(document(ZIP, MONDAY, dollars(march)), document(SDMX, MONDAY, sparse));
    expect(lifecycle.current).toHaveLength(march.length);
    expect(lifecycle.held()).toEqual([]);
  });

  test("that moved too far is not served when the values around it make it plausible", () => {
    const lifecycle = new Judged();
    lifecycle.read(SDMX, MONDAY, open);
    const jumped = withLoneDay.map((row) => (row.date === day(LONE_DAY) ? { ...row, printed: "1.7" } : row));
    lifecycle.read(ZIP, TUESDAY, jumped);
    expect(lifecycle.held()).toEqual(["USD 1.7 implausible_jump"]);
    const nearer = dollars(["2026-03-18"]).concat(usd("2026-03-19", "1.4"));
    lifecycle.judge(document(ZIP, NEXT, nearer), document(SDMX, NEXT, nearer));
    lifecycle.command({ ...dollarOf("2026-03-19"), action: "release" }, "2026-04-15");
    expect(lifecycle.inForce("2026-03-19")).toEqual({ printed: "1.4", revision: 2 });
    expect(lifecycle.inForce(LONE_DAY)).toBeNull();
  });

  test("that was served before the other kind was read ends as soon as both have none", () => {
    for (const [wrong, other] of KINDS) {
      const lifecycle = new Judged([wrong, other]);
      lifecycle.read(wrong, MONDAY, withLoneDay);
      for (const at of [TUESDAY, "2026-04-14T18:05:00Z"]) lifecycle.read(other, at, open);
      expect(lifecycle.known.statements).toContainEqual(
        expect.objectContaining({ route: other, says: "nothing", since: Date.parse(TUESDAY) }),
      );
      lifecycle.read(wrong, NEXT, open);
      expect(lifecycle.inForce(LONE_DAY)).toBeNull();
    }
  });

  test("stays in the record where its own document deletes it again", () => {
    const lifecycle = new Judged();
    const dated = usd(LONE_DAY, "1.1000", "2026-03-20T14:05:00Z");
    const deletion = { ...dollarOf(LONE_DAY), publishedAt: Date.parse(MONDAY) };
    const figures = [...open, dated].sort((a, b) => a.date - b.date);
    lifecycle.read(SDMX, TUESDAY, figures, [deletion]);
    expect(lifecycle.inForce(LONE_DAY)).toBeNull();
    lifecycle.read(ZIP, NEXT, withLoneDay);
    expect(lifecycle.inForce(LONE_DAY)).toBeNull();
    expect(lifecycle.held()).toEqual(["USD 1.1000 unconfirmed_revision"]);
  });

  test("stays held while its kind states it: a document of other series says nothing about it", () => {
    const lifecycle = new Judged(["API", "CSV"]);
    lifecycle.read("CSV", MONDAY, open);
    const other = open.map((row) => ({ ...row, quote: "JPY" as const, printed: "160.00" }));
    for (const at of [TUESDAY, NEXT]) {
      lifecycle.judge(document("API", at, withLoneDay), document("API", at, other));
      expect(lifecycle.held()).toEqual(["USD 1.1000 unconfirmed_revision"]);
    }
  });
});

describe("a figure that comes late", () => {
  const FRED = "fred_daily" as const;
  const THURSDAY_4PM = "2026-04-09T14:00:00Z";
  const looked = (from: string, at: string) => {
    const source = { source: "ecb_daily", route: XML } as const;
    return { ...source, from: day(from), at: Date.parse(at), newest: null, modifiedAt: null };
  };
  const seen = "2026-04-09T16:30:00Z";
  const dollar = document(SDMX, seen, [usd("2026-04-09", "1.1"), figure("2026-04-09", "JPY", "160.00")]);

  test.each([
    ["this server had not looked", [], null],
    ["this server had looked after the schedule", [looked("2026-04-08", THURSDAY_4PM)], seen],
    ["it had looked before the schedule only", [looked("2026-04-08", "2026-04-09T13:59:59Z")], null],
    ["the look was at the other source", [{ ...looked("2026-04-08", THURSDAY_4PM), source: FRED }], null],
    ["the look was at later days only", [looked("2026-04-10", THURSDAY_4PM)], null],
  ])("%s", (_, retrievals, published) => {
    const lifecycle = new Judged();
    lifecycle.read(SDMX, "2026-04-08T15:00:00Z", [usd("2026-04-08", "1.1")]);
    lifecycle.known = { ...lifecycle.known, retrievals };
    const [row, ofNewSeries] = lifecycle.judge(dollar).accepted;
    expect(row?.publishedAt ?? null).toBe(published === null ? null : Date.parse(published));
    expect(ofNewSeries?.publishedAt).toBeNull();
  });

  test("a stated publication instant is believed, a later one does not replace the first sight", () => {
    const lifecycle = new Judged();
    lifecycle.read(SDMX, "2026-04-08T15:00:00Z", [usd("2026-04-08", "1.1")]);
    lifecycle.known = { ...lifecycle.known, retrievals: [looked("2026-04-08", THURSDAY_4PM)] };
    const stated = usd("2026-04-09", "1.1", "2026-04-09T13:58:00Z");
    lifecycle.read(XML, seen, [usd("2026-04-09", "1.1")]);
    expect(lifecycle.read(SDMX, FRIDAY, [stated]).accepted).toEqual([]);
    expect(lifecycle.current.at(-1)?.publishedAt).toBe(Date.parse(seen));
    lifecycle.read(SDMX, FRIDAY, [usd("2026-04-10", "1.1", "2026-04-10T13:58:00Z")]);
    expect(lifecycle.current.at(-1)?.publishedAt).toBe(Date.parse("2026-04-10T13:58:00Z"));
  });
});
