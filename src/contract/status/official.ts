/** The part of /status that is about official tables. */

import { Type } from "@sinclair/typebox";
import * as field from "#contract/fields.ts";
import { dayOrNull, instantOrNull, word } from "./fields.ts";

const OfficialCheck = Type.Object(
  {
    status: word(
      ["ok", "failing", "missing"],
      "`failing`: the last attempt to collect failed; what was collected before is served. `missing`: nothing was collected yet.",
    ),
    newest_publication: field.nullable<string>("string", {
      description: "Name of the newest publication, by validity.",
      examples: ["2026-04-13"],
    }),
    newest_valid_from: dayOrNull("First day of its validity.", "2026-04-13"),
    last_attempt_at: instantOrNull("Last attempt to collect, UTC.", "2026-04-13T16:05:00Z"),
    last_success_at: instantOrNull("Last attempt that read an intact document, UTC.", "2026-04-13T16:05:00Z"),
    outcome: word(
      ["never", "publications", "empty", "failed"],
      "How the last attempt went; `empty`: nothing was published in the time asked about.",
    ),
    detail: field.nullable<string>("string", {
      description: "Why the last attempt failed or was empty, or what of it could not be read.",
      examples: ["API: timeout: the document is not complete after 30 s"],
    }),
    held: Type.Array(Type.String(), {
      description: "Publications held back until a second reading says the same.",
      examples: [[]],
    }),
  },
  { $id: "OfficialCheck", additionalProperties: false, description: "Collection of one official table." },
);

export const OFFICIAL_CHECKS_EXAMPLE = {
  mex_fix: {
    status: "ok",
    newest_publication: "2026-04-13",
    newest_valid_from: "2026-04-13",
    last_attempt_at: "2026-04-13T18:05:00Z",
    last_success_at: "2026-04-13T18:05:00Z",
    outcome: "publications",
    detail: null,
    held: [],
  },
};

export const OfficialChecks = Type.Unsafe<Readonly<Record<string, typeof OfficialCheck.static>>>({
  type: "object",
  propertyNames: { pattern: "^[a-z0-9_]+$" },
  additionalProperties: OfficialCheck,
  description:
    "Official tables by id; empty where they are switched off. None of them changes the overall `status`: whoever needs one watches its entry.",
  examples: [OFFICIAL_CHECKS_EXAMPLE],
});
