/** The slot of these keys on its way from one master to another, in the steps that `redis-cli --cluster reshard` takes. */

import { type ClusterDeployment, PASSWORD } from "./deployment.ts";

export async function moveSlot(deployment: ClusterDeployment) {
  const { slot, idOf } = deployment;
  const source = await deployment.master();
  const others = await deployment.others();
  const [target] = others;
  if (target === undefined) throw new Error("there is no other master");
  const [sourceId, targetId] = [await idOf(source), await idOf(target)];
  await target.ask("CLUSTER", "SETSLOT", slot, "IMPORTING", sourceId);
  await source.ask("CLUSTER", "SETSLOT", slot, "MIGRATING", targetId);
  return {
    /** Those of the pattern; new keys are made at the target from the beginning on. */
    moveKeys: async (pattern: RegExp) => {
      const inSlot = (await source.ask("CLUSTER", "GETKEYSINSLOT", slot, 10_000)) as string[];
      const keys = inSlot.filter((key) => pattern.test(key));
      if (keys.length === 0) return;
      const way = ["127.0.0.1", target.port, "", 0, 5_000, "AUTH", PASSWORD, "KEYS"];
      await source.ask("MIGRATE", ...way, ...keys);
    },
    finish: async () => {
      for (const node of [target, source, ...others.slice(1)])
        await node.ask("CLUSTER", "SETSLOT", slot, "NODE", targetId);
    },
  };
}
