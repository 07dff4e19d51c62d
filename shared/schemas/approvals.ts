import * as v from 'valibot';
import { APPROVAL_SECONDS, NAME_MAX } from '../domain/basis/limits.ts';
import { described, doc, sample } from './fields/described.ts';
import { ApprovalData, loginFields, secret } from './fields/login.ts';
import { maxCharacters } from './fields/max-characters.ts';
import * as words from './fields/words.ts';

/** Keys of devices, and what was signed with them or with passkeys. */

const ID_MAX = 64;

const id = v.pipe(v.string(), v.minLength(1), maxCharacters(ID_MAX));
const name = v.pipe(v.string(), v.minLength(1), maxCharacters(NAME_MAX));
const date = v.pipe(v.string(), v.isoTimestamp());
const texts = v.record(v.string(), v.string());

const approvalFields = {
  approval_data: described(texts, doc('What the user approved, flat.', words.approvalData)),
  approval_type: described(
    v.optional(v.string()),
    doc('The type of the approval, where the request named one.', 'money_transfer'),
  ),
  public_key: described(
    v.string(),
    doc('The public key that signed: DER (SPKI) in base64url.', 'MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE'),
  ),
  signature: described(v.string(), doc('The signature, in base64url.', 'MEUCIQDq0r2x')),
};

/** SPEC "Passkey signing artifacts". */
export const PasskeyArtifacts = described(
  v.object({
    ...approvalFields,
    credential_id: described(v.string(), words.credentialId),
    webauthn_session_id: described(
      v.string(),
      doc('The ID of the ceremony that the passkey signed in.', 'Q4zT7mXb2RkYc9WvN0hLfJ'),
    ),
    authenticator_data: described(
      v.string(),
      doc(
        'What the authenticator said (WebAuthn §6.1), in base64url.',
        'SZYN5YgOjGh0NBcPZHZgW4_krrmihjLHmVzzuoMdl2MFAAAAAQ',
      ),
    ),
    client_data_json: described(
      v.string(),
      doc(
        'What the browser wrote down and the passkey signed, in base64url.',
        'eyJ0eXBlIjoid2ViYXV0aG4uZ2V0In0',
      ),
    ),
    raw_challenge: described(
      v.string(),
      doc(
        'The challenge before its SHA-256 was taken; it carries `approval_data`.',
        'c2FsdA.eyJhbW91bnQiOiIyNS4wMCBFVVIifQ',
      ),
    ),
  }),
  doc('Proves to anyone, without this service, that a passkey of the user approved this data.'),
);

/** SPEC "Crypto-key signing artifacts", "Algorithm object". */
export const CryptoKeyArtifacts = described(
  v.object({
    ...approvalFields,
    challenge: described(
      v.string(),
      doc(
        'The challenge that was signed; it carries `approval_data`.',
        'c2FsdA.eyJhbW91bnQiOiIyNS4wMCBFVVIifQ',
      ),
    ),
    algorithm: described(
      v.object({
        name: described(v.string(), doc('The algorithm: `ecdsa` or `rsa-pss`.', 'ecdsa')),
        hash: described(v.optional(v.string()), doc('The hash: always `sha-256`.', 'sha-256')),
        saltLength: described(
          v.optional(v.number()),
          doc('The length of the salt in bytes. Only with `rsa-pss`.', 32),
        ),
        namedCurve: described(v.optional(v.string()), doc('The curve. Only with `ecdsa`.', 'P-256')),
      }),
      doc('How the key signed.'),
      sample('name', 'hash', 'namedCurve'),
    ),
  }),
  doc('Proves to anyone, without this service, that a device key of the user approved this data.'),
);

/** Read by the domain, which says what is wrong with a key. */
export const CreateDeviceKeyBody = v.object({
  public_key: described(
    v.looseObject({
      kty: described(
        v.pipe(v.string(), maxCharacters(ID_MAX)),
        doc('The type of the key: `EC` (P-256) or `RSA`.', 'EC'),
      ),
    }),
    doc('The public key as a JWK (RFC 7517), without private members.', {
      kty: 'EC',
      crv: 'P-256',
      x: 'f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU',
      y: 'x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0',
    }),
  ),
  name: described(name, doc('The name of the device, to tell several apart.', 'My telephone')),
});
const keyId = doc('The ID of the key.', 'b6RtX0yKq2WmZc8VnJ4hLd');
export const DeviceKeyRecord = described(
  v.object({
    key_id: described(v.string(), keyId),
    name: described(v.string(), doc('The name of the device.', 'My telephone')),
    algorithm: described(v.string(), doc('How the key signs: `ecdsa` or `rsa-pss`.', 'ecdsa')),
    public_key: described(
      v.string(),
      doc('The public key: DER (SPKI) in base64url.', 'MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE'),
    ),
    created_at: described(date, words.registeredAt),
  }),
  doc("The key of a user's device."),
);
export const DeviceKeyPath = v.object({
  keyId: described(id, keyId),
});
export const DeviceKeyResponse = v.object({ result: DeviceKeyRecord });
export const DeviceKeyListResponse = v.object({
  result: described(v.array(DeviceKeyRecord), doc('The device keys of the user.')),
});

/** Without `key_id` any key of the user may sign. */
export const StartApprovalBody = v.object({
  user_id: described(id, doc('The user who is to approve.', '8Jz0m2K4q7bYxWv1NcRtLg')),
  approval_data: ApprovalData,
  key_id: described(
    v.optional(id),
    doc('The key that has to sign. Absent: any device key of the user.', 'b6RtX0yKq2WmZc8VnJ4hLd'),
  ),
});
export const StartApprovalResponse = v.object({
  approval_id: described(
    v.string(),
    doc('The ID of the approval, for the answer.', 'Yp3KzW8tRb0XqN5cVm2LfJ'),
  ),
  challenge: described(
    v.string(),
    doc('The text that the device signs, as it is.', 'c2FsdA.eyJhbW91bnQiOiIyNS4wMCBFVVIifQ'),
  ),
  expires_in: described(
    v.pipe(v.number(), v.integer()),
    doc('How long it can be signed, in seconds.', APPROVAL_SECONDS),
  ),
});

/** The longest signature is that of an RSA key of 8192 bits. */
const SIGNATURE_MAX = 2048;

export const AuthenticateApprovalBody = described(
  v.object({
    approval_id: described(secret, doc('The ID that the start answered with.', 'Yp3KzW8tRb0XqN5cVm2LfJ')),
    key_id: described(id, doc('The key that signed.', 'b6RtX0yKq2WmZc8VnJ4hLd')),
    signature: described(
      v.pipe(v.string(), v.minLength(1), maxCharacters(SIGNATURE_MAX)),
      doc(
        'The signature of the challenge in base64 or base64url: of ECDSA in the form of IEEE P1363, or RSA-PSS.',
        'MEUCIQDq0r2xVb7Kz1Yt',
      ),
    ),
    ...loginFields,
  }),
  sample('approval_id', 'key_id', 'signature', 'resource', 'client_attributes'),
);
