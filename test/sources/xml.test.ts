/** XML with values between tags: what is well-formed is read whole, everything else is refused. */

import { describe, expect, test } from "bun:test";
import { attributeOf, elementOf, elementsOf, readElements, textOf } from "#sources/xml.ts";
import { reasonOf } from "#test/sources/documents.ts";

const read = (text: string) => readElements(text, "table");

test("elements keep their order, attributes and text; space around a text is none of it", () => {
  const root = read(`<?xml version="1.0" encoding="UTF-8"?>
    <?xml-stylesheet type="text/xsl" href="a.xsl"?>
    <!-- made by <hand> -->
    <list day='2026-06-01' of="a &quot;b&quot;"><row>
      <code> USD </code><rate>1.10</rate></row><row/><row><code/></row></list>`);
  expect(root.name).toBe("list");
  expect([...root.attributes]).toEqual([
    ["day", "2026-06-01"],
    ["of", 'a "b"'],
  ]);
  const [first, second, third] = elementsOf(root, "row");
  expect(first?.children.map(({ name, text }) => `${name} ${text}`)).toEqual(["code USD", "rate 1.10"]);
  expect(second?.children).toEqual([]);
  expect(third === undefined ? null : textOf(third, "code", "table")).toBe("");
});

test("named and numeric entities become characters, once; a comment inside a text joins its halves", () => {
  const text = (inner: string) => read(`<a>${inner}</a>`).text;
  expect(text("Trinidad &amp; Tobago")).toBe("Trinidad & Tobago");
  expect(text("&lt;Day date=&quot;x&quot;&gt;&apos;")).toBe(`<Day date="x">'`);
  expect(text("&amp;lt;")).toBe("&lt;");
  expect(text("&#163;1 &#xA3;1 &#x20AC;")).toBe("£1 £1 €");
  expect(text("1.<!-- half -->25")).toBe("1.25");
});

test("a document that is cut off anywhere is refused", () => {
  const whole = `<?xml version="1.0"?><!-- x --><a y="&lt;"><b>1.10</b><c/><d>&amp;<!-- z --></d></a>`;
  expect(read(whole).children).toHaveLength(3);
  for (let end = 0; end < whole.length; end++) {
    expect(reasonOf(() => read(whole.slice(0, end)))).toStartWith("table: ");
  }
});

describe("refused", () => {
  test.each<readonly [string, string, string]>([
    ["a cut-off document", "<a><b>1</b>", "Missing end tag for element a"],
    ["a cut-off tag", "<a><b", "Unclosed start tag"],
    ["nothing", "<!-- only -->", "Root element is missing"],
    ["crossed tags", "<a><b></a></b>", "Missing end tag for element b"],
    ["a closing tag alone", "</a>", "Root element is missing"],
    ["a second document element", "<a/><b/>", "Extra content at the end of the document"],
    ["text after the end", "<a/>1", "Extra content at the end of the document"],
    ["text beside elements", "<a>1<b/></a>", "text beside the elements of <a>"],
    ["a document type", '<!DOCTYPE a [<!ENTITY x "y">]><a/>', "a doctype is not plain XML"],
    ["a document type without entities", "<!DOCTYPE a><a/>", "a doctype is not plain XML"],
    [
      "entities that grow",
      '<!DOCTYPE a [<!ENTITY x "yy"><!ENTITY z "&x;&x;">]><a>&z;</a>',
      "Named entity isn't defined",
    ],
    [
      "an entity from a file",
      '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>',
      "isn't defined",
    ],
    ["CDATA", "<a><![CDATA[1]]></a>", "a cdata in <a> is not plain XML"],
    ["a processing instruction inside", "<a><?php 1?></a>", "a pi in <a> is not plain XML"],
    ["a processing instruction before the element", "<?php 1?><a/>", "a pi is not plain XML"],
    ["an unknown entity", "<a>&nbsp;</a>", "Named entity isn't defined"],
    ["an ampersand alone", "<a>1 & 2</a>", "Unterminated reference"],
    ["an entity of no character", "<a>&#0;</a>", "resolves to an invalid character"],
    ["half of a surrogate pair", "<a>&#xD800;</a>", "resolves to an invalid character"],
    ["an entity beyond Unicode", "<a>&#x110000;</a>", "resolves to an invalid character"],
    ["an attribute twice", '<a x="1" x="1"/>', "Duplicate attribute: x"],
    ["an attribute without quotes", "<a x=1/>", "Attribute value expected"],
    ["too deep", "<a>".repeat(17) + "</a>".repeat(17), "more than 16 elements deep"],
    ["a million elements deep, never closed", "<a>".repeat(1_000_000), "more than 16 elements deep"],
  ])("%s", (_, text, reason) => expect(reasonOf(() => read(text))).toContain(reason));

  test("an element that is missing, doubled, or not a text; an attribute that is missing", () => {
    const root = read("<a><b>1</b><b>2</b><c><d/></c></a>");
    expect(reasonOf(() => elementOf(root, "x", "table"))).toBe("table: <a> without <x>");
    expect(reasonOf(() => textOf(root, "b", "table"))).toBe("table: <a> has <b> twice");
    expect(reasonOf(() => textOf(root, "c", "table"))).toContain("holds elements instead of text");
    expect(reasonOf(() => attributeOf(root, "x", "table"))).toBe("table: <a> without x");
  });
});

test("a million line ends of Windows are read at once, each as one", () => {
  expect(read(`<a>${"\r\n".repeat(1_000_000)}</a>`).text).toBe("");
  expect(read("<a>1\r\n2\r3</a>").text).toBe("1\n2\n3");
});
