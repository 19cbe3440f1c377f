/** What the operators' listener works on: the tools that the command line has too, over the ledger of this process. */

import type { operatorTools } from "#accounts/account/operator-tools.ts";
import type { By } from "#domain/account/audit.ts";
import { Failure } from "#domain/faults/errors.ts";

export type AdminTools = Pick<ReturnType<typeof operatorTools>, "ledger" | "clock" | "keyNews" | "resetLink">;

/** A question that has been let in. */
export interface Asked {
  /** The id in the path; "" where the path has none. */
  readonly id: string;
  readonly query: URLSearchParams;
  /** The parsed JSON of its body. Failures `unsupported_media_type`, `payload_too_large`, `invalid_request`. */
  readonly body: () => Promise<unknown>;
}

/** Members of the answer beside `result`. Rejects with Failure, or with LedgerUnavailable. */
export type Verb = (tools: AdminTools, asked: Asked) => Promise<Readonly<Record<string, unknown>>>;

/** For the audit log: whoever may read the operator's files. */
export function byOperator({ clock }: Pick<AdminTools, "clock">): By {
  return { at: clock.now(), actor: "operator" };
}

/** Failure `not_found` for an id that nobody has. */
export function nothingOf(kind: string, id: string): Failure {
  return new Failure("not_found", {
    wording: `there is no ${kind} {id}; GET /admin/accounts and /admin/accounts/find show whom there is`,
    id,
  });
}

/** What processes remember of an organization's keys is out of date. */
export async function forgetKeys({ ledger, keyNews }: AdminTools, organizationId: string): Promise<void> {
  keyNews.ended((await ledger.keys.list(organizationId)).map(({ id }) => id));
}
