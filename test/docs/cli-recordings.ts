/** The recorded commands of docs/cli.md: found, run against a demo with a fixed clock, and made comparable. */

import { join } from "node:path";
import { runInProcess } from "#test/commands/process.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { codeBlocks, readDocument } from "./document.ts";
import type { LakeDemo } from "./lake-demo.ts";

export interface Recording {
  readonly command: string;
  readonly output: string;
}

/** Each command with the output that the page shows under it. */
export async function recordingsOf(path: string): Promise<readonly Recording[]> {
  const blocks = codeBlocks(await readDocument(path));
  return blocks.flatMap(({ language, content }, at) => {
    const after = blocks[at + 1];
    return language === "sh" && after?.language === "text"
      ? [{ command: content.trim(), output: after.content }]
      : [];
  });
}

/** Runs recorded commands one after the other, as one person does. The password of the demo is in `password.txt`. */
export function player({ url, key }: Pick<LakeDemo, "url" | "key">) {
  const folder = temporaryDirectory();
  const environment = { CROSSRATE_URL: url, XDG_CONFIG_HOME: join(folder, ".config") };
  let isFirst = true;
  return async (command: string): Promise<string> => {
    const [line = "", piped] = command.split(" < ");
    const words = line.split(" ").map((word) => word.replace(/^'(.*)'$/, "$1"));
    const out = words.indexOf("-o") + 1;
    if (out > 0) words[out] = join(folder, words[out] as string);
    const file = words.indexOf("--file") + 1;
    if (file > 0) {
      words[file] = join(folder, words[file] as string);
      await Bun.write(words[file], await shownTable());
    }
    const isAccounts = /^crossrate (login|keys|usage|logout)/.test(command);
    const { out: results, err } = await runInProcess(
      words.slice(1),
      isAccounts ? environment : { ...environment, CROSSRATE_API_KEY: key },
      piped === undefined ? [] : ["crossrate-demo\n"],
    );
    const text = masked(results + err, folder, url);
    const shown = isFirst ? text : withoutNotice(text);
    isFirst = false;
    return shown;
  };
}

async function shownTable(): Promise<string> {
  const blocks = codeBlocks(await readDocument("docs/cli.md"));
  return blocks.find(({ language }) => language === "csv")?.content ?? "";
}

function masked(text: string, folder: string, url: string): string {
  return text
    .replaceAll("\r\n", "\n")
    .replaceAll(`${folder}/.config`, "~/.config")
    .replaceAll(`${folder}/`, "")
    .replaceAll(url, "http://127.0.0.1:3000")
    .replace(/fxk_\w{8}/g, "fxk_5nY0knQl")
    .replace(/request \S+/g, "request 9f3c2b1a7d5e-1")
    .replace(/last used \S+.*$/gm, "last used 2026-10-30 15:30:59 UTC")
    .replace(/\d+ of 1,000,000 calls/g, "14 of 1,000,000 calls")
    .replace(/^(2026-10-30 +)\d+( +0( +█+)?)$/gm, "$114$2");
}

/** The reminder has a paragraph of its own at the end. */
function withoutNotice(text: string): string {
  return text.replace(/\n+(SIMULATED DATA:|Indicative mid rates)[\s\S]*$/, "\n");
}
