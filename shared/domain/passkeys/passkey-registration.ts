// Registration of passkeys: start, find, verify, store.
import type { ApplicationOfTenant } from '../../ports/directory.ts';
import type { Passkey, User } from '../../ports/people.ts';
import type { WebauthnChallenge } from '../../ports/signing.ts';
import type { Trust } from '../../ports/trust.ts';
import type { PortsWith } from '../../ports/uses.ts';
import { toBase64 } from '../basis/base64.ts';
import { PASSKEYS_MAX, WEBAUTHN_CHALLENGE_SECONDS } from '../basis/limits.ts';
import { omitUndefined } from '../basis/omit-undefined.ts';
import { hashSecret, newSecret } from '../basis/random.ts';
import { seal, unseal } from '../basis/sealing.ts';
import { newChallenge } from '../credentials/approval-challenge.ts';
import { requireBelowLimit } from '../credentials/credential-count.ts';
import { findUserName } from '../identifiers/person-name.ts';
import { isValidIn } from '../trust/factor-types.ts';
import { verifyRegistration } from './passkey.ts';
import { PASSKEY_ALGORITHMS } from './passkey-algorithms.ts';
import { invalidPasskeyError } from './passkey-refusal.ts';
import { type PasskeyStorage, storePasskey } from './passkey-storage.ts';
import { type RelyingParty, userHandle } from './relying-party.ts';
import type { AttestationResponse, WebauthnResult } from './webauthn-result.ts';

const MILLISECONDS = 1000;

interface Registering extends ApplicationOfTenant {
  readonly relyingParty: RelyingParty;
  /** Time of the request in epoch seconds. */
  readonly now: number;
  readonly ofLogin?: Pick<WebauthnChallenge, 'loginHash' | 'isSilent'>;
}

/** User who owns the new passkey. During sign-up, only the ID is known. */
type Holder = Pick<User, 'userId' | 'username' | 'email' | 'phoneNumber'>;

const USER_NAME = 'passkey-user-name';

/** Returns PublicKeyCredentialCreationOptions (WebAuthn L3 §5.4), with binary fields in standard base64. */
function creationOptions(
  { application, relyingParty }: Registering,
  facts: { challenge: string; handle: string; userName: string; displayName: string },
  known: readonly Passkey[],
) {
  return {
    rp: { id: relyingParty.rpId, name: application.name },
    user: {
      id: toBase64(facts.handle),
      name: facts.userName,
      displayName: facts.displayName,
    },
    challenge: toBase64(facts.challenge),
    pubKeyCredParams: PASSKEY_ALGORITHMS.map((alg) => ({ type: 'public-key' as const, alg })),
    timeout: WEBAUTHN_CHALLENGE_SECONDS * MILLISECONDS,
    excludeCredentials: known
      // A passkey that is valid only in other applications is not excluded: its owner registers it again to make it valid here.
      .filter(
        (passkey) =>
          passkey.rpId === relyingParty.rpId && isValidIn(passkey.scope, application.applicationId),
      )
      .map(({ credentialId, transports }) => ({
        type: 'public-key' as const,
        id: toBase64(credentialId),
        transports: [...transports],
      })),
    authenticatorSelection: {
      residentKey: 'required' as const,
      requireResidentKey: true,
      userVerification: 'required' as const,
    },
    attestation: 'none' as const,
  };
}

/** Stores a registration challenge for 5 minutes, with the ID of its user or, for an unknown user, a user handle. */
async function open(
  ports: PortsWith<'webauthnChallenges.putRegistration'>,
  { tenant, application, relyingParty, now, ofLogin }: Registering,
  owner: Pick<WebauthnChallenge, 'userId'> | Pick<WebauthnChallenge, 'userHandle'>,
  userName: string,
) {
  const sessionId = newSecret();
  const challenge = newChallenge();
  await ports.webauthnChallenges.putRegistration(
    omitUndefined<WebauthnChallenge>({
      hash: hashSecret(sessionId),
      purpose: 'register',
      tenantId: tenant.tenantId,
      applicationId: application.applicationId,
      rpId: relyingParty.rpId,
      challenge,
      ...owner,
      // Encrypted, because the name may be an address, and this table must not contain addresses.
      userName: seal(sessionId, USER_NAME, userName),
      identifierHashes: [],
      ...ofLogin,
      expiresAt: now + WEBAUTHN_CHALLENGE_SECONDS,
    }),
  );
  return { sessionId, challenge };
}

