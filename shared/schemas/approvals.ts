import * as v from 'valibot';
import { APPROVAL_SECONDS, NAME_MAX } from '../domain/basis/limits.ts';
import { describe, described, sample } from './fields/described.ts';
import { ApprovalData, loginFields, secret } from './fields/login.ts';
import { maxCharacters } from './fields/max-characters.ts';
import * as words from './fields/words.ts';

// Schemas of device keys, and of artifacts that were signed with device keys or passkeys.

const ID_MAX = 64;

const id = v.pipe(v.string(), v.minLength(1), maxCharacters(ID_MAX));
const name = v.pipe(v.string(), v.minLength(1), maxCharacters(NAME_MAX));
const date = v.pipe(v.string(), v.isoTimestamp());
const texts = v.record(v.string(), v.string());

const approvalFields = {
  approval_data: described(
    texts,
    describe('Data that the user approved, as a flat object.', words.approvalData),
  ),
  approval_type: described(
    v.optional(v.string()),
    describe('Type of the approval, if the request specified one.', 'money_transfer'),
  ),
  public_key: described(
    v.string(),
    describe(
      'Public key for the signature: DER (SPKI) in base64url.',
      'MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE',
    ),
  ),
  signature: described(v.string(), describe('Signature in base64url.', 'MEUCIQDq0r2x')),
};

/** Evidence of an approval by a passkey (SPEC "Passkey signing artifacts"). */
export const PasskeyArtifacts = described(
  v.object({
    ...approvalFields,
    credential_id: described(v.string(), words.credentialId),
    webauthn_session_id: described(
      v.string(),
      describe('ID of the WebAuthn ceremony in which the passkey signed.', 'Q4zT7mXb2RkYc9WvN0hLfJ'),
    ),
    authenticator_data: described(
      v.string(),
      describe(
        'Authenticator data (WebAuthn §6.1) in base64url.',
        'SZYN5YgOjGh0NBcPZHZgW4_krrmihjLHmVzzuoMdl2MFAAAAAQ',
      ),
    ),
    client_data_json: described(
      v.string(),
      describe(
        'Client data that the browser collected and the passkey signed, in base64url.',
        'eyJ0eXBlIjoid2ViYXV0aG4uZ2V0In0',
      ),
    ),
    raw_challenge: described(
      v.string(),
      describe(
        'Challenge before hashing with SHA-256. It contains `approval_data`.',
        'c2FsdA.eyJhbW91bnQiOiIyNS4wMCBFVVIifQ',
      ),
    ),
  }),
  describe(
    'Evidence that a passkey of the user approved this data. Anyone can verify it without the service.',
  ),
);

/** Evidence of an approval by a device key (SPEC "Crypto-key signing artifacts", "Algorithm object"). */
export const CryptoKeyArtifacts = described(
  v.object({
    ...approvalFields,
    challenge: described(
      v.string(),
      describe('Signed challenge. It contains `approval_data`.', 'c2FsdA.eyJhbW91bnQiOiIyNS4wMCBFVVIifQ'),
    ),
    algorithm: described(
      v.object({
        name: described(v.string(), describe('Algorithm: `ecdsa` or `rsa-pss`.', 'ecdsa')),
        hash: described(v.optional(v.string()), describe('Hash function: always `sha-256`.', 'sha-256')),
        saltLength: described(
          v.optional(v.number()),
          describe('Length of the salt in bytes (`rsa-pss`).', 32),
        ),
        namedCurve: described(
          v.optional(v.string()),
          describe('Elliptic curve. Only with `ecdsa`.', 'P-256'),
        ),
      }),
      describe('Algorithm of the signature.'),
      sample('name', 'hash', 'namedCurve'),
    ),
  }),
  describe(
    'Evidence that a device key of the user approved this data. Anyone can verify it without the service.',
  ),
);

/** Request that registers a device key. The domain layer validates the key, so that errors can say what is wrong with it. */
export const CreateDeviceKeyBody = v.object({
  public_key: described(
    v.looseObject({
      kty: described(
        v.pipe(v.string(), maxCharacters(ID_MAX)),
        describe('Key type: `EC` (P-256) or `RSA`.', 'EC'),
      ),
    }),
    describe('Public key as a JWK (RFC 7517), without private members.', {
      kty: 'EC',
      crv: 'P-256',
      x: 'f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU',
      y: 'x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0',
    }),
  ),
  name: described(name, describe('Name of the device, to distinguish several.', 'My telephone')),
});
const keyId = describe('ID of the device key.', 'b6RtX0yKq2WmZc8VnJ4hLd');
export const DeviceKeyRecord = described(
  v.object({
    key_id: described(v.string(), keyId),
    name: described(v.string(), describe('Name of the device.', 'My telephone')),
    algorithm: described(v.string(), describe('Algorithm of the key: `ecdsa` or `rsa-pss`.', 'ecdsa')),
    public_key: described(
      v.string(),
      describe('Public key: DER (SPKI) in base64url.', 'MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE'),
    ),
    created_at: described(date, words.registeredAt),
  }),
  describe("A key on a user's device."),
);
export const DeviceKeyPath = v.object({
  keyId: described(id, keyId),
});
export const DeviceKeyResponse = v.object({ result: DeviceKeyRecord });
export const DeviceKeyListResponse = v.object({
  result: described(v.array(DeviceKeyRecord), describe('Device keys of the user.')),
});

/** Request that starts an approval. Without `key_id`, the user may sign with any of their device keys. */
export const StartApprovalBody = v.object({
  user_id: described(id, describe('ID of the user who has to approve.', '8Jz0m2K4q7bYxWv1NcRtLg')),
  approval_data: ApprovalData,
  key_id: described(
    v.optional(id),
    describe(
      'ID of the device key that must sign. Absent: any device key of the user.',
      'b6RtX0yKq2WmZc8VnJ4hLd',
    ),
  ),
});
export const StartApprovalResponse = v.object({
  approval_id: described(v.string(), describe('ID of the approval.', 'Yp3KzW8tRb0XqN5cVm2LfJ')),
  challenge: described(
    v.string(),
    describe('Text that the device signs unchanged.', 'c2FsdA.eyJhbW91bnQiOiIyNS4wMCBFVVIifQ'),
  ),
  expires_in: described(v.pipe(v.number(), v.integer()), describe('Lifetime in seconds.', APPROVAL_SECONDS)),
});

/** Maximum length of a signature in characters: enough for an RSA key of 8,192 bits. */
const SIGNATURE_MAX = 2048;

export const AuthenticateApprovalBody = described(
  v.object({
    approval_id: described(secret, describe('`approval_id` from the start.', 'Yp3KzW8tRb0XqN5cVm2LfJ')),
    key_id: described(id, describe('ID of the device key that signed.', 'b6RtX0yKq2WmZc8VnJ4hLd')),
    signature: described(
      v.pipe(v.string(), v.minLength(1), maxCharacters(SIGNATURE_MAX)),
      describe(
        'Signature of the challenge in base64 or base64url: ECDSA in IEEE P1363 format, or RSA-PSS.',
        'MEUCIQDq0r2xVb7Kz1Yt',
      ),
    ),
    ...loginFields,
  }),
  sample('approval_id', 'key_id', 'signature', 'resource', 'client_attributes'),
);
