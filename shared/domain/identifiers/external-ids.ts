// IDs of users in the systems of backends. Each application has its own name space.
import { invalidInput } from '../../errors/service-error.ts';
import type { Application, Tenant } from '../../ports/directory.ts';
import type { ExternalId, User } from '../../ports/people.ts';
import type { PortsWith } from '../../ports/uses.ts';
import { type FieldChange, iterateItems } from '../basis/change-record.ts';

interface ExternalFields {
  readonly external_user_id?: FieldChange<string>;
  readonly external_application?: string | undefined;
}

/**
 * Returns the user's external ID at an application. Without an application, returns the user's only external ID, or undefined
 * if there are several.
 */
export function externalIdAt(
  { externalIds }: Pick<User, 'externalIds'>,
  application: Application | undefined,
): string | undefined {
  const [only, ...others] = application
    ? externalIds.filter(({ applicationId }) => applicationId === application.applicationId)
    : externalIds;
  return others.length > 0 ? undefined : only?.value;
}

export async function listApplicationIds(
  { applicationRecords }: PortsWith<'applicationRecords.list'>,
  { tenantId }: Tenant,
): Promise<readonly string[]> {
  const ids: string[] = [];
  for await (const { applicationId } of iterateItems((page) => applicationRecords.list(tenantId, page)))
    ids.push(applicationId);
  return ids;
}

/**
 * Adds the caller's application to a request that has an external ID but names no application. Adds no application if the
 * caller has several applications (`known`). Errors: `system_invalid_input` for an application that the caller does not have.
 */
export function withExternalApplication<Fields extends ExternalFields>(
  known: readonly string[],
  fields: Fields,
): Fields {
  const { external_application: named = known.length === 1 ? known[0] : undefined } = fields;
  if (fields.external_user_id === undefined || named === undefined) return fields;
  if (!known.includes(named))
    throw invalidInput('external_application: must be an application of the caller');
  return { ...fields, external_application: named };
}

/**
 * Returns the external IDs of a user after a change. A change that names no application applies to the user's only application.
 * Errors: `system_invalid_input` if the user does not belong to exactly one application.
 */
export function changedExternalIds(
  { externalIds, applications }: Pick<User, 'externalIds' | 'applications'>,
  { external_user_id: value, external_application: named }: ExternalFields,
): readonly ExternalId[] {
  if (value === undefined || (value === null && externalIds.length === 0)) return externalIds;
  const own = new Set([...applications, ...externalIds.map(({ applicationId }) => applicationId)]);
  const applicationId = named ?? (own.size === 1 ? [...own][0] : undefined);
  if (applicationId === undefined)
    throw invalidInput(
      'external_application: is required, because the user does not belong to exactly one application',
    );
  const former = externalIds.find((each) => each.applicationId === applicationId);
  if (former?.value === value) return externalIds;
  const others = externalIds.filter((each) => each !== former);
  return value === null ? others : [...others, { applicationId, value }];
}
