/** A guide's Markdown as HTML: headings with the anchors that the search leads to, code with its syntax marked, wide tables that scroll. */

import highlighter from "highlight.js/lib/core";
import bash from "highlight.js/lib/languages/bash";
import ini from "highlight.js/lib/languages/ini";
import json from "highlight.js/lib/languages/json";
import python from "highlight.js/lib/languages/python";
import sql from "highlight.js/lib/languages/sql";
import typescript from "highlight.js/lib/languages/typescript";
import xml from "highlight.js/lib/languages/xml";
import yaml from "highlight.js/lib/languages/yaml";
import { Marked, type Tokens } from "marked";

const LANGUAGES = { bash, ini, json, python, sql, typescript, xml, yaml };
for (const [name, language] of Object.entries(LANGUAGES)) highlighter.registerLanguage(name, language);
highlighter.registerAliases(["sh", "shell", "console"], { languageName: "bash" });
highlighter.registerAliases(["ts", "js", "javascript", "tsx"], { languageName: "typescript" });
highlighter.registerAliases(["html"], { languageName: "xml" });
highlighter.registerAliases(["env", "toml"], { languageName: "ini" });
highlighter.registerAliases(["py"], { languageName: "python" });

/** `anchors` are of the headings in their order. HTML inside the Markdown is shown as text. */
export function htmlOf(markdown: string, anchors: readonly string[]): string {
  let heading = 0;
  let table = 0;
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth }: Tokens.Heading) {
        const anchor = escaped(anchors[heading++] ?? "");
        const text = this.parser.parseInline(tokens);
        if (depth === 1) return `<h1 id="${anchor}">${text}</h1>`;
        return `<h${depth} id="${anchor}"><a class="anchor" href="#${anchor}">${text}</a></h${depth}>`;
      },
      code({ text, lang = "" }: Tokens.Code) {
        const name = /^\w+/.exec(lang)?.[0] ?? "";
        const isKnown = highlighter.getLanguage(name) !== undefined;
        const code = isKnown ? highlighter.highlight(text, { language: name }).value : escaped(text);
        return `<pre tabindex="0"><code>${code}</code></pre>`;
      },
      table(token: Tokens.Table) {
        const cell = (tag: string, { tokens }: Tokens.TableCell) =>
          `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`;
        const head = token.header.map((one) => cell("th", one)).join("");
        const rows = token.rows
          .map((row) => `<tr>${row.map((one) => cell("td", one)).join("")}</tr>`)
          .join("");
        return `<div class="scroll" tabindex="0" role="region" aria-label="Table ${++table}"><table><thead><tr>${head}</tr></thead><tbody>${rows}</tbody></table></div>`;
      },
      html: ({ text }: Tokens.HTML | Tokens.Tag) => escaped(text),
    },
  });
  return marked.parse(markdown, { async: false });
}

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (mark) => ENTITIES[mark] as string);
}

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
