import type { Page, PageRequest, Tenant } from '../../ports/directory.ts';
import type { ChangeEvent } from '../../ports/events.ts';
import type { PortsWith } from '../../ports/uses.ts';

/** Filter for changes to configuration and users. An absent field matches all changes. */
export interface ChangeFilter {
  readonly user_id?: string | undefined;
  readonly operator?: string | undefined;
  readonly kind?: string | undefined;
}

/** Lists the changes to the configuration and users of a tenant, newest first, with the operators who made them. */
export const listChanges = (
  { timeline }: PortsWith<'timeline.listChanges'>,
  { tenantId }: Tenant,
  { user_id: userId, operator, kind }: ChangeFilter,
  page: PageRequest,
): Promise<Page<ChangeEvent>> =>
  timeline.listChanges(
    { tenantId, userId },
    page,
    ({ detail }) =>
      (operator === undefined || detail.operator === operator) &&
      (kind === undefined || detail.record_kind === kind),
  );
