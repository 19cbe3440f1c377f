/** The Atom feed of changes: valid by RFC 4287, newest first, with stable ids, pages, and the rules of the JSON beside it. */

import { describe, expect, test } from "bun:test";
import { parseXml, XmlElement } from "@rgrove/parse-xml";
import { openTestApp } from "#test/api/harness.ts";
import { CUSTOMS, collected, collectedForEach, DOF, FIX, NOW } from "#test/official/collected.ts";

const PATH = "/v1/official/changes.atom";
const world = collectedForEach();
const open = (official = world.deps()) =>
  openTestApp({ now: NOW, publicUrl: "https://rates.example.org", official });

async function read(path: string, app = open()): Promise<XmlElement> {
  const answer = await app.ask(path);
  expect(answer.status, path).toBe(200);
  expect(answer.headers.get("content-type")).toBe("application/atom+xml; charset=utf-8");
  const { root } = parseXml(await answer.text());
  if (root === null) throw new Error("no document element");
  checkFeed(root);
  return root;
}

const all = (parent: XmlElement, name: string) =>
  parent.children.filter((node): node is XmlElement => node instanceof XmlElement && node.name === name);
const texts = (parent: XmlElement, name: string) => all(parent, name).map(({ text }) => text);
const text = (parent: XmlElement, name: string) => texts(parent, name)[0] ?? "";
const hrefOf = (parent: XmlElement, rel: string) =>
  all(parent, "link").find(({ attributes }) => attributes["rel"] === rel)?.attributes["href"];

/** RFC 3339 with an upper-case T and Z (RFC 4287 §3.3). */
const DATE = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$/;
const UUID = /^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** What RFC 4287 §4.1.1 and §4.1.2 require of a feed and its entries. */
function checkFeed(feed: XmlElement): void {
  expect(feed.name).toBe("feed");
  expect(feed.attributes["xmlns"]).toBe("http://www.w3.org/2005/Atom");
  checkCommon(feed);
  expect(hrefOf(feed, "self")).toStartWith("https://");
  expect(text(all(feed, "author")[0] as XmlElement, "name")).not.toBe("");
  const entries = all(feed, "entry");
  for (const entry of entries) {
    checkCommon(entry);
    // Without content an entry has an alternate link.
    expect(hrefOf(entry, "alternate")).toStartWith("https://");
    for (const { attributes } of all(entry, "category")) expect(attributes["term"]).not.toBe("");
    for (const author of all(entry, "author")) expect(text(author, "name")).not.toBe("");
  }
  const ids = entries.map((entry) => text(entry, "id"));
  expect(new Set(ids).size).toBe(ids.length);
}

function checkCommon(element: XmlElement): void {
  for (const name of ["id", "title", "updated"]) expect(all(element, name), name).toHaveLength(1);
  expect(text(element, "id")).toMatch(UUID);
  expect(text(element, "title")).not.toBe("");
  expect(text(element, "updated")).toMatch(DATE);
  const relations = all(element, "link").map(({ attributes }) => attributes["rel"]);
  expect(new Set(relations).size).toBe(relations.length);
}

