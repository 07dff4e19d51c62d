/** A function that no request calls, as Lambda sees it. */
export type OtherHandler = (event: object) => Promise<unknown>;

/** As `loadFunction`, for the functions below lib/. */
export async function loadFromLib(entry: string): Promise<OtherHandler> {
  const { handler } = (await import(`../${entry}/handler.ts`)) as { handler: OtherHandler };
  return handler;
}
