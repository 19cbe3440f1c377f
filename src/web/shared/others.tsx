/** Text and addresses of others: people, authorities, receivers. They are shown as what they are, and change nothing around them. */
/* @jsxImportSource preact */

import type { ComponentChildren } from "preact";

/** A text within a line of ours. Isolated: characters that turn the direction of writing end their work with it. */
export function Others({ children }: { readonly children: string }) {
  return <bdi class="others">{children}</bdi>;
}

/** A link to a document of the web; an address of any other kind, such as `javascript:`, is text. */
export function OutsideLink({
  url,
  children,
  ...rest
}: {
  readonly url: string;
  readonly rel: string;
  readonly class?: string;
  readonly children: ComponentChildren;
}) {
  const { protocol = "" } = URL.parse(url) ?? {};
  if (!["http:", "https:"].includes(protocol)) return <span class={rest.class}>{children}</span>;
  return (
    <a href={url} {...rest}>
      {children}
    </a>
  );
}
