/** Every output that docs/cli.md shows is what the command prints on a demo; the exit codes and variables are those of the code. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { EXIT } from "#cli/command.ts";
import { COMMANDS } from "#commands/commands.ts";
import { player, recordingsOf } from "./cli-recordings.ts";
import { readDocument, tableAfter } from "./document.ts";
import { type LakeDemo, startNewDemo } from "./lake-demo.ts";

const recordings = await recordingsOf("docs/cli.md");
let demo: LakeDemo;
let play: ReturnType<typeof player>;
beforeAll(async () => {
  demo = await startNewDemo();
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

test("every command that asks a server is on the page", async () => {
  const page = await readDocument("docs/cli.md");
  const asking = Object.entries(COMMANDS).flatMap(([name, { isInterruptible }]) =>
    isInterruptible && name !== "mcp" ? [name] : [],
  );
  expect(recordings.length).toBeGreaterThan(8);
  expect(asking.filter((name) => !page.includes(`crossrate ${name}`))).toEqual([]);
});

test("the exit codes of the page are those of the code", async () => {
  const codes = tableAfter(await readDocument("docs/cli.md"), "exit code").map(([code]) => code);
  expect(codes).toEqual([...Object.values(EXIT).map(String), "130, 143"]);
});
