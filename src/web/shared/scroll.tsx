/** Room for a wide table: it scrolls in itself, by keyboard too. */
/* @jsxImportSource preact */

import type { ComponentChildren } from "preact";

export function Scroll({
  label,
  children,
}: {
  readonly label: string;
  readonly children: ComponentChildren;
}) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section class="scroll" aria-label={label} tabIndex={0}>
      {children}
    </section>
  );
}
