/** `crossrate export`: writes a whole window as one file, the same bytes as GET /v1/range, without a server. */

import { newClient, Refusal, Unreachable } from "#cli/client.ts";
import { type CommandContext, UsageFault } from "#cli/command.ts";
import { namedFormat, queryOf, type RangeOptions, save } from "#cli/range.ts";
import { thisMachine } from "#cli/server.ts";
import { answering, type Opened, openPackaged, withProduct } from "./open-product.ts";

/** Asks the product in this process as `crossrate range` asks a server. */
export async function exportWindow(
  context: CommandContext,
  options: RangeOptions & { readonly demo?: true },
  words: readonly string[],
): Promise<void> {
  const query = queryOf(options, words);
  const format = namedFormat(options) ?? "csv";
  const { out = null, demo: simulated = false } = options;
  const write = async (crossrate: Opened) => {
    await crossrate.flushJournal();
    const client = newClient(thisMachine(answering(crossrate)), context);
    await save(context, client, { ...query, format }, out, format).catch((fault: unknown) => {
      throw ofThisMachine(fault, simulated ? "demo" : "backfill");
    });
  };
  const packaged = simulated ? null : await openPackaged(context);
  if (packaged === null) await withProduct(context, write, { simulated });
  else await write(packaged.crossrate).finally(packaged.close);
}

/** There is no server to blame: a refusal is about the options, or about the lake. */
function ofThisMachine(fault: unknown, collecting: string): unknown {
  if (!(fault instanceof Refusal) && !(fault instanceof Unreachable)) return fault;
  const message = fault.message.replace("see /status", `run crossrate ${collecting} first`);
  const isUsage = fault instanceof Refusal && fault.status === 400;
  return isUsage ? new UsageFault(message) : new Error(message, { cause: fault });
}
