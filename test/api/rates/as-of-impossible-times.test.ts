/** as_of never shows a figure before the instant that it describes, whatever a document or a clock says. */

import { describe, expect, test } from "bun:test";
import { createDatasetHolder } from "#assembly/daily.ts";
import { CacheBudget } from "#domain/cache/budget.ts";
import type { Observation } from "#domain/history/observation.ts";
import { parseEcbSdmx } from "#sources/ecb/documents.ts";
import { openLake } from "#store/lake/lake.ts";
import { openTestApp, type TestApp } from "#test/api/harness.ts";
import { change, day, observation } from "#test/store/lake/sample.ts";
import { atEnd } from "#test/support/at-end.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";

const NOW = Date.parse("2026-04-14T09:00:00Z");
const COLLECTED = Date.parse("2026-04-13T14:31:00Z");

async function appOn(...accepted: readonly Observation[]): Promise<TestApp> {
  const clock = { now: () => NOW };
  const lake = await openLake({ directory: temporaryDirectory(), simulated: false, now: clock.now });
  atEnd(lake.close);
  await lake.commit(() => change({ accepted }));
  const caches = new CacheBudget(48_000_000);
  const holder = createDatasetHolder({ simulated: false, clock, emit: () => {}, recall: lake.at, caches });
  holder.show(await lake.read());
  return openTestApp({ clock, dataset: holder.dataset });
}

const FRIDAY = observation("2026-04-10", "USD", "1.1600", {
  observedAt: Date.parse("2026-04-10T12:15:00Z"),
  retrievedAt: Date.parse("2026-04-10T14:31:00Z"),
});

function monday(more: Partial<Observation>): Observation {
  const observedAt = Date.parse("2026-04-13T12:15:00Z");
  return observation("2026-04-13", "USD", "1.1711", { observedAt, retrievedAt: COLLECTED, ...more });
}

/** The figures of a document of the service of versions, as the lake has them afterwards. */
function fromSdmx(validFrom: string): Observation {
  const text = `KEY,FREQ,CURRENCY,CURRENCY_DENOM,EXR_TYPE,EXR_SUFFIX,TIME_PERIOD,OBS_VALUE,ACTION,VALID_FROM,VALID_TO
EXR.D.USD.EUR.SP00.A,D,USD,EUR,SP00,A,2026-04-13,1.1711,Replace,${validFrom},\n`;
  const bytes = new TextEncoder().encode(text);
  const about = { url: "https://data-api.ecb.europa.eu/", sha256: "00".repeat(32) };
  const window = { reach: "recent", from: day("2026-01-14"), to: day("2026-04-14") } as const;
  const reading = parseEcbSdmx({ ...about, bytes, retrievedAt: COLLECTED }, window);
  if (reading.outcome !== "figures") throw new Error(reading.outcome);
  return monday({ ...reading.figures[0] });
}

const PATH = "/v1/2026-04-13?base=EUR&symbols=USD";
async function rateAt(app: TestApp, instant: string, basis = "published") {
  const { rates } = await app.get(`${PATH}&as_of=${instant}&as_of_basis=${basis}`);
  return rates["USD"] as number;
}

describe.each<[string, () => Observation]>([
  ["a document that was loaded in 2001", () => fromSdmx("2001-01-02T00:00:00Z")],
  ["a document of a minute before the fixing", () => fromSdmx("2026-04-13T12:14:59Z")],
])("a publication before the fixing: %s", (_, made) => {
  test("the morning has Friday's rate, and the fix counts from its schedule", async () => {
    const app = await appOn(FRIDAY, made());
    expect(await rateAt(app, "2026-04-13T09:00:00Z")).toBe(1.16);
    expect(await rateAt(app, "2026-04-13T13:59:59Z")).toBe(1.16);
    expect(await rateAt(app, "2026-04-13T14:00:00Z")).toBe(1.1711);
  });
});

test("a publication that is stated for after the fixing counts as it is stated", async () => {
  const app = await appOn(FRIDAY, fromSdmx("2026-04-13T13:57:01Z"));
  expect(await rateAt(app, "2026-04-13T13:57:00Z")).toBe(1.16);
  expect(await rateAt(app, "2026-04-13T13:57:01Z")).toBe(1.1711);
});

test("a figure that was retrieved by a clock behind is not known before the fixing", async () => {
  const behind = monday({ retrievedAt: Date.parse("2026-04-13T08:31:00Z") });
  const app = await appOn(FRIDAY, behind);
  expect(await rateAt(app, "2026-04-13T09:00:00Z")).toBe(1.16);
  expect(await rateAt(app, "2026-04-13T12:14:59Z", "retrieved")).toBe(1.16);
  expect(await rateAt(app, "2026-04-13T14:00:00Z")).toBe(1.1711);
});
