import { awaitAll } from '../../domain/basis/await-all.ts';
import { newId, newSessionId } from '../../domain/basis/random.ts';
import { wireDate } from '../../domain/basis/time.ts';
import { provenAddress } from '../../domain/identifiers/proven-address.ts';
import { opensAtOf } from '../../domain/trust/generations.ts';
import { vouchedBy } from '../../domain/trust/proofs.ts';
import { type AddressProof, needsNoPasskeys, proveAddress } from '../../domain/trust/prove-address.ts';
import { catalogue } from '../../errors/catalogue.ts';
import { ServiceError } from '../../errors/service-error.ts';
import type { ClientCaller } from '../../operation.ts';
import type { MethodUse } from '../../ports/flows.ts';
import type { NotedProof, User } from '../../ports/people.ts';
import type { Using } from '../../ports/uses.ts';
import { answerLogin, type BackendLogin } from './backend-login.ts';
import type { LoginPorts } from './complete-login.ts';

/** What a code or link that was sent proves, and what its login notes of the address. */
export interface SentProof {
  readonly use: MethodUse;
  readonly noted: NotedProof | undefined;
}

interface Sent extends Pick<MethodUse, 'method' | 'at'> {
  /** Hash of the user's own address that it went to; undefined: to none of theirs. */
  readonly deliveredToHash: string | undefined;
  /** The proofs of the same login before it. */
  readonly proofs: readonly MethodUse[];
}

/** What a sent code or link proves in a login of the API. Passkeys are read only where the address needs more than itself. */
export async function readSentProof(
  ports: Using<'passkeys.listOf'>,
  { tenant, application }: Pick<ClientCaller, 'tenant' | 'application'>,
  user: User,
  { deliveredToHash, proofs, ...proof }: Sent,
): Promise<{ readonly proven: AddressProof | undefined } & SentProof> {
  const found = provenAddress(tenant, user, deliveredToHash);
  const address = found && user[found.attribute];
  if (!found || !address) return { proven: undefined, use: vouchedBy(application, proof), noted: undefined };
  const isEnough = needsNoPasskeys(user, address, application, proofs);
  const passkeys = isEnough ? [] : await ports.passkeys.listOf(user.userId);
  const login = { user, passkeys, application, proofs, at: proof.at };
  const proven = proveAddress(login, { attribute: found.attribute, address }, proof, 'api');
  const { use, trust, handover } = proven;
  return { proven, use, noted: { ...found, trust, handover } };
}

/**
 * What a sent code or link proves, before it is consumed: a refusal does not burn it. Errors: `additional_factor_required` when the address
 * is shut out, or has not been given here, and no other proof of the login lets it in.
 */
export async function requireSentProof(...given: Parameters<typeof readSentProof>): Promise<SentProof> {
  const { use, noted } = await readSentProof(...given);
  if (use.worth !== 'quarantined') return { use, noted };
  const [, , user] = given;
  const address = noted && user[noted.attribute];
  const opensAt = address && opensAtOf(user, address);
  const { message } = catalogue.additional_factor_required;
  throw new ServiceError('additional_factor_required', {
    audit: { userId: user.userId },
    ...(opensAt !== undefined && { message: `${message}. It can log in by itself from ${wireDate(opensAt)}` }),
  });
}

/** Ends A2 and A4. Sessions of before end where the proof shuts out what was there before. */
export async function answerSentLogin(ports: LoginPorts & Using<'sessions.endAllOf'>, login: BackendLogin) {
  const { user, joined, noted, audit, proof } = login;
  if (!noted?.handover || user.lastAuthAt === undefined) return answerLogin(ports, login);
  audit({ events: ['user.reclaimed'] });
  const ids = { sessionId: joined?.sessionId ?? newSessionId(user.userId), familyId: newId() };
  const [answer] = await awaitAll(
    answerLogin(ports, { ...login, ids }),
    ports.sessions.endAllOf(user.userId, proof.at, ids.sessionId),
  );
  return answer;
}
