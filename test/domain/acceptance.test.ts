/** Which figures become observations, which are held, and which changes are revisions. */

import { describe, expect, test } from "bun:test";
import { accept } from "#domain/acceptance/acceptance.ts";
import { ACCEPTANCE_RULES } from "#domain/acceptance/plausibility.ts";
import type { CurrencyCode } from "#domain/currency.ts";
import type { Figure } from "#domain/observation.ts";
import { day } from "./columns.ts";
import { document, figure, Judged, NOTHING } from "./judged.ts";

const XML = "eurofxref-daily.xml";
const ZIP = "eurofxref-hist.zip";
const SDMX = "EXR/D..EUR.SP00.A";
const THURSDAY = "2026-04-09T14:05:00Z";
const FRIDAY = "2026-04-10T14:05:00Z";
const MONDAY = "2026-04-13T14:05:00Z";
const TUESDAY = "2026-04-14T14:05:00Z";

/** A life with the dollar at 1.1 on Thursday. */
function dollarAt(printed = "1.1000"): Judged {
  const life = new Judged();
  life.hear(document(XML, THURSDAY, [figure("2026-04-09", "USD", printed)]));
  return life;
}

describe("each rule holds what it names and says the numbers", () => {
  const wrong: [string, Figure, RegExp][] = [
    ["not_a_number", figure("2026-04-10", "USD", "NaN"), /"NaN"/],
    ["not_a_number", figure("2026-04-10", "USD", "1,1"), /"1,1"/],
    ["not_a_number", figure("2026-04-10", "USD", "0x10"), /"0x10"/],
    ["not_a_number", figure("2026-04-10", "USD", ""), /""/],
    ["not_finite", figure("2026-04-10", "USD", "Infinity"), /"Infinity"/],
    ["not_finite", figure("2026-04-10", "USD", "-inf"), /"-inf"/],
    ["not_positive", figure("2026-04-10", "USD", "0.0000"), /"0.0000"/],
    ["not_positive", figure("2026-04-10", "USD", "-1.1"), /"-1.1"/],
    ["too_many_digits", figure("2026-04-10", "USD", "1.1000000000000000000"), /more digits/],
    ["wrong_pivot", { ...figure("2026-04-10", "JPY", "110"), base: "USD" }, /USD\/JPY .* EUR/],
    ["direction_changed", { ...figure("2026-04-10", "EUR", "0.9"), base: "USD" }, /EUR\/USD/],
    ["outside_coverage", figure("1999-01-01", "USD", "1.1"), /1999-01-01/],
    ["future_date", figure("2026-04-14", "USD", "1.1"), /2026-04-14 .* 2026-04-13/],
    ["weekend_date", figure("2026-04-11", "USD", "1.1"), /Saturday/],
    ["decimal_slip", figure("2026-04-10", "USD", "11.02"), /11\.02 .* 10\.02 times .* 1\.1 of 2026-04-09/],
    ["decimal_slip", figure("2026-04-10", "USD", "0.011"), /power of ten/],
    ["implausible_jump", figure("2026-04-10", "USD", "2.5"), /2\.273 times .* factor of 2/],
  ];
  for (const [rule, said, reason] of wrong) {
    test(`${rule}: ${said.base}/${said.quote} ${JSON.stringify(said.printed)}`, () => {
      const life = dollarAt();
      const judgement = life.hear(document(ZIP, MONDAY, [said]));
      expect(judgement.accepted).toEqual([]);
      expect(judgement.newlyHeld.map((held) => held.rule)).toEqual([rule]);
      expect(judgement.newlyHeld[0]?.reason).toMatch(reason);
      expect(judgement.held).toEqual(judgement.newlyHeld);
      expect(life.standing("2026-04-09", "USD")?.printed).toBe("1.1000");
    });
  }
  test("no rule is left out above", () => {
    expect([...new Set(wrong.map(([rule]) => rule))].sort()).toEqual([...ACCEPTANCE_RULES].sort());
  });
});

