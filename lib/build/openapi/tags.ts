import { areas } from '../../../functions/areas.ts';
import type { AreaName } from '../../../shared/domain/basis/areas.ts';
import type { Operation } from '../../../shared/operation.ts';

/** Returns the OpenAPI tag of an operation, which is the folder of its use case and thus the name of its area. */
export const findTag = ({ file }: Operation): AreaName => file.split('/')[0] as AreaName;

export function listTags(
  rows: readonly Operation[],
): readonly { readonly name: string; readonly description: string }[] {
  return [...new Set(rows.map(findTag))].map((name) => ({ name, description: areas[name].about }));
}