describe("entries", () => {
  test("are publications and corrections, the newest first, with a link that answers", async () => {
    await world.publish(FIX, "2026-04-10");
    await world.publish(CUSTOMS, "2026-04", { validFrom: "2026-04-01", validTo: "2026-04-30" });
    await world.publish(FIX, "2026-04-10", { version: 2, rate: "17.35", retrievedAt: NOW });
    const app = open();
    const feed = await read(PATH, app);
    expect(all(feed, "entry").map((entry) => text(entry, "title"))).toEqual([
      "MEX fix 2026-04-10 corrected, version 2",
      "GBR customs 2026-04 published",
      "MEX fix 2026-04-10 published",
    ]);
    expect(text(feed, "updated")).toBe("2026-04-13T20:30:00Z");
    for (const entry of all(feed, "entry")) {
      const { pathname, search } = new URL(hrefOf(entry, "alternate") ?? "");
      const { publication, version, retrieved_at } = await app.get(`${pathname}${search}`);
      expect(text(entry, "summary")).toContain(`Publication ${publication}, version ${version}, valid from`);
      expect(text(entry, "updated")).toBe(retrieved_at);
    }
    const [corrected, customs] = all(feed, "entry") as [XmlElement, XmlElement];
    expect(all(corrected, "category").map(({ attributes }) => attributes["term"])).toEqual([
      "official.corrected",
      "MEX/fix",
    ]);
    expect(text(customs, "summary")).toBe(
      "Banco de México: Pesos per US dollar. Publication 2026-04, version 1, valid from 2026-04-01 to 2026-04-30.",
    );
  });

  test("have the same ids on another server and after what came later", async () => {
    await world.publish(FIX, "2026-04-10");
    const idsOf = async () => all(await read(PATH), "entry").map((entry) => text(entry, "id"));
    const before = await idsOf();
    await world.publish(FIX, "2026-04-13");
    expect((await idsOf()).slice(1)).toEqual(before);
    // By the event's id alone: these very ids are stored by readers.
    expect(before).toEqual(["urn:uuid:8664eec9-b82d-5c43-acdb-a15a54e5ed62"]);
  });

  test("are those of the JSON beside it", async () => {
    for (const date of ["2026-04-08", "2026-04-09", "2026-04-10"]) {
      await world.publish(FIX, date);
      await world.publish(DOF, date);
    }
    const { changes } = await open().get("/v1/official/changes?country=mex&type=dof");
    const feed = await read(`${PATH}?country=mex&type=dof`);
    expect(all(feed, "entry").map((entry) => text(entry, "title"))).toEqual(
      changes
        .map(({ data }: { data: { publication: string } }) => `MEX dof ${data.publication} published`)
        .toReversed(),
    );
  });
});

test("an empty feed is a valid one", async () => {
  const feed = await read(PATH);
  expect(all(feed, "entry")).toEqual([]);
});

test("pages lead to everything once, also while more is published", async () => {
  const dates = Array.from({ length: 23 }, (_, index) => `2026-04-${String(index + 1).padStart(2, "0")}`);
  for (const date of dates) await world.publish(FIX, date);
  const app = open();
  const titles: string[] = [];
  let path: string | undefined = `${PATH}?limit=10&country=MEX`;
  let pages = 0;
  while (path !== undefined) {
    const feed: XmlElement = await read(path, app);
    expect(new URL(hrefOf(feed, "self") ?? "").pathname).toBe(PATH);
    expect(hrefOf(feed, "first") === undefined).toBe(pages === 0);
    titles.push(...all(feed, "entry").map((entry) => text(entry, "title")));
    const next = hrefOf(feed, "next");
    path = next === undefined ? undefined : `${new URL(next).pathname}${new URL(next).search}&limit=10`;
    pages += 1;
    await world.publish(FIX, `2026-05-0${pages}`);
  }
  expect(pages).toBe(3);
  expect(titles).toEqual(dates.map((date) => `MEX fix ${date} published`).toReversed());
});

test("a document is bounded: 100 entries", async () => {
  for (let day = 1; day <= 105; day++)
    await world.publish(FIX, `p${day}`, { validFrom: "2026-04-10", rate: `17.${1000 + day}` });
  const feed = await read(PATH);
  expect(all(feed, "entry")).toHaveLength(100);
  expect(hrefOf(feed, "next")).toBeDefined();
});

test("hostile texts are text", async () => {
  const table = { ...FIX, authority: `<script>"&'\u0000]]>`, title: "a\u000bb \ud800 </feed>" };
  await world.publish(table, "2026-04-10");
  const feed = await read(PATH, open(world.deps(collected(table))));
  const [entry] = all(feed, "entry") as [XmlElement];
  expect(text(all(entry, "author")[0] as XmlElement, "name")).toBe(`<script>"&'\ufffd]]>`);
  expect(text(entry, "summary")).toStartWith(`<script>"&'\ufffd]]>: a\ufffdb \ufffd </feed>. Publication`);
});

test("the demo's feed says that its rates are made up", async () => {
  const feed = await read(PATH, open(world.deps(undefined, { simulated: true })));
  expect(text(feed, "title")).toStartWith("SIMULATED: ");
  expect(text(feed, "subtitle")).toStartWith("SIMULATED DATA");
});
