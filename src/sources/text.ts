/** Decodes bytes for every parser: UTF-8 only. A web page in place of data is a named fault. */

import { BrokenDocument } from "#domain/faults/upstream.ts";

/** The text of a document, without a byte order mark. `what` names the expected format. Throws BrokenDocument. */
export function decodeText(bytes: Uint8Array, what: string): string {
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    throw new BrokenDocument(`${what}: the bytes are not UTF-8 text`, error);
  }
  if (text.trim() === "") throw new BrokenDocument(`${what}: the document is empty`);
  if (/^\s*(?:<!doctype\s+html|<html)/i.test(text.slice(0, 500))) {
    throw new BrokenDocument(`${what}: an HTML page came instead`);
  }
  return text;
}

/** A piece of a document for a message: quoted, without control characters, at most 40 characters. */
export function quoted(text: string): string {
  return JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text);
}
