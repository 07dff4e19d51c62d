import { constants, createHash, createPublicKey, type KeyObject, verify } from 'node:crypto';
import type { ApprovalData, ApprovedTexts } from '../../ports/signing.ts';
import { containsApprovalData, hashRawChallenge } from './approval-challenge.ts';

/**
 * Result of verifying signing artifacts (SPEC "Token response"). The verification needs neither this service nor a secret. The
 * artifacts do not say who owns the public key, so compare its fingerprint with a stored fingerprint.
 */
export interface VerifiedApproval {
  readonly approvalData: ApprovalData;
  readonly signedBy: 'passkey' | 'device key';
  /** Origin at which the browser used the passkey. Absent for device keys. */
  readonly origin?: string;
  /** SHA-256 hash of the public key in DER form, hexadecimal. */
  readonly keyFingerprint: string;
}

/** Error whose message says why signing artifacts are invalid. */
export class UnverifiedApproval extends Error {}

function demand(holds: boolean, complaint: string): asserts holds {
  if (!holds) throw new UnverifiedApproval(complaint);
}

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function text(fields: Fields, name: string): string {
  const value = fields[name];
  demand(typeof value === 'string', `${name} is missing`);
  return value;
}
const bytes = (fields: Fields, name: string): Buffer => Buffer.from(text(fields, name), 'base64url');

function readData(fields: Fields): ApprovalData {
  const data = fields.approval_data;
  const isFlat = isFields(data) && Object.values(data).every((value) => typeof value === 'string');
  demand(isFlat, 'approval_data is missing or no flat object of texts');
  const texts = data as ApprovedTexts;
  const { approval_type: type } = fields;
  return type === undefined ? texts : { type: text(fields, 'approval_type'), data: texts };
}

function readKey(fields: Fields): KeyObject {
  try {
    return createPublicKey({ key: bytes(fields, 'public_key'), format: 'der', type: 'spki' });
  } catch {
    throw new UnverifiedApproval('public_key is not a public key');
  }
}

const sha256 = (data: Uint8Array): Buffer => createHash('sha256').update(data).digest();

// Position and bits of the flags in authenticator data (WebAuthn L3 §6.1).
const FLAGS_AT = 32;
const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;

function verifyPasskey(fields: Fields, data: ApprovalData, key: KeyObject): { readonly origin: string } {
  const raw = text(fields, 'raw_challenge');
  demand(containsApprovalData(raw, data), 'raw_challenge does not carry this approval_data');
  const clientDataJson = bytes(fields, 'client_data_json');
  let clientData: unknown;
  try {
    clientData = JSON.parse(clientDataJson.toString('utf8'));
  } catch {
    throw new UnverifiedApproval('client_data_json is not JSON');
  }
  demand(isFields(clientData), 'client_data_json is not an object');
  demand(clientData.type === 'webauthn.get', 'client_data_json does not belong to an authentication');
  demand(clientData.challenge === hashRawChallenge(raw), 'the challenge is not the hash of raw_challenge');
  const authenticatorData = bytes(fields, 'authenticator_data');
  const flags = authenticatorData[FLAGS_AT] ?? 0;
  demand((flags & USER_PRESENT) !== 0 && (flags & USER_VERIFIED) !== 0, 'the user was not verified');
  const signed = Buffer.concat([authenticatorData, sha256(clientDataJson)]);
  const digest = key.asymmetricKeyType === 'ed25519' ? null : 'sha256';
  demand(verify(digest, signed, key, bytes(fields, 'signature')), 'the signature is wrong');
  return { origin: text(clientData, 'origin') };
}

function verifyDeviceKey(fields: Fields, data: ApprovalData, key: KeyObject): void {
  const challenge = text(fields, 'challenge');
  demand(containsApprovalData(challenge, data), 'challenge does not carry this approval_data');
  const algorithm = isFields(fields.algorithm) ? fields.algorithm : {};
  demand(algorithm.hash === 'sha-256', 'algorithm.hash must be sha-256');
  const signature = bytes(fields, 'signature');
  const signed = Buffer.from(challenge, 'utf8');
  const isRight =
    algorithm.name === 'ecdsa'
      ? key.asymmetricKeyType === 'ec' &&
        verify('sha256', signed, { key, dsaEncoding: 'ieee-p1363' }, signature)
      : algorithm.name === 'rsa-pss' &&
        key.asymmetricKeyType === 'rsa' &&
        typeof algorithm.saltLength === 'number' &&
        verify(
          'sha256',
          signed,
          { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: algorithm.saltLength },
          signature,
        );
  demand(isRight, 'the signature is wrong, or its algorithm is unknown');
}

/** Verifies signing artifacts, or a token response that contains them. Errors: `UnverifiedApproval`. */
export function verifyApproval(given: unknown): VerifiedApproval {
  demand(isFields(given), 'the input is not a JSON object');
  const fields = given.signing_artifacts ?? given;
  demand(isFields(fields), 'signing_artifacts is not an object');
  const approvalData = readData(fields);
  const key = readKey(fields);
  const keyFingerprint = sha256(key.export({ format: 'der', type: 'spki' })).toString('hex');
  if ('raw_challenge' in fields) {
    const { origin } = verifyPasskey(fields, approvalData, key);
    return { approvalData, signedBy: 'passkey', origin, keyFingerprint };
  }
  verifyDeviceKey(fields, approvalData, key);
  return { approvalData, signedBy: 'device key', keyFingerprint };
}
