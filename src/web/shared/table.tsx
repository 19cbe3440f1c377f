/** A table with its heads. A wide one scrolls in itself, by keyboard too. */
/* @jsxImportSource preact */

import type { ComponentChildren } from "preact";

export interface Column {
  readonly head: ComponentChildren;
  readonly class?: string;
}

interface TableProps {
  /** The name of the part that scrolls; without one the table does not scroll. */
  readonly label?: string;
  readonly class?: string;
  readonly caption?: ComponentChildren;
  readonly columns: readonly (string | Column)[];
  /** The rows. */
  readonly children: ComponentChildren;
}

/** A column of numbers, aligned to the right. */
export function numbers(head: ComponentChildren): Column {
  return { head, class: "number" };
}

export function Table({ label, class: name, caption, columns, children }: TableProps) {
  const table = (
    <table class={name}>
      {caption}
      <thead>
        <tr>
          {columns.map((column, index) => {
            const { head, class: kind } = typeof column === "string" ? { head: column } : column;
            return (
              <th key={index} scope="col" class={kind}>
                {head}
              </th>
            );
          })}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  );
  if (label === undefined) return table;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section class="scroll" aria-label={label} tabIndex={0}>
      {table}
    </section>
  );
}
