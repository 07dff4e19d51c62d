// Names of the records to which fields refer, such as the application of a webhook, from the lists that a screen has read.

import { findWords } from '../words/find-words.ts';
import type { FieldWords, Reference, WordsTable } from '../words/words.ts';
import { type ApiAnswer, readResult } from './call.ts';
import { isJson } from './document.ts';
import { toTitleText } from './titles.ts';

/** Responses of the API by operation ID. */
interface Read {
  readonly answers: ReadonlyMap<string, ApiAnswer>;
}

/** Fields that contain a record's ID, by the operation that lists such records. */
const IDS: Readonly<Record<Reference, string>> = {
  listApplications: 'app_id',
  listOperators: 'user_id',
  listResources: 'resource_id',
};

/** Words for the application of a record that no form can change. */
const APPLICATION: FieldWords = { label: 'Application', refers: 'listApplications' };

/** Returns the names of the listed records by ID. Undefined if the screen has not read the complete list. */
export function readNames({ answers }: Read, list: Reference): Readonly<Record<string, string>> | undefined {
  const answer = answers.get(list);
  if (!answer?.ok || answer.json.next_cursor !== undefined) return undefined;
  const records = readResult(answer.json);
  const names: Record<string, string> = Object.create(null);
  for (const record of Array.isArray(records) ? records.filter(isJson) : [])
    names[String(record[IDS[list]])] = toTitleText(record);
  return names;
}

/** Returns the name of an application, or its ID if the screen has not read the application. */
export const findApplicationName = (of: Read, id: string): string =>
  readNames(of, 'listApplications')?.[id] ?? id;

/** Returns the words for the record at the path of an API operation, with the names of the records to which fields refer. */
export function findNamedWords(of: Read, path: string): WordsTable {
  const words = findWords(path);
  return Object.fromEntries(
    Object.entries({ ...words, app_id: words.app_id ?? APPLICATION }).map(([name, own]) => {
      const choices = own.refers && readNames(of, own.refers);
      return [name, choices ? { ...own, choices } : own];
    }),
  );
}
