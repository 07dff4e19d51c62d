// Titles of records: the name that people gave a record, or else what the record is and when it was created.

import { findActionLabel } from '../words/actions.ts';
import { describeEventType } from '../words/events.ts';
import { isJson, type Json } from './document.ts';
import { formatTimes, renderSentence, renderText, toWords } from './values.ts';

/** Returns the label of an action: a label for operators, or else the words of its operation ID. */
export const labelAction = ({ id }: { readonly id: string }): string => findActionLabel(id) ?? toWords(id);

/** Types of records that people do not name, by the field with the record's ID. */
const KINDS: Readonly<Record<string, string>> = {
  secret_id: 'Secret',
  credential_id: 'Passkey',
  session_id: 'Session',
};

/** Fields with the times that the title of a record without a name contains. */
export const TITLE_TIMES = ['created_at', 'last_used_on', 'last_used_at'];

/** IDs of other records, to which many types of records belong. */
const FOREIGN_IDS = ['tenant_id', 'app_id', 'org_id'];

/** Returns the name of a record: its own name, or else an identifier such as an email address. */
export function findRecordName(record: Json): string | undefined {
  const { display_name, name, email, username, phone_number, url, title } = record;
  const parts = isJson(name) ? [name.first_name, name.last_name] : [name];
  const named = parts.filter((part) => typeof part === 'string').join(' ');
  const value = (given: unknown) => (isJson(given) ? given.value : given);
  return [display_name, named, value(email), username, value(phone_number), url, title].find(
    (each): each is string => typeof each === 'string' && each !== '',
  );
}

/** Describes a record without a name in a sentence with ISO 8601 times: its type and times, or else its ID. */
function describeRecord(record: Json): string {
  const { type, time, created_at, last_used_on, last_used_at } = record;
  if (typeof type === 'string' && typeof time === 'string') return `${describeEventType(type)}, ${time}`;
  const kind = Object.keys(record).find((key) => Object.hasOwn(KINDS, key));
  if (kind !== undefined && typeof created_at === 'string') {
    const used = last_used_on ?? last_used_at;
    return `${KINDS[kind]} created ${created_at}, ${used === undefined ? 'not used yet' : `last used ${used}`}`;
  }
  const ids = Object.entries(record).filter(
    ([key, value]) => key.endsWith('_id') && typeof value === 'string',
  );
  const [, id] = ids.find(([key]) => !FOREIGN_IDS.includes(key)) ?? ids.at(-1) ?? [];
  return String(id ?? 'Record');
}

/** Renders the title of a record: its name, or else a description. */
export function renderTitle(record: Json): string {
  const name = findRecordName(record);
  return name === undefined ? renderSentence(describeRecord(record)) : renderText(name);
}

/** Returns the title of a record as unescaped text. */
export const toTitleText = (record: Json): string =>
  findRecordName(record) ?? formatTimes(describeRecord(record));
