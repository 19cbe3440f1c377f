/** Every output that docs/cli.md shows is what the command prints on a demo; the exit codes and variables are those of the code. */

import { expect, test } from "bun:test";
import type { Command } from "commander";
import { EXIT } from "#cli/command.ts";
import { wholeProgram, withCommands } from "#packaging/generate-commands.ts";
import { player, recordingsOf } from "./cli-recordings.ts";
import { readDocument, tableAfter } from "./document.ts";
import { startNewDemo } from "./lake-demo.ts";

const recordings = await recordingsOf("docs/cli.md");
const play = player(await startNewDemo({ real: true }));

test.each(recordings.map(({ command, output }) => [command, output] as const))(
  "%s prints what the page shows",
  async (command, output) => {
    expect(await play(command)).toBe(output);
  },
);

test("the page has every command, as the tree has it", async () => {
  const page = await readDocument("docs/cli.md");
  expect(recordings.length).toBeGreaterThan(8);
  expect(withCommands(page)).toBe(page);
});

test("every section of the notes is about a command or an option", async () => {
  const namesBelow = (command: Command, path: string): readonly string[] => [
    path,
    ...command.options.map(({ long }) => long ?? ""),
    ...command.commands.flatMap((each) => namesBelow(each, `${path} ${each.name()}`)),
  ];
  const headings = (await readDocument("docs/commands.md")).match(/(?<=^## ).*/gm) ?? [];
  expect(namesBelow(wholeProgram(), "crossrate")).toEqual(expect.arrayContaining(headings));
  expect(new Set(headings).size).toBe(headings.length);
});

test("the exit codes of the page are those of the code", async () => {
  const codes = tableAfter(await readDocument("docs/cli.md"), "exit code").map(([code]) => code);
  expect(codes).toEqual([...Object.values(EXIT).map(String), "130, 143"]);
});
