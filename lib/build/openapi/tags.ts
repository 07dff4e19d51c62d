import { areas } from '../../../functions/areas.ts';
import type { AreaName } from '../../../shared/domain/basis/areas.ts';
import type { Operation } from '../../../shared/operation.ts';

/** Returns the tag of an operation: the folder of its use case, which has the name of an area. */
export const findTag = ({ file }: Operation): AreaName => file.split('/')[0] as AreaName;

export function listTags(
  rows: readonly Operation[],
): readonly { readonly name: string; readonly description: string }[] {
  return [...new Set(rows.map(findTag))].map((name) => ({ name, description: areas[name].about }));
}
