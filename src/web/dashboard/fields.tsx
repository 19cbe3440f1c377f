/** Parts of the dashboard's forms. */
/* @jsxImportSource preact */

import type { ComponentChildren } from "preact";
import type { Refusal } from "./words.ts";

interface FieldProps {
  readonly name: string;
  readonly label: ComponentChildren;
  readonly type?: "text" | "email" | "password" | "url";
  readonly value?: string;
  readonly autocomplete?: string;
  readonly hint?: string;
  readonly isOptional?: boolean;
  readonly maxLength?: number;
  readonly refusal: Refusal | null;
  /** Of the body's member; by default the name below the root. */
  readonly member?: string;
}

/** A labelled input that points at its hint and says when it is at fault. */
export function Field({
  name,
  label,
  type = "text",
  value,
  hint,
  isOptional = false,
  refusal,
  ...rest
}: FieldProps) {
  const { autocomplete = "off", maxLength, member = `/${name}` } = rest;
  const isWrong = refusal?.issues.some(({ path }) => path === member) === true;
  return (
    <div class="form-field">
      <label for={name}>{label}</label>
      {/* Its kinds have attributes of their own, and none of those is used. */}
      <input
        {...({ type } as { type: "text" })}
        id={name}
        name={name}
        value={value}
        autocomplete={autocomplete}
        maxLength={maxLength}
        required={!isOptional}
        aria-invalid={isWrong ? "true" : undefined}
        aria-describedby={hint === undefined ? undefined : `${name}-hint`}
      />
      {hint !== undefined && (
        <p class="hint" id={`${name}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}

/** Something that cannot be undone: opened first, then confirmed. */
export function Careful({
  summary,
  isOpen,
  children,
}: {
  readonly summary: string;
  /** Open again after a refusal. */
  readonly isOpen: boolean;
  readonly children: ComponentChildren;
}) {
  return (
    <details class="careful" open={isOpen}>
      <summary>{summary}</summary>
      <div>{children}</div>
    </details>
  );
}

/** A box that must be ticked. */
export function Confirm({ id, children }: { readonly id: string; readonly children: ComponentChildren }) {
  return (
    <label class="confirm" for={id}>
      <input id={id} type="checkbox" name="confirm" value="yes" required />
      <span>{children}</span>
    </label>
  );
}

/** The page to go on to after signing in. */
export function Next({ next }: { readonly next: string | null }) {
  return next === null ? null : <input type="hidden" name="next" value={next} />;
}
