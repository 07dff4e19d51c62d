/** What an error of these names means is that there is none; any other error is no answer. */
export async function unlessNamed<T>(
  answer: Promise<T>,
  ...names: readonly string[]
): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof Error && names.includes(error.name)) return undefined;
    throw error;
  }
}
