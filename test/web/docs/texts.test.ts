/** The guides as text: llms.txt after llmstxt.org, the whole of them in one file, and each by its address. */

import { expect, test } from "bun:test";
import { openGuides } from "#guides/pages.ts";
import { openTestApp } from "#test/api/harness.ts";
import { sampleApp } from "#test/api/sample-world.ts";

const { visit: get } = sampleApp();
const textOf = async (path: string) => {
  const answer = await get(path);
  expect(answer.status, path).toBe(200);
  return await answer.text();
};
const { pages } = openGuides();
const LINK = /\[([^\]]*)\]\((\/[^)\s]*)\)/g;

test("llms.txt has the form of llmstxt.org: title, summary, text without headings, sections that are lists of links", async () => {
  const [title, blank, summary, ...rest] = (await textOf("/llms.txt")).split("\n");
  expect(title).toBe("# Crossrate");
  expect(blank).toBe("");
  expect(summary).toMatch(/^> .{50,}$/);
  const sections = rest.join("\n").split(/^## /m).slice(1);
  expect(sections.map((section) => section.split("\n")[0])).toContain("Start");
  expect(sections.at(-1)).toStartWith("Optional\n");
  for (const section of sections) {
    const [, ...lines] = section.split("\n").filter((line) => line !== "");
    for (const line of lines) expect(line).toMatch(/^- \[[^\]]+\]\(\/\S+\): [A-Za-z].*[^.]$/);
  }
});

test("everything that llms.txt links to is there, and every guide is linked with its summary", async () => {
  const text = await textOf("/llms.txt");
  for (const [, , target = ""] of text.matchAll(LINK)) expect((await get(target)).status, target).toBe(200);
  for (const { slug, title, summary } of pages)
    expect(text).toContain(`- [${title}](/docs/${slug}.md): ${summary}\n`);
});

test("each call that llms.txt names is answered", async () => {
  const calls = Array.from((await textOf("/llms.txt")).matchAll(/`GET ([^`]+)`/g), ([, path = ""]) => path);
  expect(calls.length).toBeGreaterThan(4);
  for (const call of calls) {
    // The sample's days are of April 2026.
    const path = call.replaceAll(/2024-0\d-(01|31)/g, "2026-04-13");
    expect((await get(path)).status, path).toBe(200);
  }
});

test("llms-full.txt holds every guide, whole but for its links", async () => {
  const text = await textOf("/llms-full.txt");
  for (const { slug } of pages) {
    const page = await textOf(`/docs/${slug}.md`);
    expect(text).toContain(`\nSource: /docs/${slug}.md\n\n${page}`);
  }
});

test("links of a served guide lead to served guides; the text is the page's", async () => {
  const bare = (text: string) => text.replace(/\[([^\]]*)\]\([^)\s]*\)/g, "$1");
  for (const { slug, markdown } of pages) {
    const page = await textOf(`/docs/${slug}.md`);
    expect(bare(page)).toBe(bare(markdown));
    for (const [, , target = ""] of page.matchAll(LINK))
      expect((await get(target.split("#")[0] as string)).status, target).toBe(200);
    expect(page.replace(/^```[\s\S]*?^```$/gm, "")).not.toMatch(/\]\((?!https?:|\/|#)/);
  }
});

test("they are text, tagged and compressed; other names are not found", async () => {
  for (const [path, mime] of [
    ["/llms.txt", "text/plain; charset=utf-8"],
    ["/llms-full.txt", "text/plain; charset=utf-8"],
    ["/docs/limits.md", "text/markdown; charset=utf-8"],
  ] as const) {
    const answer = await get(path, { headers: { "Accept-Encoding": "gzip, br" } });
    expect(answer.headers.get("content-type")).toBe(mime);
    expect(answer.headers.get("content-encoding")).toBe("br");
    const etag = answer.headers.get("etag") ?? "";
    expect((await get(path, { headers: { "If-None-Match": etag } })).status).toBe(304);
  }
  for (const name of ["nothing.md", "architecture.md", "..%2fREADME.md", "constructor"])
    expect((await get(`/docs/${name}`)).status, name).toBe(404);
});

test("the demo says that its rates are made up", async () => {
  for (const simulated of [true, false]) {
    const world = openTestApp({ simulated });
    for (const [path, said] of [
      ["/llms.txt", "is the demo: "],
      ["/llms-full.txt", "is the demo: "],
      ["/docs/reference", "Simulated data"],
    ] as const)
      expect((await world.page(path)).text.includes(said), path).toBe(simulated);
  }
});

const linksOf = (html: string) =>
  [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, link]) => link as string);

test("no address in a guide becomes a link that no browser can follow", async () => {
  for (const { slug } of pages)
    for (const link of linksOf(await textOf(`/docs/${slug}`)))
      expect(URL.canParse(link, "http://localhost"), `${slug}: ${link}`).toBe(true);
});

test("the reference links to nothing of this server that is not there", async () => {
  const links = linksOf(await textOf("/docs/reference")).filter((link) => link.startsWith("/"));
  expect(links.length).toBeGreaterThan(10);
  // A page of the dashboard leads to the sign-in.
  for (const link of new Set(links))
    expect([200, 303], link).toContain((await get(link.replace(/#.*/, ""))).status);
});
