/** The input of a handler of the operators' listener, and how it reads parameters and bodies. */

import type { operatorTools } from "#accounts/account/operator-tools.ts";
import type { By } from "#domain/account/audit.ts";
import type { Organization } from "#domain/account/organization.ts";
import { Failure } from "#domain/faults/errors.ts";
import { refuseCoding } from "#domain/net/message.ts";

export interface AdminTools
  extends Pick<ReturnType<typeof operatorTools>, "ledger" | "clock" | "keyNews" | "resetLink"> {
  /** Calls a month of an organization's plan. */
  readonly quotaOf: (organization: Organization) => number;
}

/** A request that was let in. */
export interface AdminRequest {
  /** The id in the path; "" where the path has none. */
  readonly id: string;
  readonly query: URLSearchParams;
  /** The parsed JSON of its body. Failures `unsupported_media_type`, `payload_too_large`, `invalid_request`. */
  readonly body: () => Promise<unknown>;
}

/** Members of the answer beside `result`. Rejects with Failure, or with LedgerUnavailable. */
export type Verb = (tools: AdminTools, request: AdminRequest) => Promise<Readonly<Record<string, unknown>>>;

/** For the audit log: a person who can read the operator's files. */
export function byOperator({ clock }: Pick<AdminTools, "clock">): By {
  return { at: clock.now(), actor: "operator" };
}

/** Failure `not_found` for an unknown id. */
export function nothingOf(kind: string, id: string): Failure {
  return new Failure("not_found", {
    wording: `there is no ${kind} {id}; GET /admin/accounts and /admin/accounts/find list the existing ones`,
    id,
  });
}

/** What processes remember of an organization's keys is out of date. */
export async function forgetKeys({ ledger, keyNews }: AdminTools, organizationId: string): Promise<void> {
  keyNews.ended((await ledger.keys.list(organizationId)).map(({ id }) => id));
}

/** Far above the largest that is of any use. */
const LARGEST_BODY_BYTES = 4_096;

/** A parameter of this shape, null where it is absent or blank. Failure `invalid_request` names what is needed. */
export function textOf(query: URLSearchParams, name: string, shape: RegExp, needed: string): string | null {
  const text = query.getAll(name).join(",").trim();
  if (text === "") return null;
  if (!shape.test(text)) throw new Failure("invalid_request", { reason: `${name} must be ${needed}` });
  return text;
}

/** `limit`, from 1 to `most`; 50 where it is absent. Failure `invalid_request`. */
export function limitOf(query: URLSearchParams, most: number): number {
  const needed = `a whole number from 1 to ${most}`;
  const text = textOf(query, "limit", /^[1-9]\d{0,5}$/, needed);
  const limit = Number(text ?? 50);
  if (limit > most) throw new Failure("invalid_request", { reason: `limit must be ${needed}` });
  return limit;
}

/** The parsed JSON of a body. Failures `unsupported_media_type`, `payload_too_large`, `invalid_request`. */
export async function jsonOf(request: Request): Promise<unknown> {
  const bytes = await bodyOf(request, "application/json");
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (cause) {
    throw new Failure("invalid_request", { reason: "the body is not valid JSON" }, cause);
  }
}

/** The fields of a form. Failures `unsupported_media_type`, `payload_too_large`. */
export async function formOf(request: Request): Promise<URLSearchParams> {
  const bytes = await bodyOf(request, "application/x-www-form-urlencoded");
  return new URLSearchParams(new TextDecoder().decode(bytes));
}

async function bodyOf(request: Request, wanted: string): Promise<Uint8Array> {
  refuseCoding(request.headers.get("content-encoding"));
  const type = request.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase();
  if (type !== wanted) throw new Failure("unsupported_media_type");
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of request.body ?? []) {
    length += chunk.byteLength;
    if (length > LARGEST_BODY_BYTES) throw new Failure("payload_too_large", { limit: LARGEST_BODY_BYTES });
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