describe("held figures", () => {
  test("a jump is held, and released by the next day's agreeing figure of another document", () => {
    const life = dollarAt();
    expect(life.hear(document(XML, FRIDAY, [figure("2026-04-10", "USD", "2.5000")])).accepted).toEqual([]);
    expect(life.held()).toEqual(["USD 2.5000 implausible_jump"]);
    const judgement = life.hear(document(XML, MONDAY, [figure("2026-04-13", "USD", "2.5300")]));
    expect(judgement.released.map(({ printed }) => printed)).toEqual(["2.5000"]);
    expect(life.held()).toEqual([]);
    expect(life.standing("2026-04-10", "USD")).toEqual({ printed: "2.5000", revision: 1 });
    expect(life.standing("2026-04-13", "USD")).toEqual({ printed: "2.5300", revision: 1 });
  });

  test("a document cannot confirm its own jump", () => {
    const life = dollarAt();
    life.hear(
      document(ZIP, MONDAY, [figure("2026-04-10", "USD", "2.5"), figure("2026-04-13", "USD", "2.53")]),
    );
    expect(life.held()).toEqual(["USD 2.5 implausible_jump", "USD 2.53 implausible_jump"]);
    life.hear(document(XML, TUESDAY, [figure("2026-04-14", "USD", "2.51")]));
    expect(life.held()).toEqual([]);
    expect(life.current).toHaveLength(4);
  });

  test("a jump stays held when the next day's figure goes back", () => {
    const life = dollarAt();
    life.hear(document(XML, FRIDAY, [figure("2026-04-10", "USD", "2.5")]));
    life.hear(document(XML, MONDAY, [figure("2026-04-13", "USD", "1.1010")]));
    expect(life.held()).toEqual(["USD 2.5 implausible_jump"]);
    expect(life.standing("2026-04-10", "USD")).toBeNull();
  });

  test("a slipped decimal point is never confirmed by later figures, only by command", () => {
    const life = dollarAt();
    life.hear(document(XML, FRIDAY, [figure("2026-04-10", "USD", "11.000")]));
    life.hear(document(XML, MONDAY, [figure("2026-04-13", "USD", "11.010")]));
    expect(life.held()).toEqual(["USD 11.000 decimal_slip", "USD 11.010 decimal_slip"]);
    const key = { date: day("2026-04-10"), base: "EUR", quote: "USD" } as const;
    const judgement = life.command({ ...key, action: "release" }, "2026-04-13");
    expect(judgement.released.map(({ printed }) => printed)).toEqual(["11.000", "11.010"]);
    expect(life.held()).toEqual([]);
    expect(life.standing("2026-04-10", "USD")).toEqual({ printed: "11.000", revision: 1 });
  });

  test("a command cannot make a rate of what is not a number", () => {
    const life = dollarAt();
    life.hear(document(XML, FRIDAY, [figure("2026-04-10", "USD", "NaN")]));
    const key = { date: day("2026-04-10"), base: "EUR", quote: "USD" } as const;
    life.command({ ...key, action: "release" }, "2026-04-13");
    expect(life.held()).toEqual(["USD NaN not_a_number"]);
    life.command({ ...key, action: "discard" }, "2026-04-13");
    expect(life.held()).toEqual([]);
  });

  test("seen again it stays held once, as first retrieved", () => {
    const life = dollarAt();
    life.hear(document(XML, FRIDAY, [figure("2026-04-10", "USD", "11.000")]));
    const before = life.known.held;
    const judgement = life.hear(document(SDMX, MONDAY, [figure("2026-04-10", "USD", "11")]));
    expect(judgement.newlyHeld).toEqual([]);
    expect(life.known.held).toEqual(before);
  });

  test("a corrected figure takes the place of the held one", () => {
    const life = dollarAt();
    life.hear(document(XML, FRIDAY, [figure("2026-04-10", "USD", "11.020")]));
    life.hear(document(XML, MONDAY, [figure("2026-04-10", "USD", "1.1020")]));
    expect(life.held()).toEqual([]);
    expect(life.standing("2026-04-10", "USD")).toEqual({ printed: "1.1020", revision: 1 });
  });

  test("a slipped revision is held while the old value stands", () => {
    const life = dollarAt();
    life.hear(document(XML, FRIDAY, [figure("2026-04-10", "USD", "1.1020")]));
    life.hear(document(SDMX, MONDAY, [figure("2026-04-10", "USD", "11.020")]));
    expect(life.held()).toEqual(["USD 11.020 decimal_slip"]);
    expect(life.standing("2026-04-10", "USD")).toEqual({ printed: "1.1020", revision: 1 });
  });

  test("a slipped first figure of a history is outvoted by those after it", () => {
    const life = new Judged();
    const dates = ["2026-04-08", "2026-04-09", "2026-04-10"];
    life.hear(
      document(
        ZIP,
        FRIDAY,
        dates.map((date, nth) => figure(date, "USD", nth === 0 ? "11.02" : "1.102")),
      ),
    );
    expect(life.held()).toEqual(["USD 11.02 decimal_slip"]);
    expect(life.current).toHaveLength(2);
  });

  test("a slipped figure behind a long gap is outvoted too, although large moves over gaps pass", () => {
    const life = new Judged();
    const gap = (first: string) => [
      figure("2008-12-09", "ISK", "290.0"),
      figure("2018-02-01", "ISK", first),
      figure("2018-02-02", "ISK", "125.2"),
      figure("2018-02-05", "ISK", "125.0"),
    ];
    life.hear(document(ZIP, FRIDAY, gap("1251.0")));
    expect(life.held()).toEqual(["ISK 1251.0 decimal_slip"]);
    expect(life.current).toHaveLength(3);
    const real = accept(NOTHING, "ecb_daily", [document(ZIP, FRIDAY, gap("125.1"))], day("2026-04-10"));
    expect(real.held).toEqual([]);
  });
});

