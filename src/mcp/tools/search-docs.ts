/** search_docs: the guides of this server, by their own search index. */

import { Type } from "@sinclair/typebox";
import * as field from "#contract/fields.ts";
import * as form from "#contract/forms.ts";
import { exactNumber } from "#mcp/exact-json.ts";
import { guideTool } from "#mcp/tool.ts";
import { inputOf } from "./arguments.ts";

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

export const searchDocs = guideTool({
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
  content: (guides, { query, limit = USUAL_HITS }) => ({
    result: "success" as const,
    hits: guides.search(query, limit).map(({ slug, title, heading, anchor, excerpt, score }) => ({
      ...{ page: slug, title, heading, anchor, excerpt },
      score: exactNumber(score.toFixed(3)),
    })),
  }),
  summary: ({ hits }, { query }) =>
    hits.length === 0
      ? `Nothing in the documentation answers "${query}". Try fewer or other words.`
      : hits
          .map(({ page, heading, anchor, excerpt }) => `${heading} (${page}#${anchor}): ${excerpt}`)
          .join("\n"),
});
