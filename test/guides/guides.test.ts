/** The guides are all there, have GitHub's anchors, and are found by what people ask. */

import { expect, test } from "bun:test";
import { openGuides } from "#guides/pages.ts";
import { sectionsOf } from "#guides/sections.ts";
import { ROOT, readDocument } from "#test/docs/document.ts";

const guides = openGuides();

/** Pages for contributors: they are about the code, which users of a server do not have; and the list of all pages. */
const FOR_CONTRIBUTORS = ["README", "adding-a-source", "architecture", "dependencies", "performance"];

test("every page of docs is a guide, or is for contributors", async () => {
  const files = await Array.fromAsync(new Bun.Glob("*.md").scan(`${ROOT}/docs`));
  const slugs = files.map((file) => file.slice(0, -".md".length));
  expect([...guides.pages.map(({ slug }) => slug), ...FOR_CONTRIBUTORS].sort()).toEqual(slugs.sort());
});

test.each(guides.pages.map((page) => [page.slug, page] as const))(
  "%s is the page as it lies in docs",
  async (slug, page) => {
    expect(page.markdown).toBe(await readDocument(`docs/${slug}.md`));
    expect(page.title.length).toBeGreaterThan(3);
    expect(page.markdown).toContain(page.title.split(":")[0] as string);
    expect(page.summary).toMatch(/^[A-Z][^\n]{15,120}[^.]$/);
  },
);

test("no text of a guide speaks of the README, which a hosted server does not have", () => {
  for (const { slug, markdown } of guides.pages)
    expect([slug, markdown.replace(/\]\([^)]*\)/g, "]").includes("README")]).toEqual([slug, false]);
});

// As GitHub shows them for these headings.
test.each([
  ["Headers", "headers"],
  ["Account, keys, usage, deleting", "account-keys-usage-deleting"],
  ["Reading /status", "reading-status"],
  ["Live rates as they change: `/v1/stream`", "live-rates-as-they-change-v1stream"],
  ["What a receiver can rely on, and what not", "what-a-receiver-can-rely-on-and-what-not"],
  ["`LAKE_RETENTION_DAYS` and *more* – [a link](x.md)", "lake_retention_days-and-more--a-link"],
  ["Währung: Größe (in %)", "währung-größe-in-"],
])("the anchor of %s is GitHub's", (heading, anchor) => {
  expect(sectionsOf(`## ${heading}\n`)[0]?.anchor).toBe(anchor);
});

test("headings of one name get numbers, and lines of code are no headings", async () => {
  const text = "# A\n\n```sh\n# no heading\n```\n\n## B\n## B\n## B-1\n## B\n";
  expect(sectionsOf(text).map(({ anchor }) => anchor)).toEqual(["a", "b", "b-1", "b-1-1", "b-2"]);
});

test("every link to a section of a guide has the anchor of one", async () => {
  const anchors = new Map(
    guides.pages.map(({ slug, markdown }) => [
      slug,
      new Set(sectionsOf(markdown).map(({ anchor }) => anchor)),
    ]),
  );
  for (const { slug, markdown } of guides.pages) {
    for (const [, page, anchor = ""] of markdown.matchAll(/\]\((?:([\w-]+)\.md)?#([^)\s]+)\)/g)) {
      expect([...(anchors.get(page ?? slug) ?? [])], `${slug}: ${page ?? ""}#${anchor}`).toContain(anchor);
    }
  }
});

test("the text of a section is plain: no marks of links, tables, code or emphasis", async () => {
  const [section] = sectionsOf(
    "# T\n\nOne *two* **three** `four_five`\n[six](a.md#b) 2 * 3 * 4.\n\n| a | b \\| c |\n|---|---|\n| `d` | e |\n\n- f\n  g\n",
  );
  expect(section?.lines).toEqual(["One two three four_five six 2 * 3 * 4.", "a · b | c", "d · e", "f g"]);
});

test.each([
  ["rate limit headers", "limits#headers"],
  ["how many calls per minute without a key", "limits"],
  ["Retry-After", "limits"],
  ["quota_exceeded", "errors"],
  ["how do I verify a webhook signature", "webhooks#verify"],
  ["webhook retry schedule", "webhooks#answer-and-retries"],
  ["forward fill", "contract#time-and-forward-fill"],
  ["as_of point in time", "contract#point-in-time"],
  ["what was known at an instant", "point-in-time"],
  ["ip_rate_limited", "errors#ip_rate_limited"],
  ["rounding of a cross rate", "contract#where-a-rate-comes-from"],
  ["duckdb read parquet over http", "lake#over-http"],
  ["polars", "lake#polars"],
  ["rotate api key", "accounts#keys"],
  ["delete my account", "accounts"],
  ["postgres backup", "ledger#backup-and-restore"],
  ["migrate from frankfurter", "migrating"],
  ["resume the stream with Last-Event-ID", "streaming#coming-back"],
  ["stripe checkout", "billing"],
  ["prometheus alerts", "metrics"],
  ["official publications corrections", "official"],
  ["TRUSTED_PROXIES", "limits#the-client-address"],
  ["convert several amounts at once", "first-calls#several-conversions-at-once"],
  ["openapi generator client", "clients"],
  ["memory settings", "operations#memory"],
])("%s finds %s among the first five", async (query, wanted) => {
  const found = (await guides.search(query, 5)).map(({ slug, anchor }) => `${slug}#${anchor}`);
  const matches = (hit: string) => hit === wanted || hit.startsWith(`${wanted}#`);
  expect(found.some(matches), found.join(" ")).toBe(true);
});

test("a hit leads to a section that exists, with an excerpt of bounded plain text around what was asked for", async () => {
  const hits = await guides.search("webhook signature", 10);
  expect(hits.length).toBeGreaterThan(3);
  for (const { slug, title, heading, anchor, excerpt, score } of hits) {
    const page = guides.pages.find((guide) => guide.slug === slug);
    expect(page?.title).toBe(title);
    const section = sectionsOf(page?.markdown ?? "").find((one) => one.anchor === anchor);
    expect(section?.heading).toBe(heading);
    expect(excerpt.length).toBeLessThanOrEqual(240);
    expect(excerpt).not.toContain("`");
    expect(score).toBeGreaterThan(0);
  }
  const [first] = await guides.search("plan_gated", 1);
  expect([first?.anchor, first?.excerpt.slice(0, 22)]).toEqual(["plan_gated", "Status 403. The date, "]);
  expect(hits.find(({ anchor }) => anchor === "verify")?.excerpt).toContain("Webhook-Signature");
  expect(hits.map(({ score }) => score)).toEqual(hits.map(({ score }) => score).toSorted((a, b) => b - a));
});

test("a search is bounded: limit, words, length; nothing found is an empty list", async () => {
  expect(await guides.search("rate", 3)).toHaveLength(3);
  expect(await guides.search("rate", 1000)).toHaveLength(50);
  expect(await guides.search("rate", -5)).toHaveLength(1);
  expect(await guides.search("rate", Number.NaN)).toHaveLength(1);
  expect(await guides.search("xyzzyplugh", 10)).toEqual([]);
  expect(await guides.search("", 10)).toEqual([]);
  expect(await guides.search("the of and", 10)).toEqual([]);
  expect(await guides.search(`${" ".repeat(200)}webhooks`, 10)).toEqual([]);
  expect(await guides.search(`${"zz ".repeat(16)}webhooks`, 10)).toEqual([]);
  const began = performance.now();
  await guides.search("w".repeat(100_000), 10);
  await guides.search("rate limit ".repeat(10_000), 10);
  expect(performance.now() - began).toBeLessThan(1000);
});
