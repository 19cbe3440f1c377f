/** The plain XML that upstreams send: a document as elements with attributes and text, well-formed or refused. */

import { BrokenDocument } from "#domain/faults/faults.ts";
import { quoted } from "./text.ts";

export interface XmlElement {
  /** As written, with its prefix. */
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: readonly XmlElement[];
  /** What stands between its own tags, entities resolved, without space at both ends; empty where elements stand there. */
  readonly text: string;
}

/** Upstreams nest four deep. A bound, so that no document decides how much is held open. */
const DEEPEST = 16;
/** What an authority may put before its element: the declaration, and the style sheet for people who open it. */
const PROLOG = /^\s*(?:<\?xml[^<>]*\?>)?\s*(?:<\?xml-stylesheet[^<>]*\?>\s*)*/;
const COMMENT = /<!--[\s\S]*?-->/y;
const TAG = /<(\/?)([A-Za-z_][\w:.-]*)((?:\s+[\w:.-]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(\/?)>/y;
const ATTRIBUTE = /([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;
const REFERENCE = /&(?:(amp|lt|gt|quot|apos)|#(\d{1,7})|#x([0-9a-fA-F]{1,6}));|&/g;
const NAMED: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

interface OpenElement {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: XmlElement[];
  text: string;
}

/**
 * The document element. Throws BrokenDocument when tags do not match, something is left open (a cut-off document), text
 * stands beside elements, or anything but elements, text, comments and the five named and the numeric entities is there:
 * no document types, no CDATA.
 */
export function readElements(text: string, what: string): XmlElement {
  const open: OpenElement[] = [];
  let root: XmlElement | null = null;
  let at = PROLOG.exec(text)?.[0].length ?? 0;
  while (at < text.length) {
    const next = text.indexOf("<", at);
    addText(open.at(-1), next === -1 ? text.slice(at) : text.slice(at, next), what);
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
      if (open.at(-1)?.name !== name || attributes !== "" || alone === "/") {
        throw new BrokenDocument(`${what}: </${name}> closes nothing`);
      }
    } else {
      if (root !== null) throw new BrokenDocument(`${what}: a second document element`);
      if (open.length === DEEPEST) throw new BrokenDocument(`${what}: more than ${DEEPEST} elements deep`);
      open.push({ name, attributes: attributesOf(attributes, name, what), children: [], text: "" });
      if (alone !== "/") continue;
    }
    const element = finished(open.pop() as OpenElement, what);
    const parent = open.at(-1);
    if (parent === undefined) root = element;
    else parent.children.push(element);
  }
  if (open.length > 0) throw new BrokenDocument(`${what}: cut off, <${open.at(-1)?.name}> is not closed`);
  if (root === null) throw new BrokenDocument(`${what}: no document element`);
  return root;
}

/** The elements of a name directly inside another, in document order. */
export function elementsOf(parent: XmlElement, name: string): readonly XmlElement[] {
  return parent.children.filter((child) => child.name === name);
}

/** The one element of a name directly inside another. Throws BrokenDocument where there is none, or a second. */
export function elementOf(parent: XmlElement, name: string, what: string): XmlElement {
  const [element, ...more] = elementsOf(parent, name);
  if (element === undefined) throw new BrokenDocument(`${what}: <${parent.name}> without <${name}>`);
  if (more.length > 0) throw new BrokenDocument(`${what}: <${parent.name}> has <${name}> twice`);
  return element;
}

/** The text of the one element of a name. Throws BrokenDocument where it holds elements instead. */
export function textOf(parent: XmlElement, name: string, what: string): string {
  const element = elementOf(parent, name, what);
  if (element.children.length === 0) return element.text;
  throw new BrokenDocument(`${what}: <${name}> holds elements instead of text`);
}

/** Throws BrokenDocument where the element has no such attribute. */
export function attributeOf(element: XmlElement, name: string, what: string): string {
  const value = element.attributes.get(name);
  if (value === undefined) throw new BrokenDocument(`${what}: <${element.name}> without ${name}`);
  return value;
}

function addText(element: OpenElement | undefined, between: string, what: string): void {
  if (element !== undefined) {
    element.text += resolved(between, what);
  } else if (between.trim() !== "") {
    throw new BrokenDocument(`${what}: text outside the document element: ${quoted(between.trim())}`);
  }
}

function finished({ name, attributes, children, text }: OpenElement, what: string): XmlElement {
  const trimmed = text.trim();
  if (children.length > 0 && trimmed !== "") {
    throw new BrokenDocument(`${what}: text beside the elements of <${name}>: ${quoted(trimmed)}`);
  }
  return { name, attributes, children, text: trimmed };
}

function attributesOf(text: string, tag: string, what: string): Map<string, string> {
  const attributes = new Map<string, string>();
  for (const [, name = "", double, single] of text.matchAll(ATTRIBUTE)) {
    if (attributes.has(name)) throw new BrokenDocument(`${what}: <${tag}> has ${name} twice`);
    attributes.set(name, resolved(double ?? single ?? "", what));
  }
  return attributes;
}

function resolved(text: string, what: string): string {
  if (!text.includes("&")) return text;
  return text.replace(REFERENCE, (reference, named: string, decimal: string, hexadecimal: string) => {
    if (named !== undefined) return NAMED[named] as string;
    const point = decimal !== undefined ? Number(decimal) : Number.parseInt(hexadecimal, 16);
    if (isCharacter(point)) return String.fromCodePoint(point);
    throw new BrokenDocument(`${what}: not an entity of plain XML: ${quoted(reference)}`);
  });
}

/** The characters of XML 1.0 §2.2; NaN, for an ampersand that begins nothing, is none of them. */
function isCharacter(point: number): boolean {
  if (point < 0x20) return point === 0x9 || point === 0xa || point === 0xd;
  if (point >= 0xd800 && point <= 0xdfff) return false;
  return point <= 0x10ffff && point !== 0xfffe && point !== 0xffff;
}
