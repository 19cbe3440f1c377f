/** The official publications of the document's examples: one FIX, in one version. */

import { exampleOf } from "#api/forms.ts";
import { OfficialTableModel } from "#api/official/model.ts";
import { OfficialPublicationResponse } from "#api/official/publications.ts";
import { officialEvent, type PublicationVersion } from "#domain/official/publication.ts";
import { parseDay } from "#domain/time/day.ts";
import type { OfficialDeps } from "#official/deps.ts";
import { NOW } from "./harness.ts";

const { collected: _, newest: __, ...TABLE } = exampleOf(OfficialTableModel, "answer");
const PUBLISHED = exampleOf(OfficialPublicationResponse, "answer");

const VERSION: PublicationVersion = {
  table: TABLE.id,
  publication: PUBLISHED.publication,
  version: 1,
  validFrom: parseDay(PUBLISHED.valid_from) as number,
  validTo: null,
  publishedAt: null,
  retrievedAt: Date.parse(PUBLISHED.retrieved_at),
  sourceUrl: PUBLISHED.source_url,
  documentSha256: PUBLISHED.document_sha256,
  fingerprint: "0c".repeat(32),
  rows: [{ base: "USD", quote: "MXN", rate: "17.3485", unit: 1, kind: "mid" }],
};

const EVENT = officialEvent(TABLE, VERSION);

/** Every query is answered with that publication; no other name is known. */
export function sampleOfficial(): OfficialDeps {
  return {
    tables: [{ table: TABLE, missing: null }],
    publications: {
      find: async (_, publication, version) =>
        publication === VERSION.publication && (version ?? 1) === 1 ? VERSION : null,
      list: async ({ after }) => (after === null ? [VERSION] : []),
      validOn: async (_, day) => (day >= VERSION.validFrom ? VERSION : null),
      first: async () => VERSION,
      versions: async () => [VERSION],
    },
    outbox: {
      changes: async ({ after }) => (after === null && EVENT !== null ? [{ ...EVENT, position: 7 }] : []),
      newestChanges: async ({ before }) =>
        (before === null || before > 7) && EVENT !== null ? [{ ...EVENT, position: 7 }] : [],
    },
    held: async () => [],
    lastReadAt: async () => NOW,
    clock: { now: () => NOW },
    cursorSecret: "secret of the tests",
    simulated: false,
  };
}
