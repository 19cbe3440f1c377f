/** Which verb a method and a path ask for: all that the operators' listener answers. */

import { Failure } from "#domain/faults/errors.ts";
import type { Verb } from "./admin-deps.ts";
import { findAccounts, listAccounts, listKeys, makeResetLink, readAudit } from "./people.ts";
import {
  resumeOrganization,
  resumePerson,
  revokeKey,
  setTier,
  suspendOrganization,
  suspendPerson,
} from "./standing.ts";

export interface Found {
  readonly verb: Verb;
  readonly id: string;
}

export const ROUTES: readonly (readonly [method: "GET" | "POST", path: string, verb: Verb])[] = [
  ["GET", "/admin/accounts", listAccounts],
  ["GET", "/admin/accounts/find", findAccounts],
  ["GET", "/admin/audit", readAudit],
  ["POST", "/admin/identities/{id}/suspend", suspendPerson],
  ["POST", "/admin/identities/{id}/resume", resumePerson],
  ["POST", "/admin/identities/{id}/reset-link", makeResetLink],
  ["POST", "/admin/organizations/{id}/tier", setTier],
  ["POST", "/admin/organizations/{id}/suspend", suspendOrganization],
  ["POST", "/admin/organizations/{id}/resume", resumeOrganization],
  ["GET", "/admin/organizations/{id}/keys", listKeys],
  ["POST", "/admin/keys/{id}/revoke", revokeKey],
];

const ID = "(\\w{1,64})";
const TABLE = ROUTES.map(([method, path, verb]) => ({
  method,
  verb,
  pattern: new RegExp(`^${path.replace("{id}", ID)}$`),
}));

/** Failure `not_found`, or `method_not_allowed` with the one that is. */
export function routeOf(method: string, path: string): Found {
  for (const { method: allowed, verb, pattern } of TABLE) {
    const match = pattern.exec(path);
    if (match === null) continue;
    if (method !== allowed) throw new Failure("method_not_allowed", { method, allow: allowed });
    return { verb, id: match[1] ?? "" };
  }
  throw new Failure("not_found", { wording: "no such resource: {path}", path });
}
