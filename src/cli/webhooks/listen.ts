/** `crossrate webhooks listen`: a receiver on this machine that prints events as they arrive. */

import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { type CommandContext, EXIT } from "#cli/command.ts";
import { coloured, printable } from "#cli/show/style.ts";
import { formatInstant } from "#domain/time/day.ts";
import { SIGNATURE_HEADER } from "#domain/webhook/rules.ts";
import { checkSignature } from "#domain/webhook/signature.ts";
import { MEANINGS } from "./verify.ts";
import type { WebhookWords } from "./words.ts";

const DEFAULT_PORT = 8787;
/** An event is a few hundred bytes. */
const MOST_BYTES = 64 * 1024;
const REMEMBERED_IDS = 10_000;

/** Resolves after Ctrl-C. */
export async function listen(context: CommandContext, { secret, flag }: WebhookWords): Promise<number> {
  const { terminal, clock, signal } = context;
  const seen = new Set<string>();
  const server = createServer(async (request, response) => {
    if (request.method !== "POST") {
      response.writeHead(405, { allow: "POST" }).end();
      return;
    }
    const body = await bodyOf(request);
    if (body === null) {
      response.writeHead(413).end();
      return;
    }
    const header = String(request.headers[SIGNATURE_HEADER.toLowerCase()] ?? "");
    const verdict = secret === null ? null : checkSignature(header, body, secret, clock.now());
    // As receivers do: only what is genuine is acknowledged.
    response.writeHead(verdict === null || verdict === "genuine" ? 204 : 400).end();
    const text = new TextDecoder().decode(body);
    const isRepeated = remember(seen, idOf(text));
    const meaning = verdict === null ? "not checked" : MEANINGS[verdict];
    const colour = verdict === "genuine" ? "green" : verdict === null ? "yellow" : "red";
    const shown = coloured(terminal.screen, colour, `${meaning}${isRepeated ? ", repeated" : ""}`);
    if (terminal.screen.isTerminal && flag("--json") === undefined) {
      terminal.print(`${formatInstant(clock.now())} ${shown}\n  ${printable(text)}`);
    } else {
      terminal.print(
        JSON.stringify({ at: formatInstant(clock.now()), verdict, repeated: isRepeated, body: text }),
      );
    }
  });
  const port = Number(flag("--port") ?? DEFAULT_PORT);
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
  const { port: taken } = server.address() as AddressInfo;
  terminal.complain(`receiving on http://127.0.0.1:${taken}; Ctrl-C ends it`);
  if (secret === null)
    terminal.complain("signatures are not checked: name the secret, CROSSRATE_WEBHOOK_SECRET or --secret");
  await new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
  server.close();
  server.closeAllConnections();
  return EXIT.done;
}

/** null where it is too long. */
async function bodyOf(request: IncomingMessage): Promise<Uint8Array | null> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of request) {
    bytes += (part as Buffer).length;
    if (bytes > MOST_BYTES) return null;
    parts.push(part as Buffer);
  }
  return Buffer.concat(parts);
}

/** True for an id that came before. */
function remember(seen: Set<string>, id: string | null): boolean {
  if (id === null) return false;
  if (seen.has(id)) return true;
  if (seen.size < REMEMBERED_IDS) seen.add(id);
  return false;
}

function idOf(text: string): string | null {
  try {
    const { id } = JSON.parse(text) as { readonly id?: unknown };
    return typeof id === "string" ? id : null;
  } catch {
    return null;
  }
}
