/** The operator's pages: who gets in, what they show, and that every decision on them is in the audit log. */

import { describe, expect, test } from "bun:test";
import { join as pathOf } from "node:path";
import { type Day, parseDay } from "#domain/time/day.ts";
import { openLake } from "#store/lake/lake.ts";
import { join } from "#test/metered/client.ts";
import { NOON } from "#test/metered/history.ts";
import { until } from "#test/support/until.ts";
import { heldFigure, refuse, withDoubts } from "#test/web/furnished.ts";
import { openAdminFixture } from "./server.ts";

const DATE = "2026-04-13";

const dataDir = await withDoubts("latest");
await refuse(dataDir);
const server = await openAdminFixture({}, dataDir);
const { open, submit, audit } = server;
const member = await join(server.replica.url);

async function page(path: string): Promise<string> {
  const answer = await open(path);
  expect(`${path} ${answer.status}`).toBe(`${path} 200`);
  return await answer.text();
}

const text = (html: string) => html.replace(/<[^>]*>/g, " ").replace(/\s+/g, " ");
describe("the door", () => {
  test("asks for the token: a cookie for this listener alone, which no script reads and no other site sends", async () => {
    const answer = await submit("/operator/sign-in", { token: `${server.token}\n` }, { cookie: "" });
    const made = answer.headers.get("set-cookie") ?? "";
    expect([answer.status, answer.headers.get("location")]).toEqual([303, "/operator/overview"]);
    const { port } = new URL(server.url);
    expect(made).toMatch(
      new RegExp(`^crossrate_operator_${port}=\\w{43}; Path=/; Max-Age=28800; HttpOnly; SameSite=Strict$`),
    );
    expect(made).not.toContain(server.token);
  });

  test("closes by signing out, and after eight hours", async () => {
    const first = await server.signIn();
    expect((await open("/operator", { cookie: first })).status).toBe(200);
    await submit("/operator/sign-out", {}, { cookie: first });
    expect((await open("/operator", { cookie: first })).status).toBe(303);
    const second = await server.signIn();
    server.clock.at += 8 * 3_600_000;
    expect((await open("/operator", { cookie: second })).status).toBe(303);
    await server.signIn();
  });

  test("shows pages that run nothing of others, and are stored nowhere", async () => {
    const answer = await open("/operator");
    const others = ["/operator", "/operator/sign-in", "/nothing"].map((path) => open(path, { cookie: "" }));
    for (const { headers } of [answer, ...(await Promise.all(others))]) {
      expect(headers.get("cache-control")).toBe("no-store");
      expect(headers.get("x-content-type-options")).toBe("nosniff");
    }
    expect(answer.headers.get("content-security-policy")).toContain(
      "default-src 'none'; script-src 'self' 'sha256-",
    );
    for (const [, path] of (await answer.text()).matchAll(/href="(\/site\/[^"]+)"/g))
      expect((await open(path as string, { cookie: "" })).status, path).toBe(200);
    expect((await open("/operator/nothing")).status).toBe(404);
    expect((await open("/operator/figures/release")).status).toBe(404);
  });
});

async function personId(): Promise<string> {
  return (await server.ledger().identities.byEmail(member.email))?.id ?? "";
}

test("accounts are found by e-mail address, id and key", async () => {
  const id = await personId();
  for (const who of [member.email, id, member.organizationId, member.key])
    expect(await page(`/operator?who=${encodeURIComponent(who)}`), who).toContain(`/operator/people/${id}`);
  expect(await page("/operator?who=none%40example.org")).toContain("No account found.");
});

