import { applicationWords } from './application.ts';
import { clientWords, managementClientWords } from './client.ts';
import { loginPreferencesWords } from './login-methods.ts';
import { recordWords } from './records.ts';
import type { WordsTable } from './words.ts';

/** Labels and help texts of a record's fields, by the segment of an API path that names the type of the record. */
const WORDS: ReadonlyMap<string, WordsTable> = new Map<string, WordsTable>(
  Object.entries({
    ...recordWords,
    applications: applicationWords,
    clients: clientWords,
    'management-clients': managementClientWords,
    loginPreferences: loginPreferencesWords,
  }),
);

/** Returns the labels and help texts for the record at the path of an API operation, or an empty table if there are none. */
export const findWords = (path: string): WordsTable =>
  path
    .split('/')
    .toReversed()
    .map((segment) => WORDS.get(segment))
    .find((words) => words !== undefined) ?? {};
