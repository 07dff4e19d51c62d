import { operations } from '../../../functions/operations.ts';

/** Permissions of this service. Applications may define others, so `otl` accepts an unknown permission but asks about it. */
const KNOWN = [
  ...new Set([...Object.values(operations).flatMap(({ permissions = [] }) => permissions), 'users:verify']),
]
  .filter((name) => !name.startsWith('['))
  .sort();

const DISTANCE_MAX = 2;

/** Returns how many letters must be changed, added or removed to turn one text into the other (Levenshtein distance). */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [line, letter] of [...one].entries()) {
    const next = [line + 1];
    for (const [index, opposite] of [...other].entries())
      next.push(
        Math.min(
          (row[index] ?? 0) + (letter === opposite ? 0 : 1),
          (row[index + 1] ?? 0) + 1,
          (next[index] ?? 0) + 1,
        ),
      );
    row = next;
  }
  return row.at(-1) ?? 0;
}

/**
 * Suggests known permissions for an unknown permission: those with a small edit distance, otherwise those with the same noun.
 */
function meantBy(given: string): readonly string[] {
  if (KNOWN.includes(given)) return [];
  const near = KNOWN.filter((name) => distance(name, given) <= DISTANCE_MAX);
  const [noun] = given.split(':');
  return near.length > 0 ? near : KNOWN.filter((name) => name.startsWith(`${noun}:`));
}

interface Body {
  readonly permissions?: readonly string[] | null;
  readonly roles?: readonly (string | { readonly permissions?: readonly string[] })[] | null;
}

/** Returns a "Did you mean …?" question for each unknown permission of a client or role that resembles a known permission. */
export function questionPermissions({ permissions, roles }: Body): readonly string[] {
  const ofRoles = (roles ?? []).flatMap((role) => (typeof role === 'string' ? [] : (role.permissions ?? [])));
  return [...new Set([...(permissions ?? []), ...ofRoles])].flatMap((given) => {
    const meant = meantBy(given);
    return meant.length === 0 ? [] : `No operation requires ${given}. Did you mean ${meant.join(' or ')}?`;
  });
}
