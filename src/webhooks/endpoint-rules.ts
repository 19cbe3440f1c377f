/** What an owner says of an endpoint, held against the rules of registration; and an endpoint as its owner sees it. */

import { Failure } from "#domain/faults/errors.ts";
import { formatInstant } from "#domain/time/day.ts";
import {
  CHOSEN_TYPES,
  type ChosenType,
  type EndpointState,
  type WebhookEndpoint,
} from "#domain/webhook/endpoint.ts";
import { readEndpointUrl } from "#domain/webhook/endpoint-url.ts";
import { LONGEST_DESCRIPTION } from "#domain/webhook/rules.ts";

/** Members that are absent: for a new endpoint the default, for a change what stands. */
export interface EndpointWish {
  readonly url?: string;
  readonly description?: string;
  readonly events?: readonly ChosenType[];
}

/**
 * The wish with the address in its one normal form and events in their order, each once. Failure `validation_error` naming
 * every member that breaks a rule. That a host resolves to public addresses is checked before every attempt, not here.
 */
export function checkedWish({ url, description, events }: EndpointWish, allowPrivate: boolean): EndpointWish {
  const errors: { path: string; message: string }[] = [];
  const read = url === undefined ? undefined : readEndpointUrl(url, allowPrivate);
  if (read !== undefined && "refused" in read) errors.push({ path: "/url", message: read.message });
  if (description !== undefined && !isDescription(description)) {
    const message = `At most ${LONGEST_DESCRIPTION} characters, without control characters.`;
    errors.push({ path: "/description", message });
  }
  if (events?.length === 0) errors.push({ path: "/events", message: "Choose at least one." });
  if (errors.length > 0) throw new Failure("validation_error", { members: { errors } });
  return {
    ...(read !== undefined && "url" in read ? { url: read.url } : {}),
    ...(description === undefined ? {} : { description }),
    ...(events === undefined ? {} : { events: CHOSEN_TYPES.filter((type) => events.includes(type)) }),
  };
}

/** As its owner sees it: without anything of the secret but since when it is the one. */
export function endpointView(
  { id, url, description, events, createdAt, secretAt }: WebhookEndpoint,
  state: EndpointState,
) {
  return {
    id,
    url,
    description,
    events,
    state,
    created_at: formatInstant(createdAt),
    secret_created_at: formatInstant(secretAt),
  };
}

function isDescription(text: string): boolean {
  return [...text].length <= LONGEST_DESCRIPTION && !/[\p{Cc}\p{Cs}]/u.test(text);
}
