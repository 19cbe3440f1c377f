/** `crossrate webhooks send-test`: a test event, sent by the server to an endpoint, or by this command to a receiver. */

import type { Read } from "#api/body.ts";
import type { WebhookDeliveriesResponse, WebhookQueuedResponse } from "#api/webhooks/deliveries.ts";
import type { WebhooksResponse } from "#api/webhooks/endpoints.ts";
import { type Client, clientOf } from "#cli/ask/client.ts";
import { Unreachable } from "#cli/ask/faults.ts";
import { type CommandContext, EXIT, type Terminal, UsageFault } from "#cli/command.ts";
import { formatInstant } from "#domain/time/day.ts";
import { SIGNATURE_HEADER } from "#domain/webhook/rules.ts";
import { signatureHeader } from "#domain/webhook/signature.ts";
import type { WebhookWords } from "./words.ts";

const ENDPOINTS = "/dashboard/api/webhooks";
const PAUSE_MILLISECONDS = 1000;
/** A test event usually arrives within seconds. */
const MOST_LOOKS = 20;
/** As long as the server waits for an acknowledgment. */
const PATIENCE_MILLISECONDS = 10_000;

export async function sendTest(context: CommandContext, words: WebhookWords): Promise<number> {
  const to = words.flag("--to");
  if (to !== undefined) return await sendFromHere(context, to, words.secret);
  const client = await clientOf(context, words.flag("--url"));
  const endpoint = words.operand ?? (await onlyEndpoint(client, context.terminal));
  const { content } = await client.ask<Read<typeof WebhookQueuedResponse>>(
    `${ENDPOINTS}/${encodeURIComponent(endpoint)}/test`,
    { method: "POST", as: "session" },
  );
  context.terminal.print(`${content.delivery.event_id} is queued for ${endpoint}`);
  return await outcome(context, client, endpoint, content.delivery.id);
}

/** Throws UsageFault where there are none or several, which it lists. */
async function onlyEndpoint(client: Client, { print }: Terminal): Promise<string> {
  const { content } = await client.ask<Read<typeof WebhooksResponse>>(ENDPOINTS, { as: "session" });
  const [first, ...more] = content.endpoints;
  if (first === undefined)
    throw new UsageFault("this account has no webhook endpoint; add one on the dashboard");
  if (more.length === 0) return first.id;
  for (const { id, url, state } of content.endpoints) print(`${id}  ${state}  ${url}`);
  throw new UsageFault("there are several endpoints: name one of them");
}

/** Looks until the first attempt has ended, for some seconds. */
async function outcome(
  { terminal, clock, signal }: CommandContext,
  client: Client,
  endpoint: string,
  id: string,
) {
  const path = `${ENDPOINTS}/${encodeURIComponent(endpoint)}/deliveries`;
  for (let look = 0; look < MOST_LOOKS; look++) {
    await clock.sleep(PAUSE_MILLISECONDS, signal);
    const { content } = await client.ask<Read<typeof WebhookDeliveriesResponse>>(path, {
      as: "session",
      query: { limit: "10" },
    });
    const attempt = content.deliveries.find((delivery) => delivery.id === id)?.attempts.at(-1);
    if (attempt === undefined) continue;
    const { succeeded, status, fault, milliseconds } = attempt;
    const how = status === null ? `no answer: ${fault}` : `the receiver answered ${status.text}`;
    terminal.print(`${succeeded ? "delivered" : "failed"}, ${how}, after ${milliseconds.text} ms`);
    return succeeded ? EXIT.done : EXIT.failed;
  }
  terminal.complain("no attempt has ended yet; the dashboard shows the deliveries");
  return EXIT.failed;
}

/** The same bytes and header that a server would send. */
async function sendFromHere({ terminal, clock, signal }: CommandContext, to: string, secret: string | null) {
  if (secret === null) throw new UsageFault("name the secret: CROSSRATE_WEBHOOK_SECRET, or --secret");
  const now = clock.now();
  const body = JSON.stringify({
    id: `evt_test_${now}`,
    type: "webhook.test",
    created_at: formatInstant(now),
    data: { endpoint: "whe_local" },
  });
  try {
    const response = await fetch(to, {
      method: "POST",
      redirect: "manual",
      signal: AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MILLISECONDS)]),
      headers: {
        "content-type": "application/json",
        "user-agent": "webhook-delivery/1",
        [SIGNATURE_HEADER]: signatureHeader(secret, Math.floor(now / 1000), body),
      },
      body,
    });
    await response.body?.cancel();
    terminal.print(`the receiver answered ${response.status}`);
    return response.ok ? EXIT.done : EXIT.failed;
  } catch (fault) {
    signal.throwIfAborted();
    throw new Unreachable(to, fault instanceof Error ? fault.message : String(fault), fault);
  }
}
