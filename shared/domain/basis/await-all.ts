/** Runs `act` for all items, `atOnce` at a time. If one call fails, throws after the other calls of its batch have settled. */
export async function inBatches<T>(
  all: readonly T[],
  atOnce: number,
  act: (item: T) => Promise<unknown>,
): Promise<void> {
  for (let from = 0; from < all.length; from += atOnce)
    await awaitAll(...all.slice(from, from + atOnce).map(act));
}

/**
 * Waits for all promises, then throws the first failure in the given order, so that the error does not depend on timing. No
 * work is left when Lambda freezes the container after the response.
 */
export async function awaitAll<T extends readonly unknown[]>(
  ...pending: { [K in keyof T]: Promise<T[K]> }
): Promise<T> {
  const settled = await Promise.allSettled(pending);
  const failed = settled.find((outcome) => outcome.status === 'rejected');
  if (failed) throw failed.reason;
  return settled.map((outcome) => (outcome as PromiseFulfilledResult<unknown>).value) as unknown as T;
}

/** Returns a function that calls `make` only the first time, and always returns the result of that call. */
export function once<T extends object>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
