/** Consents: the first acceptance of a policy version stands. */

import type { Consents } from "#ports/ledger-people.ts";
import type { LedgerParts } from "#store/ledger/engine/engine.ts";
import { integer, type Row, text } from "#store/ledger/engine/rows.ts";
import { record } from "./audit.ts";

export function consents(parts: LedgerParts): Consents {
  const { engine } = parts;
  return {
    accept: (identityId, policyVersion, by) =>
      engine.write(async (transaction) => {
        const accepted = await transaction.run(
          `INSERT INTO consents (identity_id, policy_version, accepted_at) VALUES ($1, $2, $3)
           ON CONFLICT (identity_id, policy_version) DO NOTHING`,
          identityId,
          policyVersion,
          by.at,
        );
        if (accepted > 0) {
          const [subject, detail] = [`identity:${identityId}`, { policyVersion }];
          await record(parts, transaction, by, { action: "consent.accepted", subject, detail });
          return { identityId, policyVersion, acceptedAt: by.at };
        }
        const [row] = await transaction.rows(
          "SELECT * FROM consents WHERE identity_id = $1 AND policy_version = $2",
          identityId,
          policyVersion,
        );
        return consentOf(row as Row);
      }),
    list: async (identityId) => {
      const rows = await engine.read.rows(
        "SELECT * FROM consents WHERE identity_id = $1 ORDER BY accepted_at DESC, policy_version DESC",
        identityId,
      );
      return rows.map(consentOf);
    },
  };
}

function consentOf(row: Row) {
  return {
    identityId: text(row, "identity_id"),
    policyVersion: text(row, "policy_version"),
    acceptedAt: integer(row, "accepted_at"),
  };
}
