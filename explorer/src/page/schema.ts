// What the headers of the page's data must look like. Types follow from the checks, so that the
// two cannot disagree.

/** Returns null for a value of type `T`; for any other, where it is wrong, and how. */
export interface Check<T> {
  (value: unknown): string | null;
  readonly type?: T; // never there; carries the type
}

export type Checked<C> = C extends Check<infer T> ? T : never;

/** A value as the type that its check admits; throws if it is something else. */
export function checked<T>(value: unknown, check: Check<T>, name: string): T {
  const wrong = check(value);
  if (wrong !== null) throw new Error(`${name}${wrong}`);
  return value as T;
}

export const number: Check<number> = (value) =>
  typeof value === "number" ? null : " is not a number";

export const flag: Check<boolean> = (value) =>
  typeof value === "boolean" ? null : " is neither true nor false";

export const text: Check<string> = (value) =>
  typeof value === "string" ? null : " is not a string";

export function nullable<T>(check: Check<T>): Check<T | null> {
  return (value) => (value === null ? null : check(value));
}

export function optional<T>(check: Check<T>): Check<T | undefined> {
  return (value) => (value === undefined ? null : check(value));
}

export function list<T>(entry: Check<T>): Check<T[]> {
  return (value) => {
    if (!Array.isArray(value)) return " is not a list";
    for (let k = 0; k < value.length; k++) {
      const wrong = entry(value[k]);
      if (wrong !== null) return `[${k}]${wrong}`;
    }
    return null;
  };
}

/** Admits arrays of `length` numbers. */
export function row<T extends readonly number[]>(length: T["length"]): Check<T> {
  const all = list(number);
  return (value) =>
    all(value) ?? ((value as T).length === length ? null : ` is not ${length} numbers`);
}

/** Admits objects with the given fields, and others, which are left alone. */
export function record<F extends Record<string, Check<unknown>>>(
  fields: F,
): Check<{ readonly [K in keyof F]: Checked<F[K]> }> {
  const checks = Object.entries(fields);
  return (value) => {
    if (typeof value !== "object" || value === null) return " is not an object";
    for (const [name, check] of checks) {
      const wrong = check((value as Record<string, unknown>)[name]);
      if (wrong !== null) return `.${name}${wrong}`;
    }
    return null;
  };
}

export function dictionary<T>(entry: Check<T>): Check<Readonly<Record<string, T>>> {
  return (value) => {
    if (typeof value !== "object" || value === null) return " is not an object";
    for (const [name, inner] of Object.entries(value)) {
      const wrong = entry(inner);
      if (wrong !== null) return `.${name}${wrong}`;
    }
    return null;
  };
}
