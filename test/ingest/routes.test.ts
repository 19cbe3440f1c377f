/** Documents that are requested one after the other: what ends a route before its last, which route is next, and what is reported. */

import { expect, test } from "bun:test";
import { BrokenDocument, UpstreamFault, type UpstreamFaultKind } from "#domain/faults/upstream.ts";
import type { Reading, Window } from "#domain/intake/reading.ts";
import { gather } from "#ingest/gather.ts";
import { followRoute, routeFault } from "#ingest/routes.ts";
import { kindsOf, noteAnswer } from "#ingest/second-routes.ts";
import type { DailyAdapter, Route, Upstream } from "#ports/upstream.ts";

const READINGS = {
  figures: { outcome: "figures", figures: [], withdrawals: [], coveredThrough: 1, note: "two rows are odd" },
  holiday: { outcome: "holiday", coveredThrough: 1 },
  empty: { outcome: "empty", reason: "nothing is published yet" },
} as const satisfies Readonly<Record<string, Reading>>;
type Answer = keyof typeof READINGS | "unchanged" | "broken_document" | UpstreamFaultKind;

const WINDOW: Window = { reach: "history", from: 0, to: 1 };
const SIZE = { accept: "*/*", maxBytes: 1, timeoutSeconds: 1 };

/** An upstream with routes, by the answers to their documents. */
function siteOf(answers: Readonly<Record<string, readonly Answer[]>>, mayBeAbsent?: true) {
  const asked: string[] = [];
  const answerTo = (url: string) => {
    const [name = "", nth] = url.split("/").slice(-2);
    return answers[name]?.[Number(nth)] as Answer;
  };
  const upstream: Upstream = {
    async get({ url }) {
      asked.push(url);
      const answer = answerTo(url);
      if (answer === "unchanged") return answer;
      if (!(answer in READINGS) && answer !== "broken_document")
        throw new UpstreamFault(answer as UpstreamFaultKind, url);
      return { url, bytes: new Uint8Array(), sha256: "", retrievedAt: 0 };
    },
    remember: () => undefined,
  };
  const routes = Object.entries(answers).map(
    ([name, documents]): Route => ({
      name,
      requests: documents.map((_, nth) => ({ url: `https://bank.example/${name}/${nth}`, ...SIZE })),
      ...(mayBeAbsent && { mayBeAbsent }),
      parse({ url }) {
        const answer = answerTo(url);
        if (answer === "broken_document") throw new BrokenDocument("it has no table");
        return READINGS[answer as keyof typeof READINGS];
      },
    }),
  );
  return { upstream, routes, asked };
}

async function follow(years: readonly Answer[], mayBeAbsent?: true) {
  const { upstream, routes, asked } = siteOf({ years }, mayBeAbsent);
  const progress: number[] = [];
  const options = { progress: (done: number) => progress.push(done) };
  const outcome = await followRoute(upstream, routes[0] as Route, WINDOW, options);
  return { ...outcome, asked: asked.length, progress, reported: routeFault(outcome) };
}

test.each(["connection", "timeout", "refused_credentials", "rate_limited", "clock"] as const)(
  "after %s nothing more is requested: the next would only wait again",
  async (kind) => {
    const after = await follow(["figures", kind, "figures"]);
    expect(after).toMatchObject({ asked: 2, abandoned: true, isAway: true, progress: [0, 1, 1] });
    expect(after.reported).toEqual({
      ...{ route: "years", fault: kind },
      detail: `years (1 of 3 documents failed), given up: ${kind}: https://bank.example/years/1`,
    });
  },
);

test("the third refusal in a row is the host's fault; a document of the host between them begins the count again", async () => {
  expect(await follow(["status", "too_large", "status", "figures"])).toMatchObject({
    asked: 3,
    abandoned: true,
  });
  for (const own of ["figures", "unchanged", "not_found", "broken_document"] as const) {
    const mixed = await follow(["status", "status", own, "status", "status", "figures"]);
    expect(mixed).toMatchObject({ asked: 6, abandoned: false, isAway: true });
  }
});

test("documents that are missing or broken leave the others; a route says which faults it had, of many the first", async () => {
  const { isAway, read, reported } = await follow([
    "broken_document",
    "not_found",
    "figures",
    "not_found",
    "not_found",
  ]);
  expect([isAway, read.map(({ document }) => document.url)]).toEqual([
    false,
    ["https://bank.example/years/2"],
  ]);
  expect(reported).toEqual({
    route: "years",
    fault: "broken_document, not_found",
    detail:
      "years (4 of 5 documents failed): broken_document: https://bank.example/years/0: it has no table; " +
      "not_found: https://bank.example/years/1; not_found: https://bank.example/years/3; and 1 more",
  });
});

