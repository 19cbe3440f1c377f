/** GET /llms.txt, /llms-full.txt and /docs/{guide}.md: the guides as text, for language models (llmstxt.org) and readers of Markdown. */

import { Elysia } from "elysia";
import { type StaticBody, type StaticDeps, staticFiles } from "#api/response/static-body.ts";
import { openGuides } from "#guides/pages.ts";
import { type Guide, withServedLinks } from "#guides/sections.ts";

const REVALIDATED = "public, max-age=300, must-revalidate";

const SUMMARY =
  "Indicative foreign-exchange rates with exact provenance: 31 currencies, 465 pairs, daily from 1999-01-04 on, live for actively traded currencies. Self-hosted and open source. Not for settlement, regulated trading or use as a source of record.";

const SIMULATED = "This server is the demo: rates that an answer names in `simulated` are made up.";

const INTRODUCTION = `Things to know before the first call:

- Rates: \`GET /v1/latest?base=USD&symbols=EUR,JPY\`; one pair: \`GET /v1/rate/usd-eur\`; an amount: \`GET /v1/convert/USD/EUR/100\`; a past day: \`GET /v1/2024-03-01\`; a series: \`GET /v1/range?base=USD&symbols=EUR&start_date=2024-01-01&end_date=2024-03-31\`.
- No key is needed to try it: 12 calls a minute, 100 an hour and the last 30 days of history by default. A key is sent as \`Authorization: Bearer fxk_…\`.
- A rate is units of the currency per 1 unit of \`base\`. Numbers are exact decimals: do not round them before they are shown.
- Answers of rates say where a figure comes from (\`source\`) and when the oldest was observed (\`data_updated_at\`); latest rates and conversions also whether a newer one is due (\`stale\`). Repeat these with the rate.
- A weekend or holiday answers with the publication before it, and \`is_forward_filled\` true. A refusal is \`{"result":"error","code","message"}\`; the message says what to do. After a 429 wait \`Retry-After\` seconds.
- Where a rate comes from (documents, earlier values, exact computation): \`GET /v1/explain/USD/EUR?date=2024-03-01\`.
- CSV instead of JSON: \`format=csv\` on latest, historical and range. Tools for agents: MCP over streamable HTTP at \`/v1/mcp/\`.`;

const INTERFACE = `## Interface

- [OpenAPI 3.1](/openapi.json): every operation with its parameters, answers, refusals and examples
- [Reference](/docs/reference): the same for people
- [All guides in one file](/llms-full.txt): the pages below, whole`;

/** The group that llms.txt lists under Optional: by llmstxt.org a short context can do without it. */
const OPTIONAL = "operations";

/** Answers /docs/{guide}.md; the returned function gets the last segment. Failure `not_found` for any other file. */
export function openGuideFiles(deps: StaticDeps) {
  const { pages } = openGuides();
  const files = pages.map((page) => [`${page.slug}.md`, text(() => served(page, pages), "text/markdown")]);
  return staticFiles(Object.fromEntries(files), deps);
}

export const llmsTexts = (deps: StaticDeps) => {
  const { pages } = openGuides();
  const head = `# Crossrate\n\n> ${deps.simulated ? `${SIMULATED} ` : ""}${SUMMARY}\n\n${INTRODUCTION}\n`;
  const whole = () =>
    [head, ...pages.map((page) => `Source: ${addressOf(page.slug)}\n\n${served(page, pages)}`)].join(
      "\n---\n\n",
    );
  const files = { "llms.txt": text(() => outline(head, pages)), "llms-full.txt": text(whole) };
  const send = staticFiles(files, deps);
  return new Elysia({ name: "llms texts" })
    .get("/llms.txt", async ({ request }) => await send(request, "llms.txt"))
    .get("/llms-full.txt", async ({ request }) => await send(request, "llms-full.txt"));
};

function served({ markdown }: Guide, pages: readonly Guide[]): string {
  return withServedLinks(markdown, pages, addressOf);
}

/** Relative to the server, which makes it right behind any proxy. */
function addressOf(slug: string): string {
  return `/docs/${slug}.md`;
}

function outline(head: string, pages: readonly Guide[]): string {
  const { [OPTIONAL]: optional = [], ...groups } = Object.groupBy(pages, ({ group }) => group);
  const sections = Object.entries({ ...groups, optional }).map(([group, rows = []]) => {
    const links = rows.map(({ slug, title, summary }) => `- [${title}](${addressOf(slug)}): ${summary}`);
    return `## ${capitalized(group)}\n\n${links.join("\n")}\n`;
  });
  return [head, `${INTERFACE}\n`, ...sections].join("\n");
}

export function capitalized(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

function text(load: () => string, mime = "text/plain"): StaticBody {
  return { mime: `${mime}; charset=utf-8`, cacheControl: REVALIDATED, load };
}
