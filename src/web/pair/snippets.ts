/** The calls that return exactly what the page of a pair shows. */

import type { Snippet } from "#web/shared/snippets.tsx";

export function pairSnippets(origin: string, base: string, quote: string): readonly Snippet[] {
  const slug = `${base}-${quote}`.toLowerCase();
  return [
    { name: "curl", text: `curl '${origin}/v1/rate/${slug}'` },
    {
      name: "TypeScript",
      text: `import { Crossrate } from "@crossrate/client";\n\nconst crossrate = new Crossrate({ url: "${origin}" });\nconst { rate } = await crossrate.rate("${slug}");`,
    },
    {
      name: "Python",
      text: `from crossrate import Crossrate\n\nwith Crossrate("${origin}") as crossrate:\n    rate = crossrate.rate("${slug}").rate`,
    },
  ];
}
