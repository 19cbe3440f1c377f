/** The process that gets killed: does a script's steps on a data directory, and prints each when it is done. */

import { perform, type Script, STEPS } from "./kill-script.ts";

const [directory = "", script = "", seed = "", commits = "", polls = ""] = process.argv.slice(2);
const had = { commits: Number(commits), polls: Number(polls) };
console.log("ready");
const { close } = await perform(directory, Number(seed), STEPS[script as Script], had, (step) =>
  console.log(`ack ${step}`),
);
await close();
console.log("closed");
