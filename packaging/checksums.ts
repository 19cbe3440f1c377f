/** `SHA256SUMS` of a folder, as `sha256sum --check` reads it. */

import { readdir } from "node:fs/promises";
import { join } from "node:path";

export const CHECKSUMS = "SHA256SUMS";

/** Writes the list of every file that lies in the folder itself, in ascending order of names. */
export async function writeChecksums(folder: string): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isFile() && entry.name !== CHECKSUMS).map(({ name }) => name);
  const lines: string[] = [];
  for (const name of names.sort()) {
    const hash = new Bun.CryptoHasher("sha256");
    for await (const chunk of Bun.file(join(folder, name)).stream()) hash.update(chunk);
    lines.push(`${hash.digest("hex")}  ${name}\n`);
  }
  await Bun.write(join(folder, CHECKSUMS), lines.join(""));
}
