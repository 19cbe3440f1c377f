/** Parses the plain XML of upstreams: elements with attributes and text, well-formed or refused. */

import { XmlElement as ParsedElement, parseXml, XmlProcessingInstruction, XmlText } from "@rgrove/parse-xml";
import { BrokenDocument } from "#domain/faults/upstream.ts";
import { quoted } from "./text.ts";

export interface XmlElement {
  /** The name with its prefix. */
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: readonly XmlElement[];
  /** Trimmed, entities resolved; empty for an element with child elements. */
  readonly text: string;
}

/** Upstreams nest four deep. */
const DEEPEST = 16;
/** By default the parser drops these nodes or merges them into texts. Here they are kept, to be refused. */
const OPTIONS = { preserveCdata: true, preserveDocumentType: true } as const;

/**
 * The document element. The caller has bounded the size. Throws BrokenDocument when the document is not well-formed or is cut off,
 * and when an element holds both text and elements. Document types, CDATA and custom entities are refused; of processing
 * instructions only a style sheet before the element is allowed.
 */
export function readElements(text: string, what: string): XmlElement {
  const { children, root } = parsed(text, what);
  for (const node of children) {
    const isStyleSheet = node instanceof XmlProcessingInstruction && node.name === "xml-stylesheet";
    if (node !== root && !isStyleSheet) throw new BrokenDocument(`${what}: a ${node.type} is not plain XML`);
  }
  if (root === null) throw new BrokenDocument(`${what}: no document element`);
  return elementFrom(root, 1, what);
}

function parsed(text: string, what: string): ReturnType<typeof parseXml> {
  try {
    // XML 1.0 §2.11. The parser does it too, but in quadratic time.
    return parseXml(text.replace(/\r\n?/g, "\n"), OPTIONS);
  } catch (error) {
    // The parser is recursive: deep nesting ends in a RangeError.
    if (error instanceof RangeError) throw new BrokenDocument(`${what}: more than ${DEEPEST} elements deep`);
    const [reason = ""] = (error as Error).message.split("\n");
    throw new BrokenDocument(`${what}: not well-formed: ${reason.slice(0, 200)}`, error);
  }
}

function elementFrom(parsed: ParsedElement, depth: number, what: string): XmlElement {
  const { name } = parsed;
  if (depth > DEEPEST) throw new BrokenDocument(`${what}: more than ${DEEPEST} elements deep`);
  const children: XmlElement[] = [];
  let text = "";
  for (const node of parsed.children) {
    if (node instanceof ParsedElement) children.push(elementFrom(node, depth + 1, what));
    else if (node instanceof XmlText && node.type === "text") text += node.text;
    else throw new BrokenDocument(`${what}: a ${node.type} in <${name}> is not plain XML`);
  }
  text = text.trim();
  if (children.length > 0 && text !== "") {
    throw new BrokenDocument(`${what}: text beside the elements of <${name}>: ${quoted(text)}`);
  }
  return { name, attributes: new Map(Object.entries(parsed.attributes)), children, text };
}

export function elementsOf(parent: XmlElement, name: string): readonly XmlElement[] {
  return parent.children.filter((child) => child.name === name);
}

/** The only direct child of a name. Throws BrokenDocument where it is missing or not the only one. */
export function elementOf(parent: XmlElement, name: string, what: string): XmlElement {
  const [element, ...more] = elementsOf(parent, name);
  if (element === undefined) throw new BrokenDocument(`${what}: <${parent.name}> without <${name}>`);
  if (more.length > 0) throw new BrokenDocument(`${what}: <${parent.name}> has <${name}> twice`);
  return element;
}

export function textOf(parent: XmlElement, name: string, what: string): string {
  const element = elementOf(parent, name, what);
  if (element.children.length === 0) return element.text;
  throw new BrokenDocument(`${what}: <${name}> holds elements instead of text`);
}

export function attributeOf(element: XmlElement, name: string, what: string): string {
  const value = element.attributes.get(name);
  if (value === undefined) throw new BrokenDocument(`${what}: <${element.name}> without ${name}`);
  return value;
}
