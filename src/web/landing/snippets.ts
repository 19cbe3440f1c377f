/** The calls that return exactly what the table shows. */

import type { Snippet } from "#web/shared/snippets.tsx";

export function latestSnippets(origin: string, base: string): readonly Snippet[] {
  return [
    { name: "curl", text: `curl '${origin}/v1/latest?base=${base}'` },
    {
      name: "TypeScript",
      text: `import { Crossrate } from "@crossrate/client";\n\nconst crossrate = new Crossrate({ url: "${origin}" });\nconst { rates } = await crossrate.latest({ base: "${base}" });`,
    },
    {
      name: "Python",
      text: `from crossrate import Crossrate\n\nwith Crossrate("${origin}") as crossrate:\n    rates = crossrate.latest(base="${base}").rates`,
    },
  ];
}
