/** The REST interface of a server, called over the network. */

import { send } from "#cli/ask/client.ts";
import { Unreachable } from "#cli/ask/faults.ts";
import { serverOf } from "#cli/ask/server.ts";
import type { CommandContext } from "#commands/command.ts";
import type { McpServerDeps } from "#mcp/server.ts";
import type { RestAnswer } from "#ports/rest.ts";

/** null where neither the words, nor the environment, nor a login names a server. */
export async function remoteOf(
  { environment, version }: Pick<CommandContext, "environment" | "version">,
  urlFlag: string | undefined,
): Promise<Pick<McpServerDeps, "call" | "officialTables"> | null> {
  const server = await serverOf(environment, urlFlag);
  if (server.chosenBy === "default") return null;
  return {
    // Not asked for: that would be a call before the first one.
    officialTables: [],
    call: async ({ method, path, body }, signal) => {
      try {
        const response = await send(
          server,
          path,
          { method, body: body && { json: body } },
          { version, signal },
        );
        return { status: response.status, headers: response.headers, text: await response.text() };
      } catch (fault) {
        if (fault instanceof Unreachable) return unreachable(fault);
        throw fault;
      }
    },
  };
}

/** As a server would say it: a model reads the reason, and can pass it on. */
function unreachable({ url, message }: Unreachable): RestAnswer {
  const envelope = {
    result: "error",
    code: "service_unavailable",
    message: `${url} does not answer: ${message}`,
  };
  return { status: 503, headers: new Headers(), text: JSON.stringify(envelope) };
}
