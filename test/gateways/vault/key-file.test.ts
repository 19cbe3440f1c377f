/** The embedded key file: made once, for its owner alone, and refused where others could read or replace it. */

import { expect, test } from "bun:test";
import { chmod, mkdir, readdir, rename, rm, stat, symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import {
  KeyFileFault,
  keyFilePath,
  keyringFaults,
  openKeyFile,
  readKeyFile,
  readKeyring,
} from "#gateways/vault/keyring.ts";
import { seededBytes } from "#test/gateways/random.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";

const scratch = temporaryDirectory();

let made = 0;
const freshPath = () => keyFilePath(join(scratch, `data-${++made}`));

async function faultOf(path: string): Promise<string> {
  const fault = await openKeyFile(path, seededBytes(99)).catch((error: unknown) => error);
  expect(fault).toBeInstanceOf(KeyFileFault);
  return (fault as Error).message;
}

test("the first start makes a file that only its owner may read, and nothing else beside it", async () => {
  const path = freshPath();
  await openKeyFile(path, seededBytes(1));
  expect(path).toEndWith("/secrets/master.key");
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect((await stat(dirname(path))).mode & 0o777).toBe(0o700);
  // The stores beside it are as open as the operator's umask makes them.
  expect((await stat(dirname(dirname(path)))).mode & 0o777).toBe(0o777 & ~process.umask());
  expect(await readdir(dirname(path))).toEqual(["master.key"]);
});

test("its lines can be taken over into the environment of a production process", async () => {
  const path = freshPath();
  const keyring = await openKeyFile(path, seededBytes(4));
  const lines = (await Bun.file(path).text()).split("\n");
  const settingOf = (name: string) =>
    lines.find((line) => line.startsWith(`${name}=`))?.slice(name.length + 1) ?? null;
  const settings = { masterKeys: settingOf("MASTER_KEYS"), keyPepper: settingOf("KEY_PEPPER") };
  expect(keyringFaults(settings, true)).toEqual([]);
  expect(readKeyring(settings)).toEqual({ keyring, faults: [] });
});

test.each([0o640, 0o604, 0o644, 0o660])("a file that others may read is refused: mode %o", async (mode) => {
  const path = freshPath();
  await openKeyFile(path, seededBytes(5));
  await chmod(path, mode);
  expect(await faultOf(path)).toContain(`chmod 600 ${path}`);
});

test("a folder in which others may replace the file is refused", async () => {
  const path = freshPath();
  await openKeyFile(path, seededBytes(6));
  await chmod(dirname(path), 0o770);
  expect(await faultOf(path)).toContain(`chmod 700 ${dirname(path)}`);
});

test("a link in place of the file or of its folder is refused", async () => {
  const [path, other] = [freshPath(), freshPath()];
  await openKeyFile(path, seededBytes(7));
  await openKeyFile(other, seededBytes(8));
  await rename(path, `${path}.moved`);
  await symlink(other, path);
  expect(await faultOf(path)).toContain("plain file");

  const linked = freshPath();
  await mkdir(dirname(dirname(linked)), { recursive: true });
  await symlink(dirname(other), dirname(linked));
  expect(await faultOf(linked)).toContain("plain directory");
});

test("reading makes nothing where there is none", async () => {
  const path = freshPath();
  expect(await readKeyFile(path)).toBeNull();
  expect(await stat(dirname(path)).catch(() => "absent")).toBe("absent");
  await openKeyFile(path, seededBytes(12));
  await rm(path);
  expect(await readKeyFile(path)).toBeNull();
});

const damages: readonly (readonly [string, (text: string) => string, string])[] = [
  ["emptied", () => "", "it is empty"],
  ["blank", () => "\n\n", "it is empty"],
  ["zeros", () => "\0".repeat(100), "it is damaged"],
  ["too large", () => "#".repeat(5000), "it is not a key file"],
  ["a key that is none", () => "MASTER_KEYS=embedded-1:short\n", "it is damaged (MASTER_KEYS embedded-1"],
  ["cut in its pepper", (text) => text.slice(0, -10), "it is damaged (KEY_PEPPER"],
];
test.each(damages)(
  "a damaged file is refused with its path and a remedy, left unchanged, and its content is not printed: %s",
  async (_, damage, expected) => {
    const path = freshPath();
    await openKeyFile(path, seededBytes(9));
    const text = await Bun.file(path).text();
    const content = damage(text);
    await Bun.write(path, content);
    const message = await faultOf(path);
    expect(message).toStartWith(`${path}: it is`);
    expect(message).toContain(expected);
    expect(message).toContain("bring it back from a backup");
    expect(message).not.toContain("short");
    expect(message).not.toContain(/embedded-1:(.{12})/.exec(text)?.[1] ?? "");
    expect(await Bun.file(path).text()).toBe(content);
  },
);