test("where a missing document means that nothing was published, only all of them missing is a fault, reported once", async () => {
  for (const there of ["figures", "unchanged"] as const)
    expect(await follow(["not_found", there, "not_found"], true)).toMatchObject({
      faults: [],
      isAway: false,
    });
  const moved = await follow(["not_found", "not_found"], true);
  expect(moved).toMatchObject({ faults: [{ kind: "not_found" }], isAway: true });
  const one = await follow(["not_found", "broken_document"], true);
  expect(one).toMatchObject({ faults: [{ kind: "broken_document" }], isAway: false });
});

async function gathered(answers: Readonly<Record<string, readonly Answer[]>>, refused?: string) {
  const { upstream, routes, asked } = siteOf(answers);
  const adapter = { id: "ecb_daily", routes: () => routes } as Partial<DailyAdapter> as DailyAdapter;
  const failed: string[] = [];
  const emit = (event: { readonly kind: string; readonly route?: string }) => failed.push(event.route ?? "");
  const found = await gather({ upstream, emit }, adapter, WINDOW, () => {}, refused);
  return { ...found, read: found.read.length, asked: asked.length, failed };
}

test("the first route that can be read is taken, and it is complete: missing documents never existed", async () => {
  expect(await gathered({ zip: ["timeout"], xml: ["figures", "not_found"], api: ["figures"] })).toMatchObject(
    {
      ...{ outcome: "figures", route: "xml", voice: "xml", read: 1, complete: true, asked: 3 },
      ...{ silent: ["zip"], failed: ["zip", "xml"] },
      detail: "xml (1 of 2 documents failed): not_found: https://bank.example/xml/1; two rows are odd",
    },
  );
  expect(await gathered({ zip: ["figures"], xml: ["figures"] }, "zip")).toMatchObject({
    route: "xml",
    asked: 1,
  });
});

test("a route with a broken document, or one that was given up, is read in part: it counts as no whole history", async () => {
  const broken = await gathered({ xml: ["figures", "broken_document"], api: ["figures"] });
  expect(broken).toMatchObject({ route: "xml", read: 1, complete: false, asked: 2 });
  const next = await gathered({ xml: ["figures", "timeout"], api: ["figures"] });
  expect(next).toMatchObject({ route: "api", read: 2, complete: true, silent: [] });
  const none = await gathered({ xml: ["figures", "timeout"], zip: ["holiday", "timeout"], api: ["timeout"] });
  expect(none).toMatchObject({ outcome: "figures", route: "xml", read: 2, complete: false, silent: ["api"] });
  expect(await gathered({ xml: ["timeout"] })).toMatchObject({
    ...{ outcome: "failed", read: 0, complete: false, route: "", silent: ["xml"] },
    detail: "xml: timeout: https://bank.example/xml/0",
  });
});

test.each([
  [["unchanged"], "unchanged", null],
  [["holiday"], "holiday", "the authority was closed from 1970-01-01 to 1970-01-02"],
  [["holiday", "empty"], "empty", "nothing is published yet"],
  [
    ["empty", "broken_document"],
    "empty",
    "nothing is published yet; xml (1 of 2 documents failed): broken_document: https://bank.example/xml/1: it has no table",
  ],
  [
    ["unchanged", "broken_document"],
    "unchanged",
    "xml (1 of 2 documents failed): broken_document: https://bank.example/xml/1: it has no table",
  ],
] as const)("documents that are %p without a figure are reported as %s", async (xml, outcome, detail) => {
  expect(await gathered({ xml })).toMatchObject({ outcome, detail });
});

test("a kind of route that has not answered for more than a week is not waited for, until it answers", () => {
  const routes = [{ name: "sdmx" }, { name: "90-day XML", voice: "files/90-day XML" }];
  const parts: Partial<DailyAdapter> = { routes: () => routes as Route[], currencies: [] };
  const memory = { collections: 0, silentSince: new Map<string, number>(), troubledAt: new Map() };
  const day = 86_400_000;
  const kindsAt = (now: number) =>
    kindsOf({ adapter: parts as DailyAdapter, clock: { now: () => now }, memory });
  for (const at of [0, 5 * day]) noteAnswer(memory, "sdmx", false, at);
  expect(kindsAt(7 * day)).toEqual(["sdmx", "files"]);
  expect(kindsAt(7 * day + 1)).toEqual(["files"]);
  noteAnswer(memory, "sdmx", true, 8 * day);
  expect(kindsAt(8 * day)).toEqual(["sdmx", "files"]);
});
