import { foldForSearch } from '../../domain/basis/folded.ts';
import type { MatchedAttribute } from '../../ports/people.ts';
import { type Item, readText } from '../attributes.ts';
import { beginningPartition, beginningSort, splitKey } from '../keys.ts';

/**
 * Maximum number of indexed characters of a text: enough to distinguish people, and far below DynamoDB's limit of 1,024 bytes
 * for a sort key.
 */
const SORTED_MAX = 64;

/**
 * Returns the beginning of a text in the normalised form by which the index sorts. If the result is empty, the text is not
 * indexed.
 */
const sortedBy = (text: string): string => [...foldForSearch(text)].slice(0, SORTED_MAX).join('');

/**
 * Returns the attributes that index a user by the beginning of a text. The text does not change when the user logs in, so a
 * login does not write to the index.
 */
export function toIndexAttributes(
  { tenantId, userId }: { readonly tenantId: string; readonly userId: string },
  text = '',
): Readonly<Record<string, string>> {
  const sorted = sortedBy(text);
  return sorted === ''
    ? {}
    : { find_pk: beginningPartition(tenantId, sorted), find_sk: beginningSort(sorted, userId) };
}

/** Returns the index range of texts with the given beginning. Returns undefined if the normalised beginning is empty. */
export function findIndexRange(tenantId: string, text: string) {
  const beginning = sortedBy(text);
  return beginning === '' ? undefined : { partition: beginningPartition(tenantId, beginning), beginning };
}

/** Returns true for identifier types that can be searched by their beginning. Phone numbers must be searched as a whole. */
export function isSearchableType(type: string): boolean {
  return type === 'email' || type === 'username' || type.startsWith('external:');
}

/** Returns the user of an index entry and the attribute that matched the search. */
export function readIndexEntry(entry: Item): { readonly userId: string; readonly by: MatchedAttribute } {
  const [kind, , type = ''] = splitKey(readText(entry, 'pk'));
  const userId = readText(entry, 'find_sk').split('#').at(-1) ?? '';
  if (kind === 'user') return { userId, by: 'name' };
  return { userId, by: type === 'email' || type === 'username' ? type : 'external_user_id' };
}
