// Login and approval by passkey: start, find, check, consume.
import type { ApplicationOfTenant, Tenant } from '../../ports/directory.ts';
import type { Passkey, User } from '../../ports/people.ts';
import type { ApprovalData, WebauthnChallenge } from '../../ports/signing.ts';
import type { PortsWith } from '../../ports/uses.ts';
import { awaitAll } from '../basis/await-all.ts';
import { toBase64 } from '../basis/base64.ts';
import { WEBAUTHN_CHALLENGE_SECONDS } from '../basis/limits.ts';
import { omitUndefined } from '../basis/omit-undefined.ts';
import { areSecretsEqual, hashSecret, newSecret } from '../basis/random.ts';
import {
  containsApprovalData,
  hashRawChallenge,
  newChallenge,
  newRawChallenge,
} from '../credentials/approval-challenge.ts';
import {
  type AuthenticationProof,
  createConsumption,
  provenBy,
  restoreOnFailure,
} from '../credentials/authentication-proof.ts';
import { matchesNamedUser, namedHashes } from '../identifiers/named-user.ts';
import { isValidIn } from '../trust/factor-types.ts';
import { type PasskeyUse, verifyAuthentication } from './passkey.ts';
import { invalidPasskeyError } from './passkey-refusal.ts';
import { type RelyingParty, userHandle } from './relying-party.ts';
import type { AssertionResponse, WebauthnResult } from './webauthn-result.ts';

const MILLISECONDS = 1000;

interface Place extends ApplicationOfTenant {
  readonly relyingParty: RelyingParty;
}

/**
 * Starts a passkey login, or an approval if there is approval data. The challenge is valid for 5 minutes from `now` (epoch
 * seconds). The options list no credentials, even for a named user. A list would reveal which users exist (WebAuthn L3
 * §14.6.2), and authenticators find passkeys without it.
 */
export async function beginPasskeyLogin(
  ports: PortsWith<'webauthnChallenges.put'>,
  place: Place,
  asked: {
    readonly username?: string | undefined;
    readonly approvalData?: ApprovalData | undefined;
    /** Hash of the hosted login that the challenge belongs to. */
    readonly loginHash?: string | undefined;
  },
  now: number,
) {
  const { tenant, application, relyingParty } = place;
  const { username, approvalData, loginHash } = asked;
  const sessionId = newSecret();
  const rawChallenge = approvalData && newRawChallenge(approvalData);
  const challenge = rawChallenge === undefined ? newChallenge() : hashRawChallenge(rawChallenge);
  await ports.webauthnChallenges.put(
    omitUndefined<WebauthnChallenge>({
      hash: hashSecret(sessionId),
      purpose: 'authenticate',
      tenantId: tenant.tenantId,
      applicationId: application.applicationId,
      rpId: relyingParty.rpId,
      challenge,
      rawChallenge,
      approvalData,
      identifierHashes: namedHashes(place, username, sessionId),
      loginHash,
      expiresAt: now + WEBAUTHN_CHALLENGE_SECONDS,
    }),
  );
  return {
    webauthn_session_id: sessionId,
    credential_request_options: {
      challenge: toBase64(challenge),
      rpId: relyingParty.rpId,
      timeout: WEBAUTHN_CHALLENGE_SECONDS * MILLISECONDS,
      allowCredentials: [],
      userVerification: 'required' as const,
    },
  };
}

/** Challenge and credential ID of a passkey login whose signature is not verified yet. */
export interface PresentedPasskey {
  readonly challenge: WebauthnChallenge;
  readonly userId: string;
  readonly result: WebauthnResult<AssertionResponse>;
  readonly sessionId: string;
  /** Approval data that the backend expects and the challenge contains. The tokens of the login include the approval data. */
  readonly approvalData?: ApprovalData | undefined;
}

/**
 * Challenge of a passkey login, and the ID of the passkey's owner. Each is undefined if it was not found. Nothing is verified
 * yet.
 */
export type ChallengeAndOwner = readonly [WebauthnChallenge | undefined, string | undefined];

/** Reads the challenge of a passkey login and the owner of its credential ID in parallel. `now` is in epoch seconds. */
export const findChallengeAndOwner = (
  ports: PortsWith<'webauthnChallenges.find' | 'passkeys.findOwner'>,
  { sessionId, credentialId }: WebauthnResult<AssertionResponse>,
  now: number,
): Promise<ChallengeAndOwner> =>
  awaitAll(ports.webauthnChallenges.find(hashSecret(sessionId), now), ports.passkeys.findOwner(credentialId));

