/** The product on the packaged history of the ECB alone, for commands that find no server and no lake. */

import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CommandContext, Packaged } from "#cli/command.ts";
import { openCrossrate } from "#compose.ts";
import { type Opened, QUIET, settingsOf, withProduct } from "./open-product.ts";

/** Settings of a product that collects nothing and asks for no key. */
const ALONE = { ACCESS: "open", LIVE_FEED: "off", OFFICIAL_TABLES: "off" };

export interface OpenedPackaged {
  readonly crossrate: Opened;
  /** Removes what it wrote. */
  close(): Promise<void>;
}

/** Opens the product in a new directory and says so. Null where DATA_DIR has a lake: its own figures are not passed over. */
export async function openPackaged(
  context: Pick<CommandContext, "environment" | "terminal" | "version">,
): Promise<OpenedPackaged | null> {
  if (existsSync(join(settingsOf(context, QUIET).config.dataDir, "lake"))) return null;
  const directory = await mkdtemp(join(tmpdir(), "crossrate-packaged-"));
  const remove = () => rm(directory, { recursive: true, force: true });
  try {
    const environment = { ...ALONE, DATA_DIR: directory };
    const settings = settingsOf({ ...context, environment }, QUIET);
    const crossrate = await openCrossrate({
      ...settings,
      ...{ config: { ...settings.config, allowedHosts: [] }, version: context.version },
      ...{ simulated: false, answers: true },
    });
    crossrate.tellCallersBy(() => "127.0.0.1");
    const newest = await crossrate.beginWithSnapshot();
    context.terminal.complain(
      `no server and no lake here: the packaged history of the ECB answers, to ${newest}`,
    );
    return { crossrate, close: () => crossrate.close().finally(remove) };
  } catch (fault) {
    await remove();
    throw fault;
  }
}

/** Works with the product on the lake of DATA_DIR, or on the packaged history where there is none, and closes it. */
export async function withProductOrPackaged<T>(
  context: CommandContext,
  work: (crossrate: Opened) => Promise<T>,
  { simulated }: { readonly simulated: boolean },
): Promise<T> {
  const packaged = simulated ? null : await openPackaged(context);
  if (packaged === null) return await withProduct(context, work, { simulated });
  try {
    return await work(packaged.crossrate);
  } finally {
    await packaged.close();
  }
}

/** The same as the rates commands ask it. */
export async function answerPackaged(context: CommandContext): Promise<Packaged | null> {
  const opened = await openPackaged(context);
  if (opened === null) return null;
  const answer = async (request: Request) => {
    // A request that crosses no network has no Host, and one for another host is refused.
    request.headers.set("host", "localhost");
    return await opened.crossrate.app.answer(request);
  };
  return { answer, close: opened.close };
}
