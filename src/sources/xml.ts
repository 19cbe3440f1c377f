/** The plain XML that upstreams send, as a stream of tags: well-formed or refused. No document types, no entities, no CDATA. */

import { BrokenDocument } from "#domain/faults.ts";
import { quoted } from "./text.ts";

export interface OpeningTag {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  /** Names of the tags around this one, outermost first. */
  readonly path: readonly string[];
}

const PROLOG = /^\s*(?:<\?xml[^<>]*\?>)?\s*/;
const COMMENT = /<!--[\s\S]*?-->/y;
const TAG = /<(\/?)([A-Za-z_][\w:.-]*)((?:\s+[\w:.-]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(\/?)>/y;
const ATTRIBUTE = /([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;

/**
 * Every opening tag in document order, attributes in either quote style. The text between tags is passed over.
 * Throws BrokenDocument when tags do not match, something is left open (a cut-off document), or anything
 * but one root element and comments is there.
 */
export function readTags(text: string, what: string): OpeningTag[] {
  const tags: OpeningTag[] = [];
  const open: string[] = [];
  let at = PROLOG.exec(text)?.[0].length ?? 0;
  while (at < text.length) {
    const next = text.indexOf("<", at);
    const between = next === -1 ? text.slice(at) : text.slice(at, next);
    if (open.length === 0 && between.trim() !== "") {
      throw new BrokenDocument(`${what}: text outside the document element: ${quoted(between.trim())}`);
    }
    if (next === -1) break;
    COMMENT.lastIndex = next;
    const comment = COMMENT.exec(text);
    if (comment !== null) {
      at = next + comment[0].length;
      continue;
    }
    TAG.lastIndex = next;
    const match = TAG.exec(text);
    if (match === null) {
      throw new BrokenDocument(`${what}: not a tag: ${quoted(text.slice(next, next + 40))}`);
    }
    at = next + match[0].length;
    const [, closing, name = "", attributes = "", alone] = match;
    if (closing === "/") {
      if (open.pop() !== name || attributes !== "" || alone === "/") {
        throw new BrokenDocument(`${what}: </${name}> closes nothing`);
      }
      continue;
    }
    if (open.length === 0 && tags.length > 0) throw new BrokenDocument(`${what}: a second document element`);
    tags.push({ name, attributes: attributesOf(attributes, name, what), path: [...open] });
    if (alone !== "/") open.push(name);
  }
  if (open.length > 0) throw new BrokenDocument(`${what}: cut off, <${open.at(-1)}> is not closed`);
  if (tags.length === 0) throw new BrokenDocument(`${what}: no document element`);
  return tags;
}

function attributesOf(text: string, tag: string, what: string): Map<string, string> {
  const attributes = new Map<string, string>();
  for (const [, name = "", double, single] of text.matchAll(ATTRIBUTE)) {
    if (attributes.has(name)) throw new BrokenDocument(`${what}: <${tag}> has ${name} twice`);
    attributes.set(name, double ?? single ?? "");
  }
  return attributes;
}
