import { invalidInput, ServiceError } from '../../errors/service-error.ts';
import { toBase64url } from '../basis/base64.ts';

/** Result of a WebAuthn ceremony in the browser. Binary fields are base64url. */
export interface WebauthnResult<Response> {
  readonly sessionId: string;
  readonly credentialId: string;
  readonly type: string;
  readonly response: Response;
  readonly userAgent?: string;
}

export interface AttestationResponse {
  readonly clientDataJSON: string;
  readonly attestationObject: string;
  readonly transports: readonly string[];
}

export interface AssertionResponse {
  readonly clientDataJSON: string;
  readonly authenticatorData: string;
  readonly signature: string;
  readonly userHandle?: string;
}

type Fields = Readonly<Record<string, unknown>>;

function readObject(value: unknown, name: string): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw invalidInput(`webauthn_encoded_result: ${name} must be an object`);
  return value as Fields;
}

function binary(fields: Fields, name: string): string {
  const normalised = toBase64url(fields[name]);
  if (!normalised) throw invalidInput(`webauthn_encoded_result: ${name} must be base64`);
  return normalised;
}

function decode(encoded: string): Fields {
  const text = toBase64url(encoded);
  if (text === undefined) throw invalidInput('webauthn_encoded_result: must be base64');
  try {
    return readObject(JSON.parse(Buffer.from(text, 'base64url').toString('utf8')), 'its JSON');
  } catch (error) {
    if (error instanceof ServiceError) throw error;
    throw invalidInput('webauthn_encoded_result: must be JSON in base64');
  }
}

const USER_AGENT_MAX = 2048;

function readResult<Response>(
  encoded: string,
  readResponse: (response: Fields) => Response,
): WebauthnResult<Response> {
  const result = decode(encoded);
  const { webauthnSessionId: sessionId, userAgent } = result;
  if (typeof sessionId !== 'string' || sessionId === '')
    throw invalidInput('webauthn_encoded_result: webauthnSessionId must be a string');
  const credential = readObject(result.publicKeyCredential, 'publicKeyCredential');
  // `id` and `rawId` are the same bytes, and some libraries set only one of them.
  const credentialId = binary(credential, credential.rawId === undefined ? 'id' : 'rawId');
  if (credential.id !== undefined && toBase64url(credential.id) !== credentialId)
    throw invalidInput('webauthn_encoded_result: id and rawId must be the same');
  return {
    sessionId,
    credentialId,
    type: String(credential.type),
    response: readResponse(readObject(credential.response, 'response')),
    ...(typeof userAgent === 'string' ? { userAgent: userAgent.slice(0, USER_AGENT_MAX) } : {}),
  };
}

const TRANSPORT = /^[a-z-]{1,32}$/;

/** Reads the transports of a passkey. Unknown transports are kept, for future authenticators (WebAuthn L3 §5.8.4). */
function readTransports(given: unknown): readonly string[] {
  const texts = Array.isArray(given) ? given.filter((one) => typeof one === 'string') : [];
  return [...new Set(texts.filter((one) => TRANSPORT.test(one)))].slice(0, 10);
}

/** Reads the result of a registration (WebAuthn L3 §5.1) from base64 JSON. Errors: `system_invalid_input`. */
export function readRegistration(encoded: string): WebauthnResult<AttestationResponse> {
  return readResult(encoded, (response) => ({
    clientDataJSON: binary(response, 'clientDataJSON'),
    attestationObject: binary(response, 'attestationObject'),
    transports: readTransports(response.transports),
  }));
}

/** Reads the result of an authentication (WebAuthn L3 §5.1) from base64 JSON. Errors: `system_invalid_input`. */
export function readAuthentication(encoded: string): WebauthnResult<AssertionResponse> {
  return readResult(encoded, (response) => ({
    clientDataJSON: binary(response, 'clientDataJSON'),
    authenticatorData: binary(response, 'authenticatorData'),
    signature: binary(response, 'signature'),
    ...(response.userHandle === undefined || response.userHandle === null
      ? {}
      : { userHandle: binary(response, 'userHandle') }),
  }));
}
