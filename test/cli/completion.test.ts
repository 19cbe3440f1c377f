/** Completion, by the tree of commands: what is offered, and the script of bash in a real shell. */

import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { offers } from "#cli/completion.ts";
import { wholeProgram } from "#packaging/generate-commands.ts";
import { runQuietly } from "#test/clients/process.ts";
import { runInProcess } from "#test/commands/process.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";

const program = wholeProgram();

test.each([
  ["conv", ["convert"]],
  ["help conv", ["convert"]],
  ["latest --j", ["--json"]],
  ["range USD EUR --interval 1m", ["1mo", "1m"]],
  ["range USD EUR -o eur", []],
  ["keys ro", ["rotate"]],
  ["accounts create", ["create-admin"]],
  ["admin keys rew", ["rewrap"]],
  ["completion f", ["fish"]],
  ["latest eu", ["EUR"]],
  ["latest USD EUR,JP", ["EUR,JPY"]],
  ["latest USD/JP", ["USD/JPY"]],
])("%s", (line, expected) => {
  expect(offers(program, line.split(" ")).map(({ text }) => text)).toEqual(expected);
});

test("every command is offered, with its summary", () => {
  const all = offers(program, [""]);
  expect(all.map(({ text }) => text)).toEqual(program.commands.map((each) => each.name()));
  expect(all.length).toBeGreaterThan(20);
  for (const { meaning } of all) expect(meaning).not.toBe("");
});

/** A folder with the program as `crossrate`, and the script of the shell. */
async function installed(shell: string) {
  const folder = temporaryDirectory();
  const main = join(import.meta.dir, "../../src/main.ts");
  writeFileSync(join(folder, "crossrate"), `#!/bin/sh\nexec ${process.execPath} ${main} "$@"\n`, {
    mode: 0o755,
  });
  writeFileSync(join(folder, "script"), (await runInProcess(["completion", shell])).out);
  return { folder, env: { PATH: `${folder}:${process.env["PATH"]}`, HOME: folder } };
}

test("bash asks the program, and offers what it answers", async () => {
  const { folder, env } = await installed("bash");
  const line = `source "$1/script"; COMP_WORDS=(crossrate latest USD EUR,JP); COMP_CWORD=3; _crossrate; echo "\${COMPREPLY[@]}"`;
  expect(await runQuietly(["bash", "-c", line, "bash", folder], { env })).toBe("EUR,JPY\n");
});

test.if(Bun.which("fish") !== null)("fish offers files only where the program offers nothing", async () => {
  const { folder, env } = await installed("fish");
  const offered = (line: string) =>
    runQuietly(["fish", "-c", `source script; complete -C "${line}"`], { env, cwd: folder });
  expect(await offered("crossrate official banxico ")).not.toContain("script");
  expect(await offered("crossrate import quotes scr")).toBe("script\n");
});

test.each(["zsh", "fish"].filter((shell) => Bun.which(shell) !== null))(
  "%s reads its script",
  async (shell) => {
    const path = join(temporaryDirectory(), shell);
    writeFileSync(path, (await runInProcess(["completion", shell])).out);
    const child = Bun.spawn([shell, "-n", path], { stderr: "pipe" });
    expect(await new Response(child.stderr).text()).toBe("");
  },
);

test("descriptions go to the shells that show them", async () => {
  const { out } = await runInProcess(["completion", "fish", "--", "keys", "ro"]);
  expect(out).toBe("rotate\tissue a new key and store it; the old one works for 24 hours more\n");
  expect((await runInProcess(["completion", "zsh", "--", "latest", "eu"])).out).toBe("EUR\n");
});

test("another shell is refused with those that there are", async () => {
  const { code, err } = await runInProcess(["completion", "tcsh"]);
  expect(code).toBe(2);
  expect(err).toContain("Allowed choices are bash, zsh, fish");
});
