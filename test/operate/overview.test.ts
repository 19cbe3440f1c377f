/** The operator's overview: traffic of the ledger, endpoints that fail, collections that one click starts; names in the audit log; and HEAD of every page. */

import { expect, test } from "bun:test";
import { renderToString } from "preact-render-to-string";
import { dayAt } from "#domain/time/day.ts";
import { assertSameHead } from "#test/api/head.ts";
import { join } from "#test/metered/client.ts";
import { NOON } from "#test/metered/history.ts";
import { Failing } from "#web/operator/overview.tsx";
import { openAdminFixture } from "./server.ts";

const text = (html: string) => html.replace(/<[^>]*>/g, " ").replace(/\s+/g, " ");

const server = await openAdminFixture();
const overview = async () => text(await (await server.open("/operator/overview")).text());

test("has the calls and the refusals of each day, and the sources with their last result", async () => {
  const { organizationId } = await join(server.replica.url);
  const ownerId = (await server.ledger().organizations.byId(organizationId))?.ownerId ?? "";
  const day = dayAt(server.clock.now()) - 1;
  const counts = { served: 1234, rateLimited: 50, quotaExceeded: 20, calls: 1234 };
  await server.ledger().usage.apply("overview", [{ organizationId, ownerId, day, ...counts }], 0);
  const shown = await overview();
  expect(shown).toContain("13 Apr 2026 1,234 30 20");
  expect(shown).toContain("None: every event was delivered.");
  expect(shown).toMatch(/European Central Bank .* never .* Collect now/);
});

test("a collection is refused where this process does not collect, and for an unknown source", async () => {
  const answer = await server.submit("/operator/overview/collect", { source: "ecb_daily" });
  expect([answer.status, text(await answer.text())]).toEqual([
    409,
    expect.stringContaining("this process does not collect"),
  ]);
  expect((await server.submit("/operator/overview/collect", { source: "nothing" })).status).toBe(404);
  expect(await server.audit("source:ecb_daily")).toEqual([]);
});

test("the audit log has addresses and times, not ids and milliseconds", async () => {
  const { email } = await join(server.replica.url);
  const id = (await server.ledger().identities.byEmail(email))?.id ?? "";
  await server.submit(`/operator/people/${id}/suspend`, { confirm: "yes" });
  const shown = text(await (await server.open(`/operator/audit?subject=identity:${id}`)).text());
  expect(shown).toContain(`identity of ${email}`);
  expect(shown).not.toMatch(/\d{13}/);
});

test("an endpoint that fails is shown with its owner and when it is tried next", () => {
  const failing = [
    {
      ...{
        endpointId: "whe_1",
        url: "https://hooks.example.com/a",
        ownerId: "idn_1",
        owner: "a@example.org",
      },
      ...{ deliveries: 12, lastAt: NOON, nextAt: null },
    },
  ];
  const page = renderToString(Failing({ failing }));
  expect(text(page)).toContain("https://hooks.example.com/a a@example.org 12 14 Apr 2026");
  expect(page).toContain('href="/operator/people/idn_1"');
  expect(text(page)).toContain("none, gave up");
});

const PATHS = [
  ...["/", "/operator", "/operator/", "/operator/sign-in", "/operator/audit", "/operator/figures"],
  ...["/operator/nowhere", "/operator/people/idn_none", "/site/site.css", "/favicon.ico", "/nowhere"],
];

test.each(PATHS)("of %s, signed in or not", async (path) => {
  await assertSameHead(`${server.url}${path}`, {});
  await assertSameHead(`${server.url}${path}`, { cookie: await server.signIn() });
});
