// Listeners, which are called when something happens.

/** Takes listeners; `tell` calls all of them, in the order in which they came. */
export interface Telling<Values extends unknown[] = []> {
  (listener: (...values: Values) => void): void;
  tell(...values: Values): void;
}

/** Something that happens, to which nobody listens yet. */
export function telling<Values extends unknown[] = []>(): Telling<Values> {
  const listeners: ((...values: Values) => void)[] = [];
  return Object.assign((listener: (...values: Values) => void) => void listeners.push(listener), {
    tell: (...values: Values) => {
      for (const listener of listeners) listener(...values);
    },
  });
}
