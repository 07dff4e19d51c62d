/** Starts `count` calls before the first one has a response. */
export const atOnce = <R>(count: number, call: (n: number) => Promise<R>): Promise<R[]> =>
  Promise.all(Array.from({ length: count }, (_, n) => call(n)));
