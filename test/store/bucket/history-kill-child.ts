/** The collector that gets killed: commits figures to a signed lake in a bucket, appends quotes, and prints the number of each once it is durable. */

import { readSigningKey, type SigningKey } from "#domain/chain/entry.ts";
import { openQuoteArchive } from "#store/archive/archive.ts";
import { quote } from "#test/store/archive/sample.ts";
import { QUOTED_FROM, signedMachine } from "./signed-machine.ts";

const [place = "{}", dataDir = "", key = "", from = "0"] = process.argv.slice(2);
const { commit, told, directory, storage } = await signedMachine(JSON.parse(place), {
  dataDir,
  given: [readSigningKey(key) as SigningKey],
});
const archive = await openQuoteArchive({ directory, simulated: false, storage, access: "write" });
for (let number = Number(from); ; number++) {
  await commit(number);
  if (told().length > 0) throw new Error(told().join("\n"));
  console.log(`figure ${number}`);
  await archive.append([quote("USD/EUR", `0.${1000 + number}`, QUOTED_FROM + number * 1000)]);
  console.log(`quote ${number}`);
  await archive.flush();
}
