/** Text of others on every page that shows it: it stays text, whatever it says, and the pages' policy has nothing to refuse. */

import { beforeAll, expect, test } from "bun:test";
import { join as pathOf } from "node:path";
import type { Page } from "playwright-core";
import { openLake } from "#store/lake/lake.ts";
import { bearer, join, type Member, post } from "#test/metered/client.ts";
import { dataDirectory, NOON } from "#test/metered/history.ts";
import { rowOf } from "#test/official/version.ts";
import { type AdminFixture, openAdminFixture } from "#test/operate/server.ts";
import { change, held, observation } from "#test/store/lake/sample.ts";
import { browser, inBrowser } from "#test/support/browser.ts";
import { publishVersion } from "./furnished.ts";

/** Every way out of a text into the page, a turned direction of writing that is never turned back, and no place to break a line. */
const HOSTILE = {
  tag: "<img src=x onerror=hit()>",
  end: `"'><script>hit()</script>`,
  address: "javascript:hit()",
  turned: "abc\u202Etxet denrut",
  long: "x".repeat(180),
} as const;
const MARKUP = `${HOSTILE.tag}${HOSTILE.end}`;
const LINE = `${MARKUP} ${HOSTILE.turned}`;

/** What a page was found to do; all of it must be nothing. */
interface Harm {
  readonly violations: readonly string[];
  readonly dialogs: readonly string[];
  readonly faults: readonly string[];
}

interface Visitor {
  readonly page: Page;
  /** What was found since it was asked for last. */
  harm(): Promise<Harm>;
}

