/** get_usage: what is left of the caller's limits, as the headers of a REST answer say it. */

import * as field from "#contract/fields.ts";
import * as form from "#contract/forms.ts";
import { formatInstant } from "#domain/time/day.ts";
import { exactNumber } from "#mcp/exact-json.ts";
import { restTool } from "#mcp/tool.ts";
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
  request: () => ({ method: "GET", path: "/v1/currencies" }),
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
