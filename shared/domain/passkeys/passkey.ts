// Verification of authenticators' responses. `@simplewebauthn/server` verifies the ceremony; this file checks what the library
// does not check.
import { createPublicKey, type JsonWebKey } from 'node:crypto';
import { verifyAuthenticationResponse, verifyRegistrationResponse } from '@simplewebauthn/server';
import { cose, decodeCredentialPublicKey, isoCBOR } from '@simplewebauthn/server/helpers';
import type { Passkey, Passkeys } from '../../ports/people.ts';
import { CREDENTIAL_ID_MAX_BYTES } from '../basis/limits.ts';
import { PASSKEY_ALGORITHMS } from './passkey-algorithms.ts';
import { invalidPasskeyError } from './passkey-refusal.ts';
import type { RelyingParty } from './relying-party.ts';
import type { AssertionResponse, AttestationResponse, WebauthnResult } from './webauthn-result.ts';

type NewPasskeyFacts = Pick<
  Passkey,
  'credentialId' | 'publicKey' | 'signCount' | 'backupEligible' | 'backedUp' | 'transports' | 'aaguid'
>;

const bytes = (base64url: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(Buffer.from(base64url, 'base64url'));

async function refusing<T>(verify: () => Promise<T | undefined>): Promise<T> {
  let outcome: T | undefined;
  try {
    outcome = await verify();
  } catch (cause) {
    throw invalidPasskeyError({ cause });
  }
  if (outcome === undefined) throw invalidPasskeyError();
  return outcome;
}

/**
 * Returns true if a page of another origin showed the passkey prompt in an iframe. That page could lie about the purpose of the
 * prompt (WebAuthn L3 §13.4.2).
 */
function isFramed(clientDataJSON: string): boolean {
  const data: Record<string, unknown> = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString('utf8'));
  return data.crossOrigin === true || data.topOrigin !== undefined;
}

/**
 * Removes the attestation statement without reading it, because none was requested. A certificate chain from an attacker would
 * otherwise make the service fetch the URLs in it.
 */
function withoutAttestation(attestationObject: string): string {
  const given = isoCBOR.decodeFirst<Map<string, Uint8Array>>(bytes(attestationObject));
  const authData = given.get('authData');
  if (!(authData instanceof Uint8Array)) throw new Error('no authenticator data');
  const bare = new Map<string, string | Uint8Array | Map<string, string>>([
    ['fmt', 'none'],
    ['attStmt', new Map<string, string>()],
    ['authData', authData],
  ]);
  return Buffer.from(isoCBOR.encode(bare)).toString('base64url');
}

/** Values that the response of an authenticator must match. */
export interface ExpectedResponse {
  /** Challenge that the authenticator must have signed, in base64url. */
  readonly challenge: string;
  readonly relyingParty: RelyingParty;
  /**
   * True if the browser created the passkey without asking the user (conditional create). The user is verified when the passkey
   * is first used.
   */
  readonly isSilent?: boolean | undefined;
}

/** Verifies the response of an authenticator to a registration (WebAuthn L3 §7.1). Errors: `passkey_invalid`. */
export function verifyRegistration(
  { credentialId: id, type, response }: WebauthnResult<AttestationResponse>,
  { challenge, relyingParty, isSilent }: ExpectedResponse,
): Promise<NewPasskeyFacts> {
  return refusing(async () => {
    if (isFramed(response.clientDataJSON)) return undefined;
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: {
        id,
        rawId: id,
        type: type as 'public-key',
        clientExtensionResults: {},
        response: {
          clientDataJSON: response.clientDataJSON,
          attestationObject: withoutAttestation(response.attestationObject),
        },
      },
      expectedChallenge: challenge,
      expectedOrigin: [...relyingParty.origins],
      expectedRPID: relyingParty.rpId,
      requireUserPresence: !isSilent,
      requireUserVerification: !isSilent,
      supportedAlgorithmIDs: PASSKEY_ALGORITHMS,
    });
    if (!verified || registrationInfo.credential.id !== id) return undefined;
    if (bytes(id).length > CREDENTIAL_ID_MAX_BYTES) return undefined;
    const { credential, credentialDeviceType, credentialBackedUp, aaguid } = registrationInfo;
    toPublicKeyInfo(Buffer.from(credential.publicKey).toString('base64url'));
    return {
      credentialId: id,
      publicKey: Buffer.from(credential.publicKey).toString('base64url'),
      signCount: credential.counter,
      backupEligible: credentialDeviceType === 'multiDevice',
      backedUp: credentialBackedUp,
      transports: response.transports,
      aaguid,
    };
  });
}

/** State of a passkey as its authenticator reports it at a login. */
export type PasskeyUse = Pick<
  Parameters<Passkeys['recordUse']>[0],
  'signCount' | 'backupEligible' | 'backedUp'
>;

/**
 * Verifies the response of an authenticator to a login (WebAuthn L3 §7.2). The signature counter must increase unless it stays
 * 0, and `backupEligible` must not change. Errors: `passkey_invalid`.
 */
export function verifyAuthentication(
  { credentialId: id, type, response }: WebauthnResult<AssertionResponse>,
  passkey: Passkey,
  { challenge, relyingParty }: ExpectedResponse,
): Promise<PasskeyUse> {
  return refusing(async () => {
    if (isFramed(response.clientDataJSON) || passkey.rpId !== relyingParty.rpId) return undefined;
    const { clientDataJSON, authenticatorData, signature } = response;
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: {
        id,
        rawId: id,
        type: type as 'public-key',
        clientExtensionResults: {},
        response: { clientDataJSON, authenticatorData, signature },
      },
      expectedChallenge: challenge,
      expectedOrigin: [...relyingParty.origins],
      expectedRPID: relyingParty.rpId,
      credential: { id, publicKey: bytes(passkey.publicKey), counter: passkey.signCount },
      requireUserVerification: true,
    });
    const { newCounter, credentialDeviceType, credentialBackedUp } = authenticationInfo;
    const backupEligible = credentialDeviceType === 'multiDevice';
    if (!verified || backupEligible !== (passkey.backupEligible ?? backupEligible)) return undefined;
    return { signCount: newCounter, backupEligible, backedUp: credentialBackedUp };
  });
}

const encoded = (part: Uint8Array | undefined): string => Buffer.from(part ?? []).toString('base64url');

function toJwk(key: ReturnType<typeof decodeCredentialPublicKey>): JsonWebKey {
  if (cose.isCOSEPublicKeyEC2(key))
    return {
      kty: 'EC',
      crv: 'P-256',
      x: encoded(key.get(cose.COSEKEYS.x)),
      y: encoded(key.get(cose.COSEKEYS.y)),
    };
  if (cose.isCOSEPublicKeyRSA(key))
    return { kty: 'RSA', n: encoded(key.get(cose.COSEKEYS.n)), e: encoded(key.get(cose.COSEKEYS.e)) };
  if (cose.isCOSEPublicKeyOKP(key))
    return { kty: 'OKP', crv: 'Ed25519', x: encoded(key.get(cose.COSEKEYS.x)) };
  throw new Error('unknown type of key');
}

/** Converts a COSE key to a DER SubjectPublicKeyInfo, both base64url. Throws if it is not a public key. */
export function toPublicKeyInfo(coseKey: string): string {
  const jwk = toJwk(decodeCredentialPublicKey(bytes(coseKey)));
  return createPublicKey({ key: jwk, format: 'jwk' })
    .export({ format: 'der', type: 'spki' })
    .toString('base64url');
}