/** Starts the registration of a user's passkey. Errors: `too_many_credentials`. */
export async function startRegistration(
  ports: PortsWith<'passkeyRecords.listOf' | 'webauthnChallenges.putRegistration'>,
  registering: Registering,
  user: Holder,
  shown: { readonly username?: string | undefined; readonly display_name?: string | undefined },
) {
  const known = await ports.passkeyRecords.listOf(user.userId);
  requireBelowLimit(known, PASSKEYS_MAX);
  const userName = shown.username ?? findUserName(user);
  const { userId } = user;
  const { sessionId, challenge } = await open(ports, registering, { userId }, userName);
  const handle = userHandle(registering.tenant, userId);
  const facts = { challenge, handle, userName, displayName: shown.display_name ?? userName };
  return {
    webauthn_session_id: sessionId,
    credential_creation_options: creationOptions(registering, facts, known),
  };
}

/**
 * Starts a registration on a page of the application before a token identifies the user. The typed name proves nothing: the
 * options are the same for every name, and no user is read or changed.
 */
export async function startOpenRegistration(
  ports: PortsWith<'webauthnChallenges.putRegistration'>,
  registering: Registering,
  { userName, displayName }: { readonly userName: string; readonly displayName?: string | undefined },
) {
  const handle = newSecret();
  const { sessionId, challenge } = await open(ports, registering, { userHandle: handle }, userName);
  const facts = { challenge, handle, userName, displayName: displayName ?? userName };
  return {
    webauthn_session_id: sessionId,
    credential_creation_options: creationOptions(registering, facts, []),
  };
}

/** Valid challenge of a registration, its user, and the trust that the new passkey gets. */
interface OpenRegistration {
  readonly challenge: WebauthnChallenge;
  readonly userId: string;
  readonly trust: Trust;
}

/**
 * Finds the challenge of a registration. A challenge that was started without a user is accepted for any user. Errors:
 * `passkey_invalid` if the challenge is unknown, used, expired at `now` (epoch seconds), or belongs to another user.
 */
export async function findRegistration(
  ports: PortsWith<'webauthnChallenges.find'>,
  owner: {
    readonly tenantId: string;
    readonly applicationId: string;
    readonly userId?: string;
    readonly loginHash?: string;
  },
  sessionId: string,
  now: number,
): Promise<WebauthnChallenge> {
  const challenge = await ports.webauthnChallenges.find(hashSecret(sessionId), now);
  const own =
    challenge?.purpose === 'register' &&
    challenge.loginHash === owner.loginHash &&
    challenge.tenantId === owner.tenantId &&
    challenge.applicationId === owner.applicationId &&
    (owner.userId === undefined || challenge.userId === undefined || challenge.userId === owner.userId);
  if (!own) throw invalidPasskeyError();
  const userName =
    challenge.userName === undefined ? undefined : unseal(sessionId, USER_NAME, challenge.userName);
  return omitUndefined<WebauthnChallenge>({ ...challenge, userName });
}

/**
 * Verifies a new passkey (WebAuthn L3 §7.1). Consumes its challenge before anything is written, so that exactly one of several
 * identical requests succeeds. Errors: `passkey_invalid`.
 */
export async function verifyNewPasskey(
  ports: PortsWith<'webauthnChallenges.consume'>,
  { relyingParty, now }: Pick<Registering, 'relyingParty' | 'now'>,
  { challenge, userId, trust }: OpenRegistration,
  result: WebauthnResult<AttestationResponse>,
): Promise<Passkey> {
  if (challenge.rpId !== relyingParty.rpId) throw invalidPasskeyError();
  const { isSilent } = challenge;
  const facts = await verifyRegistration(result, { challenge: challenge.challenge, relyingParty, isSilent });
  if (!(await ports.webauthnChallenges.consume(challenge.hash, now))) throw invalidPasskeyError();
  return omitUndefined<Passkey>({
    ...facts,
    userId,
    tenantId: challenge.tenantId,
    applicationId: challenge.applicationId,
    rpId: relyingParty.rpId,
    createdAt: now,
    userHandle: challenge.userHandle,
    ...trust,
  });
}

/**
 * Rejects a passkey above the user's maximum if the registration was started without a user, because the maximum could not be
 * checked at the start. Errors: `too_many_credentials`.
 */
async function requireRoomFor(
  ports: PortsWith<'passkeyRecords.listOf'>,
  { challenge, userId }: OpenRegistration,
): Promise<void> {
  if (challenge.userId === undefined)
    requireBelowLimit(await ports.passkeyRecords.listOf(userId), PASSKEYS_MAX);
}

/** Verifies a new passkey and stores it. Errors: `passkey_invalid`, `passkey_taken`, `too_many_credentials`. */
export async function completeRegistration(
  ports: PasskeyStorage & PortsWith<'webauthnChallenges.consume' | 'passkeyRecords.listOf'>,
  registering: Omit<Registering, 'tenant'>,
  open: OpenRegistration,
  result: WebauthnResult<AttestationResponse>,
): Promise<Passkey> {
  await requireRoomFor(ports, open);
  const passkey = await verifyNewPasskey(ports, registering, open, result);
  await storePasskey(ports, registering.application, passkey);
  return passkey;
}
