import {
  type OpenLogin,
  type PendingCredential,
  saveProgress,
  unsealAddress,
} from '../../domain/hosted-login/login-transaction.ts';
import { findHolderId, findOwner, normaliseIdentifier } from '../../domain/identifiers/identifier.ts';
import { createPageTrust } from '../../domain/trust/binding.ts';
import { listProvenFactorTypes } from '../../domain/trust/factor-types.ts';
import { freshProofs } from '../../domain/trust/missing-proof.ts';
import { addVerifiedAddress } from '../../domain/users/add-address.ts';
import type { ReplacePorts } from '../../domain/users/update-user.ts';
import { ServiceError } from '../../errors/service-error.ts';
import type { AuditContext } from '../../operation.ts';
import type { Identifier } from '../../ports/people.ts';
import type { PortsWith } from '../../ports/uses.ts';
import { channels, toAddressAttribute } from '../../records/channels.ts';
import type { LoginContext } from './login-context.ts';
import { deriveCurrentState, type StatePorts } from './login-state.ts';
import { withAddedCredential } from './new-factor.ts';

export type PhonePorts = ReplacePorts &
  StatePorts &
  PortsWith<'loginTransactions.advance' | 'sessions.endAllOf' | 'identifiers' | 'users.find'>;

/** Decrypts a phone number that was encrypted for this browser's login. */
export function openPhone({ browser }: LoginContext, sealed: string): Identifier {
  const identifier = normaliseIdentifier('phone_number', unsealAddress(browser, sealed));
  if (!identifier) throw new Error('a number was proven, so it can be read');
  return identifier;
}

/** Rejects a phone number that belongs to another user. */
async function requireFree(
  ports: PhonePorts,
  { tenant }: LoginContext,
  identifier: Identifier,
): Promise<void> {
  const userId = await findHolderId(ports, tenant, identifier);
  if (userId !== undefined && (await findOwner(ports, tenant, identifier, userId)))
    throw new ServiceError('access_denied', { message: 'The phone number belongs to another user' });
}

/**
 * Adds a proven address to the user, or a phone number to the sign-up. The number counts as a factor of this login only if the
 * user may enrol it. Otherwise, an attacker with the first factor could add any number (NIST SP 800-63B-4 §4.2). Returns
 * undefined if another tab was faster. Errors: `access_denied`.
 */
export async function addAddress(
  ports: PhonePorts,
  context: LoginContext,
  { channel, sealedAddress, userId }: PendingCredential,
  audit: (context: AuditContext) => void,
): Promise<OpenLogin | undefined> {
  const { login, tenant, browser } = context;
  const { sealedSignUp, generation, held } = login.progress;
  const { address: type, method } = channels[channel];
  const isNumber = type === 'phone_number';
  let enrols = false;
  if (sealedSignUp === undefined) {
    const current = await deriveCurrentState(ports, context);
    const { binding } = current;
    enrols = current.isEnrolling && isNumber;
    if (!binding) throw new ServiceError('access_denied', { message: 'The user no longer exists' });
    const { standing, scope } = createPageTrust(binding);
    const given = listProvenFactorTypes(freshProofs(binding.application, binding.proofs, binding.at));
    const adding = {
      fields: { [type]: unsealAddress(browser, sealedAddress) },
      at: context.now,
      generation,
      trust: { standing, scope },
      undoCondition: given.size > 1 ? 'kind' : 'link',
      ownSessionId: held?.sessionId,
      isFactor: enrols,
    } as const;
    await addVerifiedAddress(ports, { tenant, userId }, adding, audit);
  } else await requireFree(ports, context, openPhone(context, sealedAddress));
  const { pending: _, ...progress } = login.progress;
  if (!isNumber) return saveProgress(ports, context, { ...progress, addedEmail: true });
  const bound = { method, credential: toAddressAttribute(channel), at: context.now } as const;
  const numbered = { ...progress, sealedPhone: sealedAddress };
  return saveProgress(ports, context, withAddedCredential(context, enrols, numbered, bound));
}
