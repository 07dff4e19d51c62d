import { folded } from '../../domain/basis/folded.ts';
import type { FoundBy } from '../../ports/people.ts';
import { type Item, readText } from '../attributes.ts';
import { beginningPartition, beginningSort, partsOf } from '../keys.ts';

/** Characters that are sorted: enough to tell people apart, and far below the 1024 bytes of a sort key. */
const SORTED_MAX = 64;

/** A text as the index sorts it; empty: nothing finds it. */
const sortedBy = (text: string): string => [...folded(text)].slice(0, SORTED_MAX).join('');

/**
 * What lets the index find a user by the beginning of a text. Fixed while the text is: a login writes the item without a write
 * to the index.
 */
export function beginningOf(
  { tenantId, userId }: { readonly tenantId: string; readonly userId: string },
  text = '',
): Readonly<Record<string, string>> {
  const sorted = sortedBy(text);
  return sorted === ''
    ? {}
    : { find_pk: beginningPartition(tenantId, sorted), find_sk: beginningSort(sorted, userId) };
}

/** Where the index has what begins so; undefined: nowhere. */
export function beginningsOf(tenantId: string, text: string) {
  const beginning = sortedBy(text);
  return beginning === '' ? undefined : { partition: beginningPartition(tenantId, beginning), beginning };
}

/** The types of identifiers that are found by their beginning. Numbers are found whole. */
export function isFound(type: string): boolean {
  return type === 'email' || type === 'username' || type.startsWith('external:');
}

/** The user of an entry of the index, and what it found them by. */
export function readBeginning(entry: Item): { readonly userId: string; readonly by: FoundBy } {
  const [kind, , type = ''] = partsOf(readText(entry, 'pk'));
  const userId = readText(entry, 'find_sk').split('#').at(-1) ?? '';
  if (kind === 'user') return { userId, by: 'name' };
  return { userId, by: type === 'email' || type === 'username' ? type : 'external_user_id' };
}
