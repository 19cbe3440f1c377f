/** `crossrate webhooks`: tools for the developer of a receiver: a local receiver, a check of signatures, test events. */

import type { Read } from "#api/forms.ts";
import type { WebhookDeliveriesResponse, WebhookQueuedResponse } from "#api/webhooks/deliveries.ts";
import type { WebhooksResponse } from "#api/webhooks/endpoints.ts";
import { formatInstant } from "#domain/time/day.ts";
import * as webhook from "#domain/webhook/endpoint.ts";
import { type Client, clientOf, Unreachable } from "./client.ts";
import { type CommandContext, EXIT, type Terminal, UsageFault } from "./command.ts";
import { MOST_BYTES, type Received, startReceiver } from "./receiver.ts";
import { coloured, printable } from "./show.ts";
import type { Outputs } from "./words.ts";

interface WebhookOptions extends Outputs {
  readonly secret?: string;
  readonly port?: string;
  readonly signature?: string;
  readonly anyAge?: true;
  readonly to?: string;
}

function secretOf({ environment }: CommandContext, { secret }: WebhookOptions): string | null {
  return secret ?? (environment["CROSSRATE_WEBHOOK_SECRET"] || null);
}

const MEANINGS: Readonly<Record<webhook.SignatureVerdict, string>> = {
  genuine: "genuine",
  malformed: `not genuine: ${webhook.SIGNATURE_HEADER} is absent or is not t=<unix seconds>,v1=<hex>`,
  stale:
    "not genuine: the signature is more than 5 minutes old, or of the future; check this machine's clock",
  mismatch: "not genuine: another secret, or the body is not the bytes that were sent",
};

export async function verifyEvent(context: CommandContext, options: WebhookOptions): Promise<number> {
  const { terminal, input, clock } = context;
  const secret = secretOf(context, options);
  const header = options.signature;
  if (secret === null) throw new UsageFault("name the secret: CROSSRATE_WEBHOOK_SECRET, or --secret");
  if (header === undefined)
    throw new UsageFault(`name the value of ${webhook.SIGNATURE_HEADER} with --signature`);
  if (input.isTerminal) throw new UsageFault("pipe the body in, byte for byte, as in < body.json");
  const body = await input.readAll(MOST_BYTES);
  const signedAt = Number(/\bt=(\d+)/.exec(header)?.[1] ?? Number.NaN) * 1000;
  const now = !options.anyAge || Number.isNaN(signedAt) ? clock.now() : signedAt;
  const verdict = webhook.checkSignature(header, body, secret, now);
  terminal.print(MEANINGS[verdict]);
  return verdict === "genuine" ? EXIT.done : EXIT.failed;
}

export async function listen(context: CommandContext, options: WebhookOptions): Promise<void> {
  const secret = secretOf(context, options);
  const { terminal, clock, signal } = context;
  const onReceived = ({ at, verdict, repeated, body }: Received) => {
    if (!terminal.screen.isTerminal || options.json) {
      terminal.print(JSON.stringify({ at: formatInstant(at), verdict, repeated, body }));
      return;
    }
    const meaning = verdict === null ? "not checked" : MEANINGS[verdict];
    const colour = verdict === "genuine" ? "green" : verdict === null ? "yellow" : "red";
    const shown = coloured(terminal.screen, colour, `${meaning}${repeated ? ", repeated" : ""}`);
    terminal.print(`${formatInstant(at)} ${shown}\n  ${printable(body)}`);
  };
  const port = Number(options.port ?? 8787);
  const receiver = startReceiver({ now: clock.now, secret, port, onReceived });
  terminal.complain(`receiving on ${receiver.url}; Ctrl-C ends it`);
  if (secret === null)
    terminal.complain("signatures are not checked: name the secret, CROSSRATE_WEBHOOK_SECRET or --secret");
  await new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
  await receiver.stop();
}

const ENDPOINTS = "/dashboard/api/webhooks";
const PAUSE_MILLISECONDS = 1000;
/** A test event usually arrives within seconds. */
const MOST_LOOKS = 20;
/** The server waits as long for an acknowledgment. */
const PATIENCE_MILLISECONDS = 10_000;

export async function sendTest(context: CommandContext, options: WebhookOptions, [id]: readonly string[]) {
  if (options.to !== undefined) return await sendFromHere(context, options.to, secretOf(context, options));
  const client = await clientOf(context, options.url);
  const endpoint = id ?? (await onlyEndpoint(client, context.terminal));
  const { content } = await client.ask<Read<typeof WebhookQueuedResponse>>(
    `${ENDPOINTS}/${encodeURIComponent(endpoint)}/test`,
    { method: "POST", as: "session" },
  );
  context.terminal.print(`${content.delivery.event_id} is queued for ${endpoint}`);
  return await outcome(context, client, endpoint, content.delivery.id);
}

/** Throws UsageFault without an endpoint, and with several, which it lists. */
async function onlyEndpoint(client: Client, { print }: Terminal): Promise<string> {
  const { content } = await client.ask<Read<typeof WebhooksResponse>>(ENDPOINTS, { as: "session" });
  const [first, ...more] = content.endpoints;
  if (first === undefined)
    throw new UsageFault("this account has no webhook endpoint; add one on the dashboard");
  if (more.length === 0) return first.id;
  for (const { id, url, state } of content.endpoints) print(`${id}  ${state}  ${url}`);
  throw new UsageFault("there are several endpoints: name one of them");
}

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
    const how = status === null ? `no answer: ${fault}` : `the receiver answered ${status.rawJSON}`;
    terminal.print(`${succeeded ? "delivered" : "failed"}, ${how}, after ${milliseconds.rawJSON} ms`);
    return succeeded ? EXIT.done : EXIT.failed;
  }
  terminal.complain("no attempt has ended yet; the dashboard shows the deliveries");
  return EXIT.failed;
}

async function sendFromHere({ terminal, clock, signal }: CommandContext, to: string, secret: string | null) {
  if (secret === null) throw new UsageFault("name the secret: CROSSRATE_WEBHOOK_SECRET, or --secret");
  const now = clock.now();
  const { body } = webhook.testEvent("whe_local", now);
  try {
    const response = await fetch(to, {
      method: "POST",
      redirect: "manual",
      signal: AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MILLISECONDS)]),
      headers: {
        "content-type": "application/json",
        "user-agent": "webhook-delivery/1",
        [webhook.SIGNATURE_HEADER]: webhook.signatureHeader(secret, Math.floor(now / 1000), body),
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
