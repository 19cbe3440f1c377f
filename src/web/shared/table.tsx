/** A table with headings. A wide table scrolls by itself, by keyboard too. */
/* @jsxImportSource preact */

import type { ComponentChildren } from "preact";

export interface Column {
  readonly head: ComponentChildren;
  /** The class of the head and of every cell below it. */
  readonly class?: string;
  /** Names the column's cells when a narrow window shows each row as a list; by default the head. */
  readonly label?: string;
}

interface TableProps {
  /** The name of the part that scrolls; without one the table does not scroll. */
  readonly label?: string;
  /** `stacks`: in a narrow window each row is a list. */
  readonly class?: string;
  readonly caption?: ComponentChildren;
  readonly columns: readonly (string | Column)[];
  /** The cells of each row; the first is the head of its row. */
  readonly rows: readonly (readonly ComponentChildren[])[];
  readonly empty?: string;
  /** Keys of the rows: a table that is drawn again moves them by their keys. */
  readonly keys?: readonly string[];
  readonly selected?: number;
  /** False when no cell names its row. */
  readonly hasRowHeads?: boolean;
}

export function numbers(head: ComponentChildren, label?: string): Column {
  return { head, class: "number", ...(label !== undefined && { label }) };
}

export const ACTIONS: Column = { head: <span class="visually-hidden">Action</span> };

export function Table(props: TableProps) {
  const { label, class: name, caption, rows, empty, keys = [], selected, hasRowHeads = true } = props;
  if (empty !== undefined && rows.length === 0) return <p class="dim">{empty}</p>;
  const columns = props.columns.map((column) => (typeof column === "string" ? { head: column } : column));
  const isList = name?.startsWith("stacks") === true;
  const labelOf = ({ head, label = "" }: Column) => (typeof head === "string" ? label || head : undefined);
  const table = (
    <table class={name}>
      {caption !== undefined && <caption>{caption}</caption>}
      <thead>
        <tr>
          {columns.map((column, index) => (
            <th key={index} scope="col" class={column.class}>
              {column.head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((cells, index) => (
          <tr
            key={keys[index] ?? index}
            class={index === selected ? "selected" : undefined}
            data-code={keys[index]}
          >
            {columns.map((column, at) =>
              at === 0 && hasRowHeads ? (
                <th key={at} scope="row">
                  {cells[at]}
                </th>
              ) : (
                <td key={at} class={column.class} data-label={isList ? labelOf(column) : undefined}>
                  {cells[at]}
                </td>
              ),
            )}
          </tr>
        ))}
      </tbody>
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