/**
 * Checks that a challenge belongs to this application and login. A challenge of a hosted login (`loginHash`) can be used only
 * in that login, any other challenge only through the API. An attacker could start a challenge of the API with other approval
 * data, so the backend passes the data that it expects. Errors: `passkey_invalid`.
 */
export function requireOwnChallenge(
  { tenant, application }: ApplicationOfTenant,
  result: WebauthnResult<AssertionResponse>,
  [challenge, userId]: ChallengeAndOwner,
  { loginHash, approvalData }: Pick<PresentedPasskey, 'approvalData'> & { readonly loginHash?: string },
): PresentedPasskey {
  const own =
    challenge?.purpose === 'authenticate' &&
    challenge.loginHash === loginHash &&
    (approvalData === undefined || containsApprovalData(challenge.rawChallenge ?? '', approvalData)) &&
    challenge.tenantId === tenant.tenantId &&
    challenge.applicationId === application.applicationId;
  if (!own || userId === undefined) throw invalidPasskeyError();
  return { challenge, userId, result, sessionId: result.sessionId, approvalData };
}

/** Passkey login with a correct signature, whose challenge is not consumed yet. */
export interface CheckedPasskey extends PresentedPasskey, PasskeyUse {
  readonly passkey: Passkey;
}

/**
 * Verifies the signature of a passkey login. The user handle must belong to the owner of the passkey (WebAuthn L3 §7.2 step 6),
 * and the passkey must be valid in the application. Errors: `passkey_invalid`.
 */
export async function checkPasskey(
  ports: PortsWith<'passkeys.find'>,
  { tenant, application, relyingParty }: Place,
  presented: PresentedPasskey,
): Promise<CheckedPasskey> {
  const { challenge, userId, result } = presented;
  const passkey = await ports.passkeys.find(userId, result.credentialId);
  const handle = passkey?.userHandle ?? userHandle(tenant, userId);
  const ofOwner = areSecretsEqual(result.response.userHandle ?? '', handle);
  if (passkey?.tenantId !== tenant.tenantId || !ofOwner || challenge.rpId !== relyingParty.rpId)
    throw invalidPasskeyError({ audit: { userId } });
  if (!isValidIn(passkey.scope, application.applicationId)) throw invalidPasskeyError({ audit: { userId } });
  const expected = { challenge: challenge.challenge, relyingParty };
  return { ...presented, passkey, ...(await verifyAuthentication(result, passkey, expected)) };
}

/** Rejects a passkey if the login was started with another user's name. Errors: `passkey_invalid`. */
export function requireNamedUser(
  tenant: Tenant,
  { challenge, sessionId }: PresentedPasskey,
  user: User,
): void {
  if (!matchesNamedUser(tenant, challenge.identifierHashes, user, sessionId))
    throw invalidPasskeyError({ audit: { userId: user.userId } });
}

async function consumePasskey(
  ports: PortsWith<'webauthnChallenges.consume' | 'passkeys.recordUse'>,
  { challenge, passkey, signCount, backupEligible, backedUp, approvalData }: CheckedPasskey,
  at: number,
  holder: string,
): Promise<AuthenticationProof> {
  const { userId, credentialId } = passkey;
  const use = { userId, credentialId, signCount, backupEligible, backedUp, at, challenge: challenge.hash };
  const [isFirst, isNoted] = await awaitAll(
    ports.webauthnChallenges.consume(challenge.hash, at, holder),
    ports.passkeys.recordUse(use),
  );
  if (!isFirst || !isNoted) throw invalidPasskeyError({ audit: { userId } });
  return provenBy({ method: 'webauthn', at, ...(approvalData ? { approvalData } : {}) });
}

/**
 * Consumes the challenge at `at` (epoch seconds), stores the signature counter in parallel, and logs in. If the service fails,
 * the challenge is restored, and the same signature can be sent again. Exactly one of several concurrent callers succeeds.
 * Errors: `passkey_invalid`.
 */
export function usePasskey<Answer>(
  ports: PortsWith<'webauthnChallenges.consume' | 'webauthnChallenges.undoConsume' | 'passkeys.recordUse'>,
  checked: CheckedPasskey,
  at: number,
  logIn: (proof: AuthenticationProof) => Promise<Answer>,
): Promise<Answer> {
  const consumption = createConsumption((holder) =>
    ports.webauthnChallenges.undoConsume(checked.challenge.hash, holder),
  );
  return restoreOnFailure(consumption, async () =>
    logIn(await consumePasskey(ports, checked, at, consumption.holder)),
  );
}
