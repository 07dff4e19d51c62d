import * as v from 'valibot';
import { CLIENT_ID_MAX, EXTERNAL_ID_MAX, NAME_MAX } from '../domain/basis/limits.ts';
import {
  ApprovalData,
  ClaimsRequest,
  ClientAttributes,
  deviceId,
  identifier,
  secret,
  uri,
} from './login-fields.ts';
import { maxCharacters } from './max-characters.ts';

/** Passkeys and what is signed with them, or with the keys of devices. */

/** A result with an attestation is some KB; what is longer is none. */
export const PASSKEY_RESULT_MAX = 60_000;
const ID_MAX = 64;
/** 1023 bytes in base64, with its padding. */
const CREDENTIAL_ID_MAX = 1400;

const id = v.pipe(v.string(), v.minLength(1), maxCharacters(ID_MAX));
const name = v.pipe(v.string(), v.minLength(1), maxCharacters(NAME_MAX));
const encodedResult = v.pipe(v.string(), v.minLength(1), maxCharacters(PASSKEY_RESULT_MAX));
const date = v.pipe(v.string(), v.isoTimestamp());
const texts = v.record(v.string(), v.string());

/** SPEC "Passkey signing artifacts". */
export const PasskeyArtifacts = v.object({
  approval_data: texts,
  approval_type: v.optional(v.string()),
  public_key: v.string(),
  signature: v.string(),
  credential_id: v.string(),
  webauthn_session_id: v.string(),
  authenticator_data: v.string(),
  client_data_json: v.string(),
  raw_challenge: v.string(),
});

/** SPEC "Crypto-key signing artifacts", "Algorithm object". */
export const CryptoKeyArtifacts = v.object({
  approval_data: texts,
  approval_type: v.optional(v.string()),
  public_key: v.string(),
  signature: v.string(),
  challenge: v.string(),
  algorithm: v.object({
    name: v.string(),
    hash: v.optional(v.string()),
    saltLength: v.optional(v.number()),
    namedCurve: v.optional(v.string()),
  }),
});

/** With a user token the user is its own; a client names one. */
export const StartPasskeyRegistrationBody = v.object({
  user_id: v.optional(id),
  username: v.optional(name),
  display_name: v.optional(name),
});

const credentialList = v.array(
  v.object({
    type: v.literal('public-key'),
    id: v.string(),
    transports: v.optional(v.array(v.string())),
  }),
);

/** Binary fields are in standard base64. */
export const StartPasskeyRegistrationResponse = v.object({
  webauthn_session_id: v.string(),
  credential_creation_options: v.object({
    rp: v.object({ id: v.string(), name: v.string() }),
    user: v.object({ id: v.string(), name: v.string(), displayName: v.string() }),
    challenge: v.string(),
    pubKeyCredParams: v.array(v.object({ type: v.literal('public-key'), alg: v.number() })),
    timeout: v.number(),
    excludeCredentials: credentialList,
    authenticatorSelection: v.object({
      residentKey: v.literal('required'),
      requireResidentKey: v.boolean(),
      userVerification: v.literal('required'),
    }),
    attestation: v.literal('none'),
  }),
});

/** `webauthn_encoded_result`: base64 of JSON `{webauthnSessionId, publicKeyCredential, userAgent}`. */
export const RegisterPasskeyBody = v.object({ webauthn_encoded_result: encodedResult });

export const RegisterPasskeyResponse = v.object({
  credential_id: v.string(),
  user_id: v.string(),
  user_identifier: v.string(),
  external_user_id: v.optional(v.string()),
});

export const HintPasskeyRegistrationBody = v.object({
  webauthn_identifier: identifier,
  redirect_uri: uri,
  external_user_id: v.optional(v.pipe(v.string(), v.minLength(1), maxCharacters(EXTERNAL_ID_MAX))),
});

export const HintPasskeyRegistrationResponse = v.object({ register_webauthn_cred_token: v.string() });

export const StartPasskeyLoginBody = v.object({
  client_id: v.pipe(v.string(), v.minLength(1), maxCharacters(CLIENT_ID_MAX)),
  username: v.optional(identifier),
  approval_data: v.optional(ApprovalData),
});

/** Binary fields are in standard base64. */
export const StartPasskeyLoginResponse = v.object({
  webauthn_session_id: v.string(),
  credential_request_options: v.object({
    challenge: v.string(),
    rpId: v.string(),
    timeout: v.number(),
    allowCredentials: credentialList,
    userVerification: v.literal('required'),
  }),
});

const loginFields = {
  resource: v.optional(uri),
  claims: v.optional(ClaimsRequest),
  org_id: v.optional(identifier),
  client_attributes: v.optional(ClientAttributes),
  device_id: v.optional(deviceId),
  session_id: v.optional(secret),
};

export const AuthenticatePasskeyBody = v.object({ webauthn_encoded_result: encodedResult, ...loginFields });

export const PasskeyRecord = v.object({
  credential_id: v.string(),
  name: v.optional(v.string()),
  rp_id: v.string(),
  aaguid: v.string(),
  transports: v.array(v.string()),
  backup_eligible: v.boolean(),
  backed_up: v.boolean(),
  created_at: date,
  last_used_at: v.optional(date),
});
export type PasskeyRecord = v.InferOutput<typeof PasskeyRecord>;

export const OwnPasskeyPath = v.object({
  credentialId: v.pipe(v.string(), v.minLength(1), maxCharacters(CREDENTIAL_ID_MAX)),
});
export const PasskeyPath = v.object({ userId: id, ...OwnPasskeyPath.entries });
export const RenamePasskeyBody = v.object({ name });
export const PasskeyResponse = v.object({ result: PasskeyRecord });
export const PasskeyListResponse = v.object({ result: v.array(PasskeyRecord) });

/** WebAuthn L3 §5.11. */
export const RelatedOriginsResponse = v.object({ origins: v.array(v.string()) });

/** Read by the domain, which says what is wrong with a key. */
export const CreateDeviceKeyBody = v.object({
  public_key: v.looseObject({ kty: v.pipe(v.string(), maxCharacters(ID_MAX)) }),
  name,
});
export const DeviceKeyRecord = v.object({
  key_id: v.string(),
  name: v.string(),
  algorithm: v.string(),
  public_key: v.string(),
  created_at: date,
});
export const DeviceKeyPath = v.object({ keyId: id });
export const DeviceKeyResponse = v.object({ result: DeviceKeyRecord });
export const DeviceKeyListResponse = v.object({ result: v.array(DeviceKeyRecord) });

/** Without `key_id` any key of the user may sign. */
export const StartApprovalBody = v.object({
  user_id: id,
  approval_data: ApprovalData,
  key_id: v.optional(id),
});
export const StartApprovalResponse = v.object({
  approval_id: v.string(),
  challenge: v.string(),
  expires_in: v.pipe(v.number(), v.integer()),
});

/** The longest signature is that of an RSA key of 8192 bits. */
const SIGNATURE_MAX = 2048;

export const AuthenticateApprovalBody = v.object({
  approval_id: secret,
  key_id: id,
  signature: v.pipe(v.string(), v.minLength(1), maxCharacters(SIGNATURE_MAX)),
  ...loginFields,
});
