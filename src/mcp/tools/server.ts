/** get_usage and search_docs: the caller's remaining calls, and the guides of this server. */

import { Type } from "@sinclair/typebox";
import * as form from "#api/forms.ts";
import * as field from "#api/model.ts";
import { exactNumber } from "#domain/net/message.ts";
import { formatInstant } from "#domain/time/day.ts";
import { restTool, toolOf } from "#mcp/tool.ts";
import { inputOf } from "./arguments.ts";

const UsageReport = form.closed("What is left of the caller's limits.", {
  result: field.result,
  limited: form.flag(
    "False where the server counts nothing (open access): the other members are null then.",
    true,
  ),
  limit: form.nullable<number>("integer", { description: "Calls that the tightest window allows." }),
  remaining: form.nullable<number>("integer", {
    description: "Calls left in that window, after this one; no other window has fewer.",
  }),
  resets_at: form.instantOrNull("When that window has room again, UTC.", "2026-04-13T16:31:00Z"),
});

export const getUsage = restTool({
  name: "get_usage",
  title: "Calls left",
  description:
    "How many calls are left for the key in use, or for the address without a key: of the window (minute, hour or month) that has the fewest, and when it has room again. It counts as one call itself. Use it before a long series of calls; every refusal already says how long to wait. Plan, monthly totals and billing are on the account's own page, which a key does not open.",
  input: inputOf({}),
  output: UsageReport,
  request: () => "/v1/currencies",
  content: ({ headers }) => {
    const [limit, remaining, reset] = ["limit", "remaining", "reset"].map((name) =>
      headers.get(`x-ratelimit-${name}`),
    );
    const result = "success" as const;
    if (limit == null || remaining == null || reset == null)
      return { result, limited: false, limit: null, remaining: null, resets_at: null };
    return {
      ...{ result, limited: true, limit: exactNumber(limit), remaining: exactNumber(remaining) },
      resets_at: formatInstant(Number(reset) * 1000),
    };
  },
  summary: ({ limit, remaining, resets_at }) =>
    limit === null || remaining === null
      ? "This server counts no calls: there are no limits."
      : `${remaining.rawJSON} of ${limit.rawJSON} calls are left in the tightest window; it has room again at ${resets_at}. This call counted as one.`,
});

const USUAL_HITS = 5;

const DocsHits = form.closed("Sections that answer the query.", {
  result: field.result,
  hits: Type.Array(
    form.closed("A section.", {
      page: form.text("Its page; the resource crossrate://docs/<page> has all of it.", "limits"),
      title: form.text("Title of the page.", "Limits"),
      heading: form.text("Heading of the section.", "Headers"),
      anchor: form.text("Fragment of the section.", "headers"),
      excerpt: form.text("Text around what was found.", "X-RateLimit-Remaining: calls left"),
      score: Type.Number({ description: "Greater is better, within this answer." }),
    }),
    { description: "Best first." },
  ),
});

export const searchDocs = toolOf(
  {
    name: "search_docs",
    title: "Search the documentation",
    description:
      "Searches the documentation of this service: rounding, forward fill, staleness, limits, error codes, webhooks, the lake, set-up. Use it for how something works or what an error means; it has no rates. It counts as no call.",
    input: inputOf({
      query: Type.String({
        minLength: 1,
        maxLength: 200,
        description: "A few words.",
        examples: ["forward fill"],
      }),
      limit: Type.Optional(
        Type.Integer({ minimum: 1, maximum: 10, description: `Sections; ${USUAL_HITS} when absent.` }),
      ),
    }),
    output: DocsHits,
    summary: ({ hits }, { query }) =>
      hits.length === 0
        ? `Nothing in the documentation answers "${query}". Try fewer or other words.`
        : hits
            .map(({ page, heading, anchor, excerpt }) => `${heading} (${page}#${anchor}): ${excerpt}`)
            .join("\n"),
  },
  async ({ guides }, { query, limit = USUAL_HITS }) => {
    const sections = await guides.search(query, limit);
    const hits = sections.map(({ slug, title, heading, anchor, excerpt, score }) => ({
      ...{ page: slug, title, heading, anchor, excerpt },
      score: exactNumber(score.toFixed(3)),
    }));
    return { content: { result: "success" as const, hits } };
  },
);
