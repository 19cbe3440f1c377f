/** Form fields, forms of one button, confirmation of what cannot be undone, and groups of facts. */
/* @jsxImportSource preact */

import type { ComponentChildren } from "preact";
import type { ValidationIssue } from "#domain/faults/errors.ts";

interface ActionProps {
  readonly path: string;
  readonly name: string;
  /** Says to screen readers what the button acts on, when several buttons of a page have the same name. */
  readonly what?: string;
  readonly fields?: Readonly<Record<string, string>>;
  readonly kind?: "primary" | "danger" | "plain";
  /** A box that must be ticked: the form is refused without it. */
  readonly confirm?: string | undefined;
}

export function Action({ path, name, what, fields = {}, kind, confirm }: ActionProps) {
  return (
    <form method="post" action={path}>
      {Object.entries(fields).map(([field, value]) => (
        <input key={field} type="hidden" name={field} value={value} />
      ))}
      {confirm !== undefined && (
        <label class="confirm">
          <input type="checkbox" name="confirm" value="yes" required />
          <span>{confirm}</span>
        </label>
      )}
      <button type="submit" class={kind === "plain" ? "plain-button dim" : `button ${kind ?? ""}`.trim()}>
        {name}
        {what !== undefined && <span class="visually-hidden"> {what}</span>}
      </button>
    </form>
  );
}

interface SubmitProps {
  /** "" when a page has other ways to go on. */
  readonly kind?: "primary" | "danger" | "";
  readonly children: string;
}

export function Submit({ kind = "primary", children }: SubmitProps) {
  return (
    <button type="submit" class={`button ${kind}`.trim()}>
      {children}
    </button>
  );
}

interface FieldProps {
  readonly name: string;
  readonly label: ComponentChildren;
  readonly type?: "text" | "email" | "password" | "url";
  readonly value?: string;
  readonly autocomplete?: string;
  readonly hint?: string;
  readonly isOptional?: boolean;
  readonly maxLength?: number;
  readonly refusal?: { readonly issues: readonly ValidationIssue[] } | null;
}

export function Field(field: FieldProps) {
  const { name, label, type = "text", value, hint, isOptional = false, refusal = null } = field;
  const { autocomplete = "off", maxLength } = field;
  const isWrong = refusal?.issues.some(({ path }) => path === `/${name}`) === true;
  // The refusal says above all fields what is wrong with each.
  const described = [...(hint === undefined ? [] : [`${name}-hint`]), ...(isWrong ? ["refusal"] : [])];
  return (
    <div class="form-field">
      <label for={name}>{label}</label>
      {/* Each type of input has attributes of its own in JSX; only common ones are used here. */}
      <input
        {...({ type } as { type: "text" })}
        id={name}
        name={name}
        value={value}
        autocomplete={autocomplete}
        maxLength={maxLength}
        required={!isOptional}
        aria-invalid={isWrong ? "true" : undefined}
        aria-describedby={described.join(" ") || undefined}
        // biome-ignore lint/a11y/noAutofocus: the form came back because of this field
        autoFocus={isWrong}
      />
      {hint !== undefined && (
        <p class="hint" id={`${name}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}

interface PasswordProps extends Pick<FieldProps, "name" | "label" | "hint" | "refusal"> {
  readonly isNew?: boolean;
}

export function Password({ isNew = false, ...field }: PasswordProps) {
  return <Field type="password" autocomplete={isNew ? "new-password" : "current-password"} {...field} />;
}

interface CopyButtonProps {
  readonly text?: string;
  readonly class?: string;
}

/** Copies its text, or else the code beside it. Hidden without a script, and without a clipboard: browsers offer none over plain http. */
export function CopyButton({ text = "", class: name = "button copy" }: CopyButtonProps) {
  return (
    <button type="button" class={name} aria-live="polite" data-copy={text}>
      Copy
    </button>
  );
}

interface CarefulProps {
  readonly summary: ComponentChildren;
  /** Open again after a refusal. */
  readonly isOpen?: boolean;
  readonly children: ComponentChildren;
}

/** Something that cannot be undone: opened first, then confirmed. */
export function Careful({ summary, isOpen = false, children }: CarefulProps) {
  return (
    <details class="careful" open={isOpen}>
      <summary>{summary}</summary>
      <div>{children}</div>
    </details>
  );
}

interface FactsProps {
  /** Undefined values are left out. */
  readonly facts: Readonly<Record<string, ComponentChildren>>;
  /** Below each other, in columns, or by default beside each other. */
  readonly as?: "list" | "tiles" | "row";
}

const FACTS_CLASSES = { list: "facts", tiles: "tiles", row: "row actions" };

export function Facts({ facts, as = "row" }: FactsProps) {
  return (
    <dl class={FACTS_CLASSES[as]}>
      {Object.entries(facts).map(([name, value]) => {
        if (value === undefined) return null;
        const fact = [<dt key={`${name} name`}>{name}</dt>, <dd key={name}>{value}</dd>];
        return as === "list" ? fact : <div key={name}>{fact}</div>;
      })}
    </dl>
  );
}

interface OptionsProps {
  readonly values: readonly string[];
  readonly chosen: string;
  readonly textOf?: (value: string) => string;
}

export function Options({ values, chosen, textOf = (value) => value }: OptionsProps) {
  return values.map((value) => (
    <option key={value} value={value} selected={value === chosen}>
      {textOf(value)}
    </option>
  ));
}
