/**
 * Waits for all of them, then throws the first failure in the order given. Nothing is left running behind an answer (a
 * Lambda container freezes there), and which error a caller sees does not depend on who was faster.
 */
export async function awaitAll<T extends readonly unknown[]>(
  ...pending: { [K in keyof T]: Promise<T[K]> }
): Promise<T> {
  const settled = await Promise.allSettled(pending);
  const failed = settled.find((outcome) => outcome.status === 'rejected');
  if (failed) throw failed.reason;
  return settled.map((outcome) => (outcome as PromiseFulfilledResult<unknown>).value) as unknown as T;
}
