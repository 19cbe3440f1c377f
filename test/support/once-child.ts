/** A test process that needs something made once for the run: prints where it found it, and records that it made it. */

import { appendFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { onceForTheRun } from "./once.ts";

const [notes = "", outcome = ""] = process.argv.slice(2);
const place = await onceForTheRun("something", async (directory) => {
  appendFileSync(notes, "made\n");
  if (outcome === "fails") throw new Error("it cannot be made");
  writeFileSync(join(directory, "whole"), "");
});
console.log(place);