inBrowser("text of others", () => {
  let server: AdminFixture;
  let member: Member;
  let identityId: string;
  let endpointId: string;
  let visitor: Visitor;
  let person: Visitor;
  let operator: Visitor;

  beforeAll(async () => {
    const dataDir = await dataDirectory();
    const lake = await openLake({
      directory: pathOf(dataDir, "lake"),
      simulated: false,
      now: () => NOON - 1_800_000,
    });
    await lake.commit(() =>
      change({
        accepted: [
          observation("2026-04-10", "SEK", "10.9431", {
            document: HOSTILE.address,
            revision: 2,
            name: "hostile",
            retrievedAt: NOON - 1_800_000,
          }),
        ],
        held: [
          {
            ...held("2026-04-13", "NOK", "117.000"),
            reason: LINE,
            document: `${HOSTILE.address}//${MARKUP}`,
          },
        ],
      }),
    );
    await lake.close();
    server = await openAdminFixture(
      { OFFICIAL_TABLES: "pol_a", POLICY_VERSION: MARKUP, POLICY_URL: "https://rates.example/" },
      dataDir,
    );
    member = await join(server.replica.url);
    await fillLedger();
    [visitor, person, operator] = [await newVisitor(), await newVisitor(), await newVisitor()];
    const cookie = { name: "crossrate_session", value: member.token, url: server.replica.url };
    await person.page.context().addCookies([cookie]);
    await signInOperator();
  });

  async function fillLedger(): Promise<void> {
    const { ledger } = server.replica.crossrate.accounts as NonNullable<
      typeof server.replica.crossrate.accounts
    >;
    const by = { at: server.clock.now(), actor: "operator" } as const;
    const organization = await ledger.organizations.byId(member.organizationId);
    identityId = organization?.ownerId ?? "";
    await server.replica.setTier(member.organizationId, "plus");
    const send = (path: string, body: object) =>
      fetch(server.replica.url + path, post(body, bearer(member.token)));
    const made = await send("/dashboard/api/webhooks", {
      url: `https://hooks.example.com/${HOSTILE.long}?${MARKUP.replaceAll(" ", "/")}`,
      description: `${LINE} ${HOSTILE.long}`.slice(0, 200),
    });
    if (made.status !== 201) throw new Error(await made.text());
    endpointId = (await made.json()).endpoint.id;
    // Behind every check of what comes in: another version, or a provider, may have let it pass.
    await ledger.identities.change(identityId, { email: `${LINE}${HOSTILE.long}@example.org` }, by);
    const [first] = await ledger.sessions.list(identityId, server.clock.now());
    if (first === undefined) throw new Error("no session");
    for (const [at, userAgent] of [LINE, HOSTILE.long, HOSTILE.address].entries())
      await ledger.sessions.start(
        { ...first, id: `ses_${String(at).repeat(20)}`, userAgent, address: LINE },
        by,
      );
    await ledger.audit.append(
      {
        action: "operator.note",
        subject: `identity:${identityId}`,
        detail: { decision: LINE, printed: HOSTILE.long },
      },
      by,
    );
    // An authority whose publications have names, currencies and addresses of the worst kind.
    const publication = `${MARKUP} ${HOSTILE.turned}`;
    for (const [index, sourceUrl] of [HOSTILE.address, `https://example.org/${MARKUP}`].entries()) {
      const [number, rows] = [index + 1, [rowOf(`${MARKUP}${index}`, "PLN", "4.25")]];
      await publishVersion(server.replica.crossrate, { publication, number, rows, sourceUrl });
    }
  }
  async function signInOperator(): Promise<void> {
    const { page } = operator;
    await page.goto(`${server.url}/operator`);
    await page.fill("#token", server.token);
    await page.keyboard.press("Enter");
    await page.waitForURL("**/operator/overview");
  }
  /** One page for all that is visited in it: a new one costs more than most of them. */
  async function newVisitor(): Promise<Visitor> {
    const context = await browser.newContext({ viewport: { width: 390, height: 844 } });
    await context.addInitScript(() => {
      const found: string[] = [];
      Object.assign(globalThis, { found, hit: () => found.push("a script of the text ran") });
      document.addEventListener("securitypolicyviolation", (event) =>
        found.push(`${event.violatedDirective} ${event.blockedURI} ${event.sample}`),
      );
    });
    const page = await context.newPage();
    const [dialogs, faults]: [string[], string[]] = [[], []];
    page.on("dialog", (dialog) => {
      dialogs.push(dialog.message());
      void dialog.dismiss();
    });
    page.on("pageerror", ({ message }) => faults.push(message));
    page.on("console", (message) => {
      // A refused page is reported so, too.
      if (message.type() === "error" && !message.text().includes("the server responded with a status of"))
        faults.push(message.text());
    });
    const harm = async () => ({
      violations: await page.evaluate(() => (globalThis as unknown as { found: string[] }).found),
      dialogs: dialogs.splice(0),
      faults: faults.splice(0),
    });
    return { page, harm };
  }
  async function open(visitor: Visitor, url: string): Promise<Visitor> {
    // What differs behind the # alone would load nothing anew.
    if (url.includes("#")) await visitor.page.goto("about:blank");
    await visitor.page.goto(url, { waitUntil: "load" });
    return visitor;
  }
  const NOTHING: Harm = { violations: [], dialogs: [], faults: [] };

  /** Nothing of the text has become a part of the page, nothing is wider than the window, and what follows a turned text is not turned. */
  async function expectText(page: Page, name: string): Promise<void> {
    const found = await page.evaluate(() => {
      const all = Array.from(document.querySelectorAll("*"));
      const isTurned = (node: Node) => (node.textContent ?? "").includes("\u202E");
      const leaks: string[] = [];
      const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
        let place = node.parentElement;
        if (
          !isTurned(node) ||
          place === null ||
          place.closest("script, noscript, option, select, title") !== null
        )
          continue;
        // Up to what ends it: an isolated piece, or the block that the line is in.
        let last: Node = node;
        while (
          getComputedStyle(place).display === "inline" &&
          getComputedStyle(place).unicodeBidi === "normal"
        ) {
          last = place;
          place = place.parentElement as HTMLElement;
        }
        if (getComputedStyle(place).display === "inline") continue;
        let after = "";
        for (let next = last.nextSibling; next !== null; next = next.nextSibling)
          if (!(next instanceof HTMLElement) || getComputedStyle(next).display === "inline")
            after += next.textContent;
        // What follows of the text itself; anything else is ours.
        const own =
          (node.textContent ?? "").split("\u202E")[1]?.replace(/^txet denrut ?x*(?:@example\.org)?/, "") ??
          "";
        if (own.trim() !== "" || after.trim() !== "")
          leaks.push(`${place.tagName}: ${own} ${after}`.slice(0, 200));
      }
      return {
        made: all
          .filter(
            (element) =>
              element.matches("img, iframe, object, embed, base, [onerror], [onclick], [onload]") ||
              (element instanceof HTMLScriptElement && element.text.trim() === "hit()") ||
              /^\s*javascript:/i.test(element.getAttribute("href") ?? element.getAttribute("action") ?? ""),
          )
          .map((element) => element.outerHTML.slice(0, 200)),
        leaks,
        overflow: document.documentElement.scrollWidth - document.documentElement.clientWidth,
      };
    });
    expect(found, name).toEqual({ made: [], leaks: [], overflow: 0 });
  }
  const seen = (page: Page) =>
    page.evaluate(() => {
      const fields = Array.from(document.querySelectorAll("input"), ({ value }) => value);
      return [document.body.textContent ?? "", ...fields].join("\n");
    });

  /** Each must show the text somewhere: a page that shows none of it proves nothing. */
  async function check(visitor: Visitor, url: string, shows: readonly string[]): Promise<void> {
    const { page, harm } = await open(visitor, url);
    const path = url.replace(/^\w+:\/\/[^/]+/, "");
    const text = await seen(page);
    for (const part of shows)
      expect(text.includes(part) || `${path} lacks ${part}: ${text.slice(0, 3000)}`).toBe(true);
    await expectText(page, path);
    expect(await harm(), path).toEqual(NOTHING);
  }

  test("is noticed where it becomes a part of a page: what follows would prove nothing otherwise", async () => {
    const { page, harm } = await open(await newVisitor(), server.replica.url);
    await page.evaluate(
      ({ tag, address, turned, long }) => {
        const place = document.createElement("p");
        place.innerHTML = `${tag}<a href="${address}">${turned}</a> ours <code>${long}${long}</code>`;
        document.querySelector("main")?.append(place);
      },
      { ...HOSTILE },
    );
    await page.waitForFunction(() => (globalThis as unknown as { found: string[] }).found.length > 0);
    const { violations, faults } = await harm();
    expect(violations.join()).toContain("script-src");
    expect(faults.length).toBeGreaterThan(0);
    const fault = await expectText(page, "a control").catch((thrown: Error) => thrown);
    expect(fault).toBeInstanceOf(Error);
    for (const sign of ["<img", "javascript:", "P: "]) expect((fault as Error).message).toContain(sign);
  });

  const MANY = (prefix: string) => `${prefix}${encodeURIComponent(`${LINE}${HOSTILE.long}`)}`;

  test("in the address of a page: amounts, searches, days, cursors, codes, paths", async () => {
    const { url } = server.replica;
    await check(visitor, url + MANY("/?search="), [MARKUP, HOSTILE.long]);
    await check(visitor, url + MANY("/?amount="), [MARKUP]);
    await check(visitor, url + MANY("/search?q="), [MARKUP]);
    await check(visitor, url + MANY("/usd-eur?date="), [MARKUP.slice(0, 20)]);
    await check(visitor, url + MANY("/?base="), [MARKUP.slice(0, 20).toUpperCase()]);
    await check(visitor, url + MANY("/?to="), [MARKUP.slice(0, 20)]);
    for (const path of [
      "/official?cursor=",
      "/official/pol/a?cursor=",
      "/official/pol/",
      "/docs/",
      "/",
      "/dashboard/",
      "/account?checkout=",
    ])
      await check(visitor, url + MANY(path), []);
    await check(visitor, url + MANY("/dashboard/sign-in?next="), []);
    await check(visitor, url + MANY("/dashboard/sign-in?next=/"), []);
    await check(visitor, `${url}/verify-email#token=${encodeURIComponent(LINE)}`, []);
    await check(person, url + MANY("/dashboard/webhooks/"), []);
    await check(person, url + MANY("/dashboard/plan?checkout="), []);
  });

  test("typed into a page that is open", async () => {
    const { page, harm } = await open(visitor, server.replica.url);
    await page.fill('input[name="search"]', `${LINE}${HOSTILE.long}`);
    await page.waitForSelector(".board-empty");
    expect(await page.textContent(".board-empty")).toContain(MARKUP);
    await expectText(page, "search");
    await page.fill('input[name="search"]', "");
    await page.fill('input[name="amount"]', MARKUP);
    expect(await page.textContent("thead th:nth-child(2)")).toBe("– USD buys");
    await expectText(page, "amount");
    expect(await harm()).toEqual(NOTHING);
  });

  test("of authorities: names of publications, currencies, addresses of documents, figures that are held", async () => {
    const { url } = server.replica;
    await check(visitor, `${url}/official`, [MARKUP]);
    await check(visitor, `${url}/official/pol/a`, [MARKUP]);
    const name = encodeURIComponent(`${MARKUP} ${HOSTILE.turned}`);
    await check(visitor, `${url}/official/pol/a/${name}`, [MARKUP, HOSTILE.address]);
    await check(visitor, `${url}/status/page`, [MARKUP]);
    await check(visitor, `${url}/eur-sek?date=2026-04-10`, ["hit()"]);
    await check(operator, `${server.url}/operator/figures`, [MARKUP, HOSTILE.address]);
  });

  test("of people: addresses, programs, webhook endpoints, consents, the audit log", async () => {
    const { url } = server.replica;
    await check(person, `${url}/dashboard`, [MARKUP]);
    await check(person, `${url}/dashboard/keys`, [MARKUP]);
    await check(person, `${url}/dashboard/plan`, [MARKUP]);
    await check(person, `${url}/dashboard/webhooks`, [MARKUP]);
    await check(person, `${url}/dashboard/webhooks/${endpointId}`, [MARKUP, HOSTILE.long]);
    await check(person, `${url}/dashboard/account`, [MARKUP, HOSTILE.long, HOSTILE.address]);
    await check(operator, `${server.url}/operator`, [MARKUP]);
    await check(operator, `${server.url}/operator/people/${identityId}`, [MARKUP]);
    await check(operator, `${server.url}/operator/audit`, [MARKUP, HOSTILE.long]);
    await check(operator, server.url + MANY("/operator?who="), []);
    await check(operator, server.url + MANY("/operator/audit?subject="), []);
    await check(operator, server.url + MANY("/operator/people/"), []);
  });

  test("typed into forms that are refused, and shown again", async () => {
    const { page, harm } = await open(person, `${server.replica.url}/dashboard/webhooks`);
    const post = async (path: string, fields: Record<string, string>) => {
      await page.evaluate(
        ({ path: action, fields: values }) => {
          const form = document.createElement("form");
          Object.assign(form, { method: "post", action });
          for (const [name, value] of Object.entries(values)) {
            const field = document.createElement("input");
            Object.assign(field, { name, value });
            form.append(field);
          }
          document.body.append(form);
        },
        { path, fields },
      );
      await Promise.all([
        page.waitForNavigation(),
        page.evaluate(() => (document.body.lastElementChild as HTMLFormElement).submit()),
      ]);
      await expectText(page, path);
      expect(await harm(), path).toEqual(NOTHING);
    };
    const text = `${LINE}${HOSTILE.long}`;
    await post("/dashboard/webhooks", { url: text, description: `${text}${text}` });
    await post(`/dashboard/webhooks/${endpointId}`, { url: HOSTILE.address, description: text });
    await post("/dashboard/account/delete", { confirm: text });
    await post("/dashboard/account/sessions/end", { session: text });
    await post("/dashboard/plan/checkout", { plan: text, interval: text });
  });
});
