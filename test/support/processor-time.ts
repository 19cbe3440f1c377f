/** What work costs this process, its threads included: unlike the time it takes, no other process can change it. */

/** Milliseconds of processor time until the work is done; nothing else may be under way in this process. */
export async function processorTimeOf(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