test("a history read after its newest figure passes whole, however far the currency has moved since", () => {
  const life = new Judged();
  life.hear(document(XML, FRIDAY, [figure("2026-04-10", "TRY", "50.1000")]));
  const values = ["1.8230", "1.8300", "1.8410"];
  const history = values.map((printed, nth) => figure(`2005-01-0${nth + 4}`, "TRY", printed));
  life.hear(
    document(ZIP, MONDAY, [
      ...history,
      figure("2026-04-09", "TRY", "50.02"),
      figure("2026-04-10", "TRY", "50.1"),
    ]),
  );
  expect(life.held()).toEqual([]);
  expect(life.current).toHaveLength(5);
  expect(life.standing("2005-01-04", "TRY")).toEqual({ printed: "1.8230", revision: 1 });
});

describe("revisions", () => {
  test("EUR/NOK of 2025-10-23: 11.5829 is revision 2, and 11.8529 stays as revision 1", () => {
    const life = new Judged();
    life.hear(document(XML, "2025-10-22T14:05:00Z", [figure("2025-10-22", "NOK", "11.6430")]));
    life.hear(document(XML, "2025-10-23T14:05:00Z", [figure("2025-10-23", "NOK", "11.8529")]));
    const judgement = life.hear(
      document(SDMX, "2025-10-24T16:40:00Z", [figure("2025-10-23", "NOK", "11.5829")]),
    );
    expect(judgement.revised).toHaveLength(1);
    expect(life.standing("2025-10-23", "NOK")).toEqual({ printed: "11.5829", revision: 2 });
    expect(life.superseded.map(({ printed, revision, why }) => [printed, revision, why])).toEqual([
      ["11.8529", 1, "revised"],
    ]);
  });

  test("another spelling of the same value is none: 366.9 and 366.90", () => {
    const life = new Judged();
    life.hear(document(XML, THURSDAY, [figure("2026-04-09", "HUF", "366.90")]));
    const judgement = life.hear(document(ZIP, FRIDAY, [figure("2026-04-09", "HUF", "366.9")]));
    expect([judgement.accepted, judgement.unchanged]).toEqual([[], 1]);
  });

  test("versions with publication instants become revisions in their order, and come in once", () => {
    const versions = [
      figure("2026-04-09", "NOK", "11.8529", "2026-04-09T15:57:01+02:00"),
      figure("2026-04-09", "NOK", "11.5829", "2026-04-10T15:16:04+02:00"),
    ];
    const life = new Judged();
    life.hear(document(SDMX, FRIDAY, versions));
    expect(life.standing("2026-04-09", "NOK")).toEqual({ printed: "11.5829", revision: 2 });
    expect(life.superseded.map(({ printed, revision }) => [printed, revision])).toEqual([["11.8529", 1]]);
    const again = life.hear(document(SDMX, MONDAY, versions));
    expect([again.accepted, again.withdrawn, again.unchanged]).toEqual([[], [], 2]);
  });

  test("the full story, told after its parts were collected, adds only what is missing", () => {
    const life = new Judged();
    life.hear(document(XML, THURSDAY, [figure("2026-04-09", "NOK", "11.8529")]));
    life.hear(
      document(SDMX, FRIDAY, [
        figure("2026-04-09", "NOK", "11.8529", "2026-04-09T15:57:01+02:00"),
        figure("2026-04-09", "NOK", "11.5829", "2026-04-10T15:16:04+02:00"),
      ]),
    );
    expect(life.standing("2026-04-09", "NOK")).toEqual({ printed: "11.5829", revision: 2 });
    expect(life.superseded).toHaveLength(1);
  });

  test("a publication instant is completed without a new revision", () => {
    const life = dollarAt();
    const judgement = life.hear(
      document(SDMX, FRIDAY, [figure("2026-04-09", "USD", "1.1", "2026-04-09T15:57:01+02:00")]),
    );
    expect(judgement).toMatchObject({ completed: 1, revised: [] });
    expect(life.current).toHaveLength(1);
    expect(life.current[0]).toMatchObject({
      printed: "1.1000",
      revision: 1,
      publishedAt: Date.parse("2026-04-09T13:57:01Z"),
    });
  });

  test("a copy that lags behind a correction does not bring the old value back", () => {
    const life = dollarAt("1.1000");
    life.hear(document(XML, FRIDAY, [figure("2026-04-09", "USD", "1.2000")]));
    for (const at of ["2026-04-10T15:00:00Z", "2026-04-13T06:00:00Z", "2026-04-15T14:00:00Z"]) {
      expect(life.hear(document(ZIP, at, [figure("2026-04-09", "USD", "1.1")])).accepted).toEqual([]);
      expect(life.hear(document(XML, at, [figure("2026-04-09", "USD", "1.2000")])).accepted).toEqual([]);
    }
    expect(life.standing("2026-04-09", "USD")).toEqual({ printed: "1.2000", revision: 2 });
  });

  test("the document that brought a correction is believed when it takes it back later", () => {
    const life = dollarAt("1.1000");
    life.hear(document(XML, FRIDAY, [figure("2026-04-09", "USD", "1.2000")]));
    life.hear(document(XML, "2026-04-10T15:00:00Z", [figure("2026-04-09", "USD", "1.1000")]));
    expect(life.standing("2026-04-09", "USD")?.revision).toBe(2);
    life.hear(document(XML, MONDAY, [figure("2026-04-09", "USD", "1.1000")]));
    expect(life.standing("2026-04-09", "USD")).toEqual({ printed: "1.1000", revision: 3 });
  });

  test("a withdrawal ends a figure, is heard once, and a later value is a further revision", () => {
    const life = dollarAt();
    const key = { date: day("2026-04-09"), base: "EUR", quote: "USD" } as const;
    const gone = { ...key, publishedAt: Date.parse("2026-04-10T13:25:34Z") };
    const first = life.hear(document(SDMX, FRIDAY, [], [gone]));
    expect(first.withdrawn.map(({ revision }) => revision)).toEqual([1]);
    expect(life.standing("2026-04-09", "USD")).toBeNull();
    expect(life.hear(document(SDMX, MONDAY, [], [gone])).withdrawn).toEqual([]);
    life.hear(document(SDMX, TUESDAY, [figure("2026-04-09", "USD", "1.105", "2026-04-14T12:00:00Z")]));
    expect(life.standing("2026-04-09", "USD")).toEqual({ printed: "1.105", revision: 2 });
  });

  test("judging the same document again changes nothing", () => {
    const life = new Judged();
    const quotes: CurrencyCode[] = ["USD", "JPY", "NOK"];
    const reading = document(
      ZIP,
      FRIDAY,
      quotes.map((quote) => figure("2026-04-10", quote, "11.5")),
    );
    expect(life.hear(reading).accepted).toHaveLength(3);
    const again = life.hear(reading);
    expect([again.accepted, again.newlyHeld, again.unchanged]).toEqual([[], [], 3]);
  });
});
