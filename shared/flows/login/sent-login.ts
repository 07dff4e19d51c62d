import { awaitAll } from '../../domain/basis/await-all.ts';
import { newId, newSessionId } from '../../domain/basis/random.ts';
import { toWireDate } from '../../domain/basis/time.ts';
import { provenAddress } from '../../domain/identifiers/proven-address.ts';
import { loginDelayedUntil } from '../../domain/trust/generations.ts';
import { createVouchedProof } from '../../domain/trust/proofs.ts';
import {
  type AddressProof,
  canProveWithoutPasskeys,
  proveAddress,
} from '../../domain/trust/prove-address.ts';
import { catalogue } from '../../errors/catalogue.ts';
import { ServiceError } from '../../errors/service-error.ts';
import type { ClientCaller } from '../../operation.ts';
import type { MethodUse } from '../../ports/flows.ts';
import type { RecordedProof, User } from '../../ports/people.ts';
import type { PortsWith } from '../../ports/uses.ts';
import { answerLogin, type BackendLogin } from './backend-login.ts';
import type { LoginPorts } from './complete-login.ts';

/** Proof by a code or link that was sent, and the change that the login records for the address that received it. */
export interface SentProof {
  readonly use: MethodUse;
  readonly noted: RecordedProof | undefined;
}

interface SentCredential extends Pick<MethodUse, 'method' | 'at'> {
  /** Hash of the user's address that received the message. Undefined if the message was not sent to an address of the user. */
  readonly deliveredToHash: string | undefined;
  /** Earlier proofs of the same login. */
  readonly proofs: readonly MethodUse[];
}

/**
 * Determines which factor a code or link verifies in an API login, and how strongly. Reads the user's passkeys only if they can
 * change the result.
 */
export async function readSentProof(
  ports: PortsWith<'passkeys.listOf'>,
  { tenant, application }: Pick<ClientCaller, 'tenant' | 'application'>,
  user: User,
  { deliveredToHash, proofs, ...proof }: SentCredential,
): Promise<{ readonly proven: AddressProof | undefined } & SentProof> {
  const found = provenAddress(tenant, user, deliveredToHash);
  const address = found && user[found.attribute];
  if (!found || !address)
    return { proven: undefined, use: createVouchedProof(application, proof), noted: undefined };
  const isEnough = canProveWithoutPasskeys(user, address, application, proofs);
  const passkeys = isEnough ? [] : await ports.passkeys.listOf(user.userId);
  const login = { user, passkeys, application, proofs, at: proof.at };
  const proven = proveAddress(login, { attribute: found.attribute, address }, proof, 'api');
  const { use, trust, newGenerations } = proven;
  return { proven, use, noted: { ...found, trust, newGenerations } };
}

/**
 * Checks the proof by a code or link before the code or link is consumed, so that a rejected attempt does not use it up. Throws
 * `additional_factor_required` if the address is superseded or not valid in this application, unless the login has another
 * sufficient proof.
 */
export async function requireSentProof(...given: Parameters<typeof readSentProof>): Promise<SentProof> {
  const { use, noted } = await readSentProof(...given);
  if (use.worth !== 'quarantined') return { use, noted };
  const [, , user] = given;
  const address = noted && user[noted.attribute];
  const delayedUntil = address && loginDelayedUntil(user, address);
  const { message } = catalogue.additional_factor_required;
  throw new ServiceError('additional_factor_required', {
    audit: { userId: user.userId },
    ...(delayedUntil !== undefined && {
      message: `${message}. It can log in by itself from ${toWireDate(delayedUntil)}`,
    }),
  });
}

/**
 * Completes a login by a sent code or link (SPEC A2, A4). If the login supersedes credentials, the user's other sessions end.
 */
export async function answerSentLogin(
  ports: LoginPorts & PortsWith<'sessions.endAllOf'>,
  login: BackendLogin,
) {
  const { user, joined, noted, audit, proof } = login;
  if (!noted?.newGenerations || user.lastAuthAt === undefined) return answerLogin(ports, login);
  audit({ events: ['user.reclaimed'] });
  const ids = { sessionId: joined?.sessionId ?? newSessionId(user.userId), familyId: newId() };
  const [answer] = await awaitAll(
    answerLogin(ports, { ...login, ids }),
    ports.sessions.endAllOf(user.userId, proof.at, ids.sessionId),
  );
  return answer;
}