describe("figures", () => {
  test("are shown with the evidence side by side", async () => {
    const html = await page("/operator/figures");
    const [, held = ""] = html.split("<h2>EUR/NOK");
    const shown = text(held.split("<h2>EUR/SEK")[0] ?? "");
    expect(shown).toMatch(/Held 114\.0815 .* Last accepted 1\d\.\d+ of 13 Apr 2026/);
    expect(shown).toContain("ecb_csv: 11.4082");
    expect(text(html)).toMatch(
      /USD\/JPY, coinbase .* Refused 305\.1 .* Daily reference, per dollar 150\.250/,
    );
  });

  test("show what routes contradict, with the route, the value and what is served", async () => {
    const shown = text(await page("/operator/figures"));
    expect(shown).toMatch(
      /Contradictions between routes .* ecb_csv states EUR\/NOK 11\.4082 for 2026-04-13; 1\d\.\d+ is served/,
    );
  });

  test("are released or discarded as they were seen, and the audit log says by whom", async () => {
    const nok = { source: "ecb_daily", date: DATE, currency: "NOK", printed: "114.0815" };
    const sek = { ...nok, currency: "SEK", printed: "-11.0450" };
    expect((await submit("/operator/figures/release", { ...nok, printed: "114.0816" })).status).toBe(409);
    expect((await submit("/operator/figures/release", sek)).status).toBe(409);
    expect((await submit("/operator/figures/release", nok)).headers.get("location")).toContain(
      "done=released",
    );
    expect((await submit("/operator/figures/discard", sek)).headers.get("location")).toContain(
      "done=discarded",
    );
    expect(text(await page("/operator/figures"))).toContain("No figures are held.");
    const rate = await fetch(`${server.replica.url}/site/provenance/EUR/NOK?date=${DATE}`);
    expect(await rate.text()).toContain('data-rate="114.0815"');
    for (const [{ currency, printed }, decision] of [
      [nok, "release"],
      [sek, "discard"],
    ] as const)
      expect(await audit(`figure:ecb_daily/${DATE}/${currency}`)).toMatchObject([
        { actor: "operator", action: "operator.note", detail: { decision, printed } },
      ]);
  });

  test("of a document are decided on at once, are shown within a bound, and the audit log says so", async () => {
    const sha256 = "cd".repeat(32);
    const stop = server.replica.crossrate.startWatch();
    const lake = await openLake({ directory: pathOf(server.dataDir, "lake"), simulated: false });
    await lake.commit(({ held, coverage }) => ({
      accepted: [],
      withdrawn: [],
      coverage,
      held: [
        ...held,
        ...Array.from({ length: 300 }, (_, at) => ({
          ...heldFigure("NOK", "111.5", "distrusted_document", "in a document with many changes"),
          ...{ date: (parseDay(DATE) as Day) - 40 - at, documentSha256: sha256 },
        })),
      ],
    }));
    await lake.close();
    await until("the held figures are shown", async () =>
      text(await page("/operator/figures")).includes("300 figures of one document"),
    );
    stop();
    const html = await page("/operator/figures");
    expect(html.match(/name="printed"/g)?.length).toBeLessThanOrEqual(400);
    expect(text(html)).toContain("300 figures are held. Those of the newest days are shown, 200 of them.");
    expect((await submit("/operator/figures/discard-document", { document: "ef".repeat(32) })).status).toBe(
      409,
    );
    const answer = await submit("/operator/figures/discard-document", { document: sha256 });
    expect(answer.headers.get("location")).toContain("done=document-discarded");
    expect(text(await page("/operator/figures?done=document-discarded"))).toMatch(
      /Discarded: .*No figures are held\./,
    );
    expect(await audit(`document:ecb_daily/${sha256}`)).toMatchObject([
      { actor: "operator", action: "operator.note", detail: { decision: "discard", figures: 300 } },
    ]);
  });

  test("a refused quote is released near its price", async () => {
    const quote = { feed: "coinbase", currency: "JPY", price: "305.1" };
    expect((await submit("/operator/figures/release-quote", { ...quote, price: "1" })).status).toBe(409);
    expect((await submit("/operator/figures/release-quote", quote)).status).toBe(303);
    expect(text(await page("/operator/figures"))).toContain("coinbase JPY near 305.1");
    expect(await audit("quote:coinbase/JPY")).toMatchObject([
      { detail: { decision: "release", price: "305.1" } },
    ]);
  });
});

const reading = (digit: string) => ({
  fingerprint: digit.repeat(64),
  firstReadAt: NOON,
  version: 2,
  rule: "many_corrections",
  reason: "2 publications would be corrected at once",
});
const hold = (table: string, held: object) =>
  server.ledger().installation.write(`official:${table}`, JSON.stringify({ held }));
const shown = async (publication: string | null) => {
  const forms = (await page("/operator/figures"))
    .split("<form")
    .filter((form) => form.includes("release-pub"));
  const form = forms.find((one) =>
    publication === null ? !one.includes('name="publication"') : one.includes(`value="${publication}"`),
  );
  return / name="seen" value="(\w+)"/.exec(form ?? "")?.[1] ?? "";
};

test("publications that are held are shown by table, and decided as they were seen, one or all", async () => {
  await hold("pol_a", { "041": reading("a"), "042": reading("b"), "043": reading("c") });
  const html = await page("/operator/figures");
  expect(text(html)).toMatch(/pol_a .* 041 ?, version 2, read .*2 publications would be corrected at once/);
  const one = { table: "pol_a", publication: "041", seen: await shown("041") };
  await hold("pol_a", { "041": reading("d"), "042": reading("b"), "043": reading("c") });
  expect((await submit("/operator/figures/discard-publications", one)).status).toBe(409);
  const seen = await shown("041");
  expect((await submit("/operator/figures/discard-publications", { ...one, seen })).status).toBe(303);
  const rest = { table: "pol_a", seen: await shown(null) };
  expect((await submit("/operator/figures/release-publications", { ...rest, seen })).status).toBe(409);
  expect((await submit("/operator/figures/release-publications", rest)).status).toBe(303);
  expect(text(await page("/operator/figures"))).toContain("Held publications None.");
  expect(await audit("publication:pol_a/041")).toMatchObject([{ detail: { decision: "discard" } }]);
  expect(await audit("publication:pol_a/all")).toMatchObject([
    { detail: { decision: "release", publications: 2 } },
  ]);
});

test("the audit log is read page by page and by subject", async () => {
  const subject = `organization:${member.organizationId}`;
  expect(text(await page(`/operator/audit?subject=${encodeURIComponent(subject)}`))).toContain(
    "organization.created",
  );
  for (let entry = 0; entry < 101; entry++)
    await server
      .ledger()
      .audit.append(
        { action: "operator.note", subject: "note:many", detail: { entry } },
        { at: server.clock.at + entry, actor: "operator" },
      );
  const first = await page("/operator/audit?subject=note:many");
  const older =
    /href="(\/operator\/audit\?subject=note[^"]+id=[^"]+)"/.exec(first)?.[1]?.replaceAll("&amp;", "&") ?? "";
  expect(text(await page(older))).toMatch(/entry: 0 /);
});
