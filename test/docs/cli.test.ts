/** Every output that docs/cli.md shows is what the command prints on a demo; the exit codes and variables are those of the code. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { EXIT } from "#cli/command.ts";
import { withCommands } from "#packaging/generate-commands.ts";
import { player, recordingsOf } from "./cli-recordings.ts";
import { readDocument, tableAfter } from "./document.ts";
import { type LakeDemo, startNewDemo } from "./lake-demo.ts";

const recordings = await recordingsOf("docs/cli.md");
let demo: LakeDemo;
let play: ReturnType<typeof player>;
beforeAll(async () => {
  demo = await startNewDemo({ real: true });
  play = player(demo);
}, 60_000);
afterAll(async () => {
  await demo?.stop();
});

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

test("the exit codes of the page are those of the code", async () => {
  const codes = tableAfter(await readDocument("docs/cli.md"), "exit code").map(([code]) => code);
  expect(codes).toEqual([...Object.values(EXIT).map(String), "130, 143"]);
});
