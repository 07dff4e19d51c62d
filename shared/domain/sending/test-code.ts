import { ServiceError } from '../../errors/service-error.ts';
import type { Application, Tenant } from '../../ports/directory.ts';
import type { TestCode } from '../../ports/flows.ts';
import type { PortsWith } from '../../ports/uses.ts';
import { toWireDate } from '../basis/time.ts';

/**
 * Returns the latest valid code of a test user, if the code's application allows test users. With `application`, returns only
 * codes that this application sent. Without it, the caller is an admin. Throws `test_code_not_found`.
 */
export async function requireTestCode(
  ports: PortsWith<'users.find' | 'testCodes.find' | 'otps.isUsable' | 'applications'>,
  { tenant, application }: { readonly tenant: Tenant; readonly application?: Application },
  userId: string,
  at: number,
): Promise<TestCode> {
  const user = await ports.users.find(userId);
  const isOurs = user?.isTest && user.tenantId === tenant.tenantId;
  const kept = isOurs ? await ports.testCodes.find(userId, at) : undefined;
  const sender = kept && (application ?? (await ports.applications.find(kept.applicationId)));
  if (!kept || kept.applicationId !== sender?.applicationId || !sender.testIdentities)
    throw new ServiceError('test_code_not_found');
  if (!(await ports.otps.isUsable(kept, kept.mac, at))) throw new ServiceError('test_code_not_found');
  return kept;
}

export const testCodeRecord = ({ code, channel, sentAt, expiresAt }: TestCode) => ({
  code,
  channel,
  sent_at: toWireDate(sentAt),
  expires_at: toWireDate(expiresAt),
});
