// Listeners, which are called when something happens.

/** An event. A call adds a listener; `tell` calls all listeners, in the order of these calls. */
export function telling<Values extends unknown[] = []>() {
  const listeners: ((...values: Values) => void)[] = [];
  return Object.assign((listener: (...values: Values) => void) => void listeners.push(listener), {
    tell: (...values: Values) => {
      for (const listener of listeners) listener(...values);
    },
  });
}
