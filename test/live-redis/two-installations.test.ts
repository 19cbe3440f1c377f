/** Two installations by mistake on one Redis: neither serves the quotes of the other, which were judged by another lake. */

import { describe, expect, test } from "bun:test";
import { optionalTool } from "#test/support/require-tool.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { untilServes } from "./agreement.ts";
import { openInstallation } from "./installation.ts";

const program = optionalTool("redis-server", "two installations on one Redis");

describe.skipIf(program === null)("two installations on one Redis", () => {
  test("do not share quotes, whether the second has a lake of its own or none yet", async () => {
    const installation = await openInstallation(program ?? "");
    try {
      await installation.redis.start();
      const collecting = await installation.collecting();
      await untilServes(collecting, 2);
      for (const DATA_DIR of [temporaryDirectory(), await installation.otherLake()]) {
        const other = await installation.answering({ DATA_DIR });
        await Bun.sleep(1500);
        const { sources } = (await (await other.latest()).json()) as Record<string, object>;
        expect(Object.values(sources ?? {})).not.toContain("live");
      }
    } finally {
      await installation.end();
    }
  });
});
