/** Makes all answers: headers, conditions, content coding, length. Failures and ready bodies use its headers, too. */

import { isHead } from "#api/request/inner-request.ts";
import { Failure } from "#domain/faults/errors.ts";
import { etagOf, judgeConditions, type Part, type RangedReads, strongTag } from "./conditions.ts";
import { type HeaderFields, headersOf, requestId } from "./headers.ts";
import { type LargeBodies, SMALLEST_LARGE } from "./large-bodies.ts";
import { compress, compressAside, type Encoding, encodingFor } from "./negotiation.ts";

export interface RespondDeps {
  readonly simulated: boolean;
}

export interface AnswerFields extends HeaderFields {
  /** 200 by default. */
  readonly status?: number;
  readonly mime?: string;
}

export interface Payload {
  readonly body: BodyInit | null;
  /** Length of the sent body; NaN when unknown before its end. */
  readonly bytes: number;
  readonly encoding?: Encoding | null;
  /** Replaces the answer's own status. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Answers 304 when the caller has this version already, else makes the payload. A known length is always announced:
 * under HEAD, where the server sends no body, and to programs that count bytes. (A stream of known length is sent in
 * chunks, and the server leaves the header out.) Fails with `precondition_failed` when If-Match asks for another
 * version.
 */
export function respond<Made extends Payload | Promise<Payload>>(
  request: Request,
  { simulated }: RespondDeps,
  fields: AnswerFields,
  payload: () => Made,
): Response | (Made extends Payload ? never : Promise<Response>) {
  const headers = headersOf(requestId(request.headers), simulated, fields);
  if (fields.etag !== undefined) {
    const verdict = judgeConditions(request.headers, fields.etag);
    if (verdict === "failed") throw new Failure("precondition_failed");
    if (verdict === "unmodified") return new Response(null, { status: 304, headers });
  }
  const made: Payload | Promise<Payload> = payload();
  if (!(made instanceof Promise)) return send(headers, fields, made);
  return made.then((later) => send(headers, fields, later)) as ReturnType<typeof respond<Made>>;
}

function send(headers: Headers, fields: AnswerFields, payload: Payload): Response {
  const { body, bytes, encoding = null, status = fields.status ?? 200, headers: more } = payload;
  if (fields.mime !== undefined) headers.set("Content-Type", fields.mime);
  if (encoding !== null) {
    headers.set("Content-Encoding", encoding);
    if (fields.vary === undefined) headers.set("Vary", "Accept-Encoding");
  }
  for (const name in more) headers.set(name, more[name] as string);
  if (!Number.isNaN(bytes)) headers.set("Content-Length", String(bytes));
  return new Response(body, { status, headers });
}

/** Encodes the bytes for the client; `large` bounds them as a large body. */
export function codedPayload(request: Request, bytes: Uint8Array<ArrayBuffer>, large?: LargeBodies): Payload {
  const encoding = encodingFor(request.headers, bytes.byteLength);
  const sent = encoding === null ? bytes : compress(bytes, encoding);
  return { body: large?.own(request, sent) ?? sent, bytes: sent.byteLength, encoding };
}

/**
 * Answers a text or a file made for one request, with a weak ETag over all of it; 304 when the caller has it already.
 * With `reads` programs may read it in parts (Range): parts are of the uncoded text, with a strong tag.
 */
export async function respondText(
  request: Request,
  deps: RespondDeps & { readonly large: LargeBodies },
  fields: Pick<AnswerFields, "mime" | "cacheControl" | "exposed" | "headers">,
  text: string | Uint8Array<ArrayBuffer> | readonly (string | Uint8Array<ArrayBuffer>)[],
  reads: RangedReads | null = null,
): Promise<Response> {
  const isText = !(text instanceof Uint8Array);
  // The parts of a long text are never joined in memory, and an answer shares the bytes of a Blob.
  const parts = isText ? [text].flat() : [text];
  const blob = new Blob(parts);
  const { size } = blob;
  const isPart = reads !== null && !isHead(request) && request.headers.has("range");
  const encoding = !isText || isPart ? null : encodingFor(request.headers, size);
  const isRanged = reads !== null && encoding === null;
  const weak = etagOf(...parts);
  const etag = isRanged ? strongTag(weak) : weak;
  const headers = isRanged ? { ...fields.headers, "Accept-Ranges": "bytes" } : (fields.headers ?? {});
  const tagged = { ...fields, etag, headers, vary: "Accept, Accept-Encoding" };
  return await respond(request, deps, tagged, async () => {
    if (encoding !== null) {
      const sent = await (size > SMALLEST_LARGE ? compressAside : compress)(await blob.bytes(), encoding);
      return { body: deps.large.own(request, sent), bytes: sent.byteLength, encoding };
    }
    const part = reads?.partOf(request, etag, size) ?? "whole";
    if (part !== "whole") return partPayload(blob.slice(part.start, part.end), part, size, {});
    return { body: deps.large.own(request, blob), bytes: size };
  });
}

/** A whole file as a body. An ignored Range needs the pipe: Bun would apply it to the file, and to the file's own stream. */
export function wholeFile(request: Request, file: Blob): BodyInit {
  return request.headers.has("range") ? file.stream().pipeThrough(new TransformStream()) : file;
}

/** Sends a part of a file of `size` bytes: 206. */
export function partPayload(
  body: BodyInit,
  { start, end }: Part,
  size: number,
  headers: Readonly<Record<string, string>>,
): Payload {
  const range = { "Content-Range": `bytes ${start}-${end - 1}/${size}` };
  return { body, bytes: end - start, status: 206, headers: { ...headers, ...range } };
}

export function respondEmpty(
  request: Request,
  deps: RespondDeps,
  fields: AnswerFields & { readonly status: number },
): Response {
  return respond(request, deps, fields, () => ({ body: null, bytes: Number.NaN }));
}

/** Replaces a body of unknown length under HEAD: an empty one would announce a length of 0. */
export function unknownLength(): Payload {
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      controller.enqueue(new Uint8Array(1));
      controller.close();
    },
  });
  return { body, bytes: Number.NaN };
}
