import { applicationWords } from './application.ts';
import { clientWords } from './client.ts';
import { loginPreferencesWords } from './login-methods.ts';
import { recordWords } from './records.ts';
import type { WordsTable } from './words.ts';

/** Words by the segment of an API path that names the kind of record. */
const WORDS: ReadonlyMap<string, WordsTable> = new Map<string, WordsTable>(
  Object.entries({
    ...recordWords,
    applications: applicationWords,
    clients: clientWords,
    'management-clients': clientWords,
    loginPreferences: loginPreferencesWords,
  }),
);

/** Returns the words for the record at the path of an API operation. Empty if the console uses the names of the fields. */
export const findWords = (path: string): WordsTable =>
  path
    .split('/')
    .toReversed()
    .map((segment) => WORDS.get(segment))
    .find((words) => words !== undefined) ?? {};
