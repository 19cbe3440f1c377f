/** Completion scripts, generated from the table of commands, in real shells: bash always, zsh and fish where they are installed. */

import { beforeAll, describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { loadAll } from "#commands/commands.ts";
import { runInProcess } from "#test/commands/process.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";

const folder = temporaryDirectory();
const names: string[] = [];
beforeAll(async () => {
  names.push(...(await loadAll()).map(({ name }) => name));
  for (const shell of ["bash", "zsh", "fish"])
    writeFileSync(join(folder, shell), (await runInProcess(["completion", shell])).out);
});

/** What bash offers for the last of the words. */
async function offered(...words: string[]): Promise<readonly string[]> {
  const script = `source "$1"; shift
    COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _crossrate; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const child = Bun.spawn(["bash", "-c", script, "bash", join(folder, "bash"), "crossrate", ...words], {
    stdout: "pipe",
    stderr: "pipe",
  });
  const [out, err] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  expect({ code: await child.exited, err }).toEqual({ code: 0, err: "" });
  return out.split("\n").filter((line) => line !== "");
}

describe("bash", () => {
  test("offers every command", async () => {
    expect(await offered("")).toEqual([...names, "help", "version"]);
    expect(await offered("conv")).toEqual(["convert"]);
    expect(await offered("help", "conv")).toEqual(["convert"]);
  });

  test("offers flags, their values, and subcommands, of operators' commands too", async () => {
    expect(await offered("latest", "--j")).toEqual(["--json"]);
    expect(await offered("range", "USD", "EUR", "--interval", "1m")).toEqual(["1mo", "1m"]);
    expect(await offered("keys", "ro")).toEqual(["rotate"]);
    expect(await offered("accounts", "create")).toEqual(["create-admin"]);
    expect(await offered("completion", "f")).toEqual(["fish"]);
  });

  test("offers currencies in either case, and behind a comma", async () => {
    expect(await offered("latest", "eu")).toEqual(["EUR"]);
    expect(await offered("latest", "USD", "EUR,JP")).toEqual(["EUR,JPY"]);
  });

  test("offers every flag that a command's help names", async () => {
    for (const name of names) {
      const { out } = await runInProcess([name, "--help"]);
      const named = new Set(
        Array.from(out.matchAll(/^ {2}(?:-\w, )?(--[a-z-]+)(?= )/gm), ([, flag = ""]) => flag),
      );
      const known = await offered(name, "--");
      for (const flag of named)
        expect({ name, known }).toEqual({ name, known: expect.arrayContaining([flag]) });
    }
  }, 20_000);
});

describe.each(["zsh", "fish"])("%s", (shell) => {
  if (Bun.which(shell) !== null)
    test("reads its script", async () => {
      const child = Bun.spawn([shell, "-n", join(folder, shell)], { stderr: "pipe" });
      expect(await new Response(child.stderr).text()).toBe("");
      expect(await child.exited).toBe(0);
    });

  test("has every command and flag", async () => {
    const script = await Bun.file(join(folder, shell)).text();
    for (const command of await loadAll()) {
      expect(script).toContain(command.name);
      for (const { name } of command.words.flags ?? []) expect(script).toContain(name.slice(2));
    }
  });
});

test("another shell is refused with those that there are", async () => {
  expect(await runInProcess(["completion", "tcsh"])).toMatchObject({
    code: 2,
    err: expect.stringContaining("bash, zsh, fish"),
  });
});
