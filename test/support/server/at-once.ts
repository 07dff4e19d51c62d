/** Starts `count` concurrent calls. Returns their results in the order of the calls. */
export const atOnce = <R>(count: number, call: (n: number) => Promise<R>): Promise<R[]> =>
  Promise.all(Array.from({ length: count }, (_, n) => call(n)));
