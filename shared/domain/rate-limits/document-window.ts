import { invalidInput } from '../../errors/service-error.ts';
import type { ApplicationOfTenant } from '../../ports/directory.ts';
import type { PortsWith } from '../../ports/uses.ts';
import {
  DOCUMENTS_PER_APPLICATION,
  DOCUMENTS_PER_HOST,
  DOCUMENTS_PER_NETWORK,
  MINUTE_SECONDS,
} from '../basis/limits.ts';
import { networkHash } from './address-window.ts';

interface DocumentFetch extends ApplicationOfTenant {
  readonly sourceAddress: string;
  readonly settings: { readonly rateLimits: 'on' | 'off' };
  readonly now: number;
}

/**
 * Counts the fetch of a client metadata document that is not cached, for the requesting network, the document's host and the
 * application. The limits are needed because unauthenticated callers can make the service fetch documents. A request from a
 * network over its limit does not count against the other limits. Throws `system_invalid_input`.
 */
export async function countNewDocument(
  ports: PortsWith<'windows.count'>,
  { tenant, application, sourceAddress, settings, now }: DocumentFetch,
  host: string,
): Promise<void> {
  if (settings.rateLimits === 'off') return;
  const { applicationId } = application;
  const windows = [
    [`network#${networkHash(tenant, sourceAddress)}`, DOCUMENTS_PER_NETWORK],
    [`host#${host}`, DOCUMENTS_PER_HOST],
    ['all', DOCUMENTS_PER_APPLICATION],
  ] as const;
  for (const [name, max] of windows) {
    const key = `documents#${applicationId}#${name}`;
    const { admitted } = await ports.windows.count(key, [{ seconds: MINUTE_SECONDS, max }], now);
    if (!admitted) throw invalidInput('client_id: too many new clients; try again in a minute');
  }
}
