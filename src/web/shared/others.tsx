/** Text and addresses of others: people, authorities, receivers. They are shown without any effect on the page around them. */
/* @jsxImportSource preact */

import type { ComponentChildren } from "preact";

/** A text of others within our own line. Isolated: its characters cannot change the direction of the writing after it. */
export function Others({ children }: { readonly children: string }) {
  return <bdi class="others">{children}</bdi>;
}

/** A link with http or https; any other address, such as `javascript:`, becomes text. */
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
