/** The bytes of one attempt: head and body, exactly as the receiver gets them. Part of post.ts. */

import type { EndpointUrl } from "#domain/webhook/endpoint-url.ts";
import { CONTENT_TYPE } from "#domain/webhook/rules.ts";

/** Written here and nowhere else: they say where the request goes and where it ends. */
const FRAMING = new Set(["host", "connection", "content-length", "transfer-encoding"]);
const NAME = /^[A-Za-z0-9-]+$/;
const VALUE = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;

/** `headers` are added, and replace ours of the same name. Throws TypeError for one that is not a plain header. */
export function requestBytes(
  url: EndpointUrl,
  userAgent: string,
  headers: Readonly<Record<string, string>>,
  body: string,
): Uint8Array {
  const named = new Map<string, string>();
  const given = { "Content-Type": CONTENT_TYPE, "User-Agent": userAgent, ...headers };
  for (const [name, value] of Object.entries(given)) {
    if (!NAME.test(name) || !VALUE.test(value) || FRAMING.has(name.toLowerCase()))
      throw new TypeError(`not a header that may be sent: ${name}`);
    named.set(name.toLowerCase(), `${name}: ${value}`);
  }
  const bytes = Buffer.from(body);
  const lines = [
    `POST ${url.target} HTTP/1.1`,
    `Host: ${url.authority}`,
    ...named.values(),
    `Content-Length: ${bytes.length}`,
    "Connection: close",
  ];
  return Buffer.concat([Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1"), bytes]);
}
