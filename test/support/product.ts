/** The product in the test's own process, wired as the program wires it, on a clock in the test's hands. */

import { type CrossrateOptions, openCrossrate } from "#compose.ts";
import { readConfig } from "#config.ts";
import type { TelemetryEvent } from "#telemetry.ts";
import { endsWithFile } from "./at-end.ts";

interface ProductOptions extends Partial<Omit<CrossrateOptions, "config" | "clock" | "emit">> {
  readonly now: () => number;
}

/** The settings are those of an environment. A server of simulated rates unless the options say otherwise; it collects nothing, and ends with the file. */
export async function openProduct(settings: Readonly<Record<string, string>>, options: ProductOptions) {
  const { now, simulated = true, serves = true, version = "test", ...more } = options;
  const emitted: TelemetryEvent[] = [];
  const crossrate = await openCrossrate({
    ...{ config: readConfig(settings), clock: { now }, version, simulated, serves, ...more },
    emit: (event) => void emitted.push(event),
  });
  const close = endsWithFile(crossrate.close);
  const ask = async (path: string) =>
    await crossrate.app.answer(new Request(`http://localhost${path}`, { headers: { host: "localhost" } }));
  return {
    ...crossrate,
    close,
    emitted,
    ask,
    // biome-ignore lint/suspicious/noExplicitAny: bodies are read freely
    json: async (path: string): Promise<any> => await (await ask(path)).json(),
    listen: (port = 0) => {
      const server = Bun.serve({
        ...{ port, hostname: "127.0.0.1", development: false, idleTimeout: 60 },
        fetch: crossrate.app.answer,
      });
      crossrate.setPeerAddress((request) => server.requestIP(request)?.address ?? "");
      return {
        url: `http://127.0.0.1:${server.port}`,
        close: endsWithFile(async () => {
          crossrate.endStreams();
          await server.stop(true);
          await close();
        }),
      };
    },
  };
}
