// Who wants to be told when something happens.

/** Takes listeners; `tell` calls all of them, in the order in which they came. */
export interface Telling<Told extends unknown[] = []> {
  (listener: (...told: Told) => void): void;
  tell(...told: Told): void;
}

/** Something that happens, to which nobody listens yet. */
export function telling<Told extends unknown[] = []>(): Telling<Told> {
  const listeners: ((...told: Told) => void)[] = [];
  return Object.assign((listener: (...told: Told) => void) => void listeners.push(listener), {
    tell: (...told: Told) => {
      for (const listener of listeners) listener(...told);
    },
  });
}
