/** Starts all calls before the first has an answer. */
export const atOnce = <R>(count: number, call: (n: number) => Promise<R>): Promise<R[]> =>
  Promise.all(Array.from({ length: count }, (_, n) => call(n)));
