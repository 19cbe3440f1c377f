/** Programs that reproduce what is on the page: one at a time, copied by one click. */
/* @jsxImportSource preact */

import { CopyButton } from "./forms.tsx";

export interface Snippet {
  readonly language: "sh" | "ts" | "python";
  readonly name: string;
  readonly text: string;
}

export function Code({ text }: Pick<Snippet, "text">) {
  return (
    <pre>
      <code>{text}</code>
    </pre>
  );
}

/** The calls in three languages that return what a page shows; `ts` and `python` are lines on a client called `crossrate`. */
export function snippetsOf(
  { origin, key }: { readonly origin: string; readonly key?: string },
  path: string,
  ts: string,
  python: string,
): readonly Snippet[] {
  const [header, option, argument] =
    key === undefined
      ? ["", "", ""]
      : [` \\\n  -H "Authorization: Bearer ${key}"`, `, key: "${key}"`, `, key="${key}"`];
  const client = `import { Crossrate } from "@crossrate/client";\n\nconst crossrate = new Crossrate({ url: "${origin}"${option} });`;
  const session = `from crossrate import Crossrate\n\nwith Crossrate("${origin}"${argument}) as crossrate:`;
  return [
    { language: "sh", name: "curl", text: `curl '${origin}${path}'${header}` },
    { language: "ts", name: "TypeScript", text: `${client}\n${ts}` },
    { language: "python", name: "Python", text: `${session}\n    ${python}` },
  ];
}

/** Like the calls of the guides: radio buttons with a block each, which need no script. */
export function Snippets({ snippets }: { readonly snippets: readonly Snippet[] }) {
  return (
    <fieldset class="call">
      <legend class="visually-hidden">Language</legend>
      {snippets.flatMap(({ language, name }, index) => [
        <input
          key={language}
          type="radio"
          autocomplete="off"
          name="language"
          id={`call-${language}`}
          value={language}
          checked={index === 0}
        />,
        <label key={name} for={`call-${language}`}>
          {name}
        </label>,
      ])}
      {snippets.map(({ language, text }) => (
        <div key={language} class="code" data-language={language}>
          <Code text={text} />
          <CopyButton />
        </div>
      ))}
    </fieldset>
  );
}
