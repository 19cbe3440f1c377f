/** The words at the top of the document: what holds for every operation, and the list of errors. */

import { errorExample } from "#contract/errors.ts";
import { refusalsOf } from "#contract/operation.ts";
import { OPERATIONS } from "#contract/operations.ts";
import { ERRORS, type ErrorCode } from "#domain/faults/errors.ts";

/** Markdown. The list holds the codes that an operation can answer with, by status. */
export function introduction(): string {
  return `Indicative mid rates with exact provenance. Not for settlement, regulated trading or use as a source of record.

## Calls

Every \`GET\` also answers \`HEAD\`. Codes are case-insensitive on input and upper case in answers. Unknown query parameters are ignored, and a blank one counts as absent.

## Keys, plans and limits

Send an API key as \`Authorization: Bearer fxk_…\`. Without one a few calls a minute pass, and the last days of history are served. To get one: \`POST /v1/auth/sign-up\`, then \`POST /v1/account/provision\` with the session's token. For a bigger plan open the \`url\` that \`POST /v1/account/checkout\` answers with; the key stays the same. \`GET /v1/account\` shows plan, key and calls of the month.

Answers of rates carry \`X-RateLimit-Limit\`, \`X-RateLimit-Remaining\` and \`X-RateLimit-Reset\`, a \`429\` carries \`Retry-After\`. A batch costs one call a pair, a file one call, however long. An operator may switch keys and limits off, and sell plans or not.

## Numbers

A direct rate is printed as published. An inverse or a cross is exact decimal arithmetic on the published figures, rounded half-even to 10 significant digits; \`derivation_bps_max\` bounds what the published rounding can do to a cross.

## Time

All instants are UTC and end in \`Z\`. Days without a publication are filled with the preceding one, at most 14 days back, and say so. When a source fails the answer is an error or an older figure marked \`stale\`, never an invented number.

## Caching

Answers with an \`ETag\` can be revalidated with \`If-None-Match\`: \`304\` means that nothing but \`timestamp\` has changed. Bodies of rates are compressed with gzip, Brotli or Zstandard when \`Accept-Encoding\` allows it.

## Errors

One envelope: \`result\`, \`code\`, \`message\`. A code always has the same status; the message says what to do. With \`Accept: application/problem+json\` the same facts come as RFC 9457. Below \`/compat\` refusals have the form of the service imitated. Every answer carries \`X-Request-Id\`.

${errorList()}

## Webhooks

Events of official publications are posted to endpoints that are added in the dashboard. \`/dashboard/api/openapi.json\` describes what receivers get and how they verify it, apart from this document: generators of clients take what is sent for what is called.

## Data

Euro reference rates of the European Central Bank and H.10 noon rates of the Federal Reserve Board. Below \`/v1/official\` what other authorities publish under their own name, as printed and in every version.`;
}

function errorList(): string {
  const codes = new Set<ErrorCode>(OPERATIONS.flatMap(refusalsOf));
  return [...codes]
    .sort((a, b) => ERRORS[a].status - ERRORS[b].status)
    .map((code) => `- **${ERRORS[code].status}** \`${code}\`: ${errorExample(code).message}`)
    .join("\n");
}
