import { hasFactorProof } from '../../domain/trust/factor-types.ts';
import { createCredentialProof } from '../../domain/trust/proofs.ts';
import { computeTrustAfterLogin, computeWorthAfterLogin } from '../../domain/trust/trust-gains.ts';
import { ServiceError } from '../../errors/service-error.ts';
import type { Application } from '../../ports/directory.ts';
import type { MethodUse } from '../../ports/flows.ts';
import type { Trust } from '../../ports/trust.ts';
import type { PortsWith } from '../../ports/uses.ts';
import type { LoginSubject } from './backend-login.ts';

/**
 * Returns the proof by a passkey or device key in an API login, before the credential is consumed. If the credential is not
 * sufficient for a login, for example because it is superseded, the session must contain factors that are sufficient to add a
 * credential. `settled` is then the new trust of the credential. Errors: `additional_factor_required`.
 */
export async function requireSufficientCredential(
  ports: PortsWith<'passkeys.listOf'>,
  {
    application,
    user,
    joined,
  }: Pick<LoginSubject, 'joined' | 'user'> & { readonly application: Application },
  { id, trust }: { readonly id: string; readonly trust: Trust },
  at: number,
): Promise<{ readonly use: MethodUse; readonly settled: Trust | undefined }> {
  const use = createCredentialProof(user, { trust, credential: id }, application, { method: 'webauthn', at });
  if (use.worth !== 'quarantined') return { use, settled: undefined };
  const proofs = joined?.methods ?? [];
  if (hasFactorProof(proofs)) {
    const known = await ports.passkeys.listOf(user.userId);
    const passkeys = known.filter(({ credentialId }) => credentialId !== id);
    const login = { user, passkeys, application, proofs, at };
    const settled = computeTrustAfterLogin(login, use, 'api', { trust, others: { user, passkeys } });
    const worth = computeWorthAfterLogin(user, trust, use);
    if (settled) return { use: { ...use, scope: settled.scope, worth }, settled };
  }
  throw new ServiceError('additional_factor_required', { audit: { userId: user.userId } });
}
