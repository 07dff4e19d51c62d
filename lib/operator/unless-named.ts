/**
 * Returns the result of an AWS call, or undefined if it fails with one of the given error names, which mean "does not exist".
 * Throws other errors.
 */
export async function undefinedIfNamed<T>(
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
