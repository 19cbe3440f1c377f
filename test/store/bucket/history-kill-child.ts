/** The collector that gets killed: commits figures to a signed lake in a bucket, and prints the number of each once that is durable. */

import { readSigningKey, type SigningKey } from "#domain/chain/entry.ts";
import { signedMachine } from "./signed-machine.ts";

const [place = "{}", dataDir = "", key = "", from = "0"] = process.argv.slice(2);
const { commit, told } = await signedMachine(JSON.parse(place), {
  dataDir,
  given: [readSigningKey(key) as SigningKey],
});
for (let number = Number(from); ; number++) {
  await commit(number);
  if (told().length > 0) throw new Error(told().join("\n"));
  console.log(`figure ${number}`);
}
