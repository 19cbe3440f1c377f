/** The documents of a route, requested one after the other: what ends it before the last, and what is reported. */

import { expect, test } from "bun:test";
import { BrokenDocument, UpstreamFault, type UpstreamFaultKind } from "#domain/faults/upstream.ts";
import type { Window } from "#domain/intake/reading.ts";
import { followRoute, routeFault } from "#ingest/routes.ts";
import type { Route, Upstream } from "#ports/upstream.ts";

type Answer = "read" | "unchanged" | "broken_document" | UpstreamFaultKind;

const WINDOW: Window = { reach: "latest", from: 0, to: 1 };
const SIZE = { accept: "*/*", maxBytes: 1, timeoutSeconds: 1 };

async function follow(answers: readonly Answer[], mayBeAbsent?: true) {
  const asked: string[] = [];
  const progress: number[] = [];
  const answerTo = (url: string) => answers[Number(url.at(-1))] as Answer;
  const upstream: Upstream = {
    async get({ url }) {
      asked.push(url);
      const answer = answerTo(url);
      if (answer === "unchanged") return answer;
      if (answer !== "read" && answer !== "broken_document") throw new UpstreamFault(answer, url);
      return { url, bytes: new Uint8Array(), sha256: "", retrievedAt: 0 };
    },
    remember: () => undefined,
  };
  const route: Route<string> = {
    name: "years",
    requests: answers.map((_, nth) => ({ url: `https://bank.example/${nth}`, ...SIZE })),
    ...(mayBeAbsent && { mayBeAbsent }),
    parse({ url }) {
      if (answerTo(url) === "broken_document") throw new BrokenDocument("it has no table");
      return url;
    },
  };
  const options = { progress: (done: number) => progress.push(done) };
  const outcome = await followRoute(upstream, route, WINDOW, options);
  return { ...outcome, asked: asked.length, progress, reported: routeFault(outcome) };
}

test.each(["connection", "timeout", "refused_credentials", "rate_limited", "clock"] as const)(
  "after %s nothing more is requested: the next would only wait again",
  async (kind) => {
    const after = await follow(["read", kind, "read"]);
    expect(after).toMatchObject({ asked: 2, abandoned: true, isAway: true, progress: [0, 1, 1] });
    expect(after.reported).toEqual({
      ...{ route: "years", fault: kind },
      detail: `years (1 of 3 documents failed), given up: ${kind}: https://bank.example/1`,
    });
  },
);

test("the third refusal in a row is the host's fault; a document of the host between them begins the count again", async () => {
  expect(await follow(["status", "too_large", "status", "read"])).toMatchObject({
    asked: 3,
    abandoned: true,
  });
  for (const own of ["read", "unchanged", "not_found", "broken_document"] as const) {
    const mixed = await follow(["status", "status", own, "status", "status", "read"]);
    expect(mixed).toMatchObject({ asked: 6, abandoned: false, isAway: true });
  }
});

test("documents that are missing or broken leave the others; a route says which faults it had, of many the first", async () => {
  const { isAway, read, reported } = await follow([
    "broken_document",
    "not_found",
    "read",
    "not_found",
    "not_found",
  ]);
  expect([isAway, read.map(({ content }) => content)]).toEqual([false, ["https://bank.example/2"]]);
  expect(reported).toEqual({
    route: "years",
    fault: "broken_document, not_found",
    detail:
      "years (4 of 5 documents failed): broken_document: https://bank.example/0: it has no table; " +
      "not_found: https://bank.example/1; not_found: https://bank.example/3; and 1 more",
  });
});

test("where a missing document means that nothing was published, only all of them missing is a fault, reported once", async () => {
  for (const there of ["read", "unchanged"] as const)
    expect(await follow(["not_found", there, "not_found"], true)).toMatchObject({
      faults: [],
      isAway: false,
    });
  const moved = await follow(["not_found", "not_found"], true);
  expect(moved).toMatchObject({ faults: [{ kind: "not_found" }], isAway: true });
  const one = await follow(["not_found", "broken_document"], true);
  expect(one).toMatchObject({ faults: [{ kind: "broken_document" }], isAway: false });
});
