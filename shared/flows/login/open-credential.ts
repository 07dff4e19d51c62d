import { hasPerson } from '../../domain/trust/kinds.ts';
import { provedBy } from '../../domain/trust/proofs.ts';
import { settledBeside, worthOfSettled } from '../../domain/trust/settle.ts';
import { ServiceError } from '../../errors/service-error.ts';
import type { Application } from '../../ports/directory.ts';
import type { MethodUse } from '../../ports/flows.ts';
import type { Trust } from '../../ports/trust.ts';
import type { Using } from '../../ports/uses.ts';
import type { Person } from './backend-login.ts';

/**
 * Evaluates what a passkey or device key proves in a login of the API, before it is consumed. An insufficient credential, such
 * as a superseded one, is accepted only in a session whose factors suffice to add a credential. Its trust is then upgraded to
 * `settled`. Throws `additional_factor_required`.
 */
export async function requireOpen(
  ports: Using<'passkeys.listOf'>,
  { application, user, joined }: Pick<Person, 'joined' | 'user'> & { readonly application: Application },
  { id, trust }: { readonly id: string; readonly trust: Trust },
  at: number,
): Promise<{ readonly use: MethodUse; readonly settled: Trust | undefined }> {
  const use = provedBy(user, { trust, credential: id }, application, { method: 'webauthn', at });
  if (use.worth !== 'quarantined') return { use, settled: undefined };
  const proofs = joined?.methods ?? [];
  if (hasPerson(proofs)) {
    const known = await ports.passkeys.listOf(user.userId);
    const passkeys = known.filter(({ credentialId }) => credentialId !== id);
    const login = { user, passkeys, application, proofs, at };
    const settled = settledBeside(login, use, 'api', { trust, others: { user, passkeys } });
    const worth = worthOfSettled(user, trust, use);
    if (settled) return { use: { ...use, scope: settled.scope, worth }, settled };
  }
  throw new ServiceError('additional_factor_required', { audit: { userId: user.userId } });
}
