/** What the operators' pages work on, and how they read parameters and forms. */

import type { operatorTools } from "#accounts/account/operator-tools.ts";
import type { Organization } from "#domain/account/organization.ts";
import { Failure } from "#domain/faults/errors.ts";
import { refuseCoding } from "#domain/net/message.ts";

export interface AdminTools extends Omit<ReturnType<typeof operatorTools>, "rewrapKeys" | "close"> {
  /** Calls a month of an organization's plan. */
  readonly quotaOf: (organization: Organization) => number;
}

/** Failure `not_found` for an unknown id. */
export function nothingOf(kind: string, id: string): Failure {
  return new Failure("not_found", { wording: `there is no ${kind} {id}`, id });
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

/** The fields of a form. Failures `unsupported_media_type`, `payload_too_large`. */
export async function formOf(request: Request): Promise<URLSearchParams> {
  refuseCoding(request.headers.get("content-encoding"));
  const type = request.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase();
  if (type !== "application/x-www-form-urlencoded") throw new Failure("unsupported_media_type");
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of request.body ?? []) {
    length += chunk.byteLength;
    if (length > LARGEST_BODY_BYTES) throw new Failure("payload_too_large", { limit: LARGEST_BODY_BYTES });
    chunks.push(chunk);
  }
  return new URLSearchParams(new TextDecoder().decode(Buffer.concat(chunks)));
}
