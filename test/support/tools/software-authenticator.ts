import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { isoCBOR } from '@simplewebauthn/server/helpers';

// Emulates a WebAuthn authenticator (WebAuthn L3 §6). Tests can make the authenticator violate the protocol.

const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
const BACKUP_ELIGIBLE = 0x08;
const BACKED_UP = 0x10;
const ATTESTED = 0x40;

export const FLAGS = { USER_PRESENT, USER_VERIFIED, BACKUP_ELIGIBLE, BACKED_UP };
const GOOD_FLAGS = USER_PRESENT | USER_VERIFIED | BACKUP_ELIGIBLE | BACKED_UP;

export interface SoftwarePasskey {
  readonly id: Buffer;
  readonly privateKey: KeyObject;
  readonly coseKey: Buffer;
  readonly alg: -7 | -8 | -257;
  userHandle: string;
  readonly rpId: string;
  count: number;
}

/** Values of a WebAuthn ceremony that a test replaces with wrong values. */
export interface Deviation {
  readonly origin?: string;
  readonly rpId?: string;
  readonly challenge?: string;
  readonly type?: string;
  readonly flags?: number;
  readonly count?: number;
  readonly userHandle?: string | null;
  readonly signature?: Buffer;
  readonly client?: Readonly<Record<string, unknown>>;
  readonly format?: 'base64' | 'base64url';
}

const fromBase64 = (text: string): Buffer => Buffer.from(text, 'base64');
const sha256 = (data: string | Buffer): Buffer => createHash('sha256').update(data).digest();

function newKeyPair(alg: SoftwarePasskey['alg']): {
  privateKey: KeyObject;
  cose: Map<number, number | Buffer>;
} {
  const pair =
    alg === -7
      ? generateKeyPairSync('ec', { namedCurve: 'P-256' })
      : alg === -8
        ? generateKeyPairSync('ed25519')
        : generateKeyPairSync('rsa', { modulusLength: 2048 });
  const jwk = pair.publicKey.export({ format: 'jwk' });
  const part = (name: 'x' | 'y' | 'n' | 'e') => Buffer.from(String(jwk[name]), 'base64url');
  const members: readonly (readonly [number, number | Buffer])[] =
    alg === -7
      ? [
          [1, 2],
          [3, alg],
          [-1, 1],
          [-2, part('x')],
          [-3, part('y')],
        ]
      : alg === -8
        ? [
            [1, 1],
            [3, alg],
            [-1, 6],
            [-2, part('x')],
          ]
        : [
            [1, 3],
            [3, alg],
            [-1, part('n')],
            [-2, part('e')],
          ];
  return { privateKey: pair.privateKey, cose: new Map(members) };
}

const cbor = (value: unknown): Buffer => Buffer.from(isoCBOR.encode(value as never));
/** Copies a Buffer to a Uint8Array of this VM context, which the CBOR encoder requires. */
const plain = (data: Buffer): Uint8Array => Uint8Array.from(data);

function clientData(type: string, challenge: string, origin: string, deviation: Deviation): Buffer {
  const data = {
    type: deviation.type ?? type,
    challenge: deviation.challenge ?? fromBase64(challenge).toString('base64url'),
    origin: deviation.origin ?? origin,
    crossOrigin: false,
    ...deviation.client,
  };
  return Buffer.from(JSON.stringify(data));
}

function authenticatorData(
  rpId: string,
  flags: number,
  count: number,
  attested: Buffer = Buffer.alloc(0),
): Buffer {
  const counter = Buffer.alloc(4);
  counter.writeUInt32BE(count);
  return Buffer.concat([sha256(rpId), Buffer.from([flags]), counter, attested]);
}

/** Encodes the result of a ceremony as the value of `webauthn_encoded_result`. */
function encodedResult(
  sessionId: string,
  id: Buffer,
  response: object,
  { format = 'base64url' }: Deviation,
): string {
  const publicKeyCredential = {
    id: id.toString('base64url'),
    rawId: id.toString(format),
    type: 'public-key',
    response,
    clientExtensionResults: {},
  };
  const result = { webauthnSessionId: sessionId, publicKeyCredential, userAgent: 'Software/1.0' };
  return Buffer.from(JSON.stringify(result)).toString('base64');
}

interface CreationAnswer {
  readonly webauthn_session_id: string;
  readonly credential_creation_options: {
    readonly rp: { readonly id: string };
    readonly user: { readonly id: string };
    readonly challenge: string;
  };
}

/** Creates a passkey for WebAuthn creation options. Returns the passkey and the result to submit. */
export function createPasskey(
  { webauthn_session_id, credential_creation_options: options }: CreationAnswer,
  origin: string,
  deviation: Deviation & { readonly alg?: SoftwarePasskey['alg']; readonly id?: Buffer } = {},
): { readonly passkey: SoftwarePasskey; readonly result: string } {
  const { alg = -7, id = randomBytes(32), format = 'base64url' } = deviation;
  const { privateKey, cose } = newKeyPair(alg);
  const members = [...cose].map(
    ([label, value]) => [label, Buffer.isBuffer(value) ? plain(value) : value] as const,
  );
  const coseKey = cbor(new Map(members));
  const length = Buffer.alloc(2);
  length.writeUInt16BE(id.length);
  const attested = Buffer.concat([Buffer.alloc(16), length, id, coseKey]);
  const { count = 0, flags = GOOD_FLAGS } = deviation;
  const data = authenticatorData(deviation.rpId ?? options.rp.id, flags | ATTESTED, count, attested);
  const attestation = cbor(
    new Map<string, unknown>([
      ['fmt', 'none'],
      ['attStmt', new Map()],
      ['authData', plain(data)],
    ]),
  );
  const response = {
    clientDataJSON: clientData('webauthn.create', options.challenge, origin, deviation).toString(format),
    attestationObject: attestation.toString(format),
    transports: ['internal', 'hybrid'],
  };
  const userHandle = fromBase64(options.user.id).toString('base64url');
  return {
    passkey: { id, privateKey, coseKey, alg, userHandle, rpId: options.rp.id, count },
    result: encodedResult(webauthn_session_id, id, response, deviation),
  };
}

interface RequestAnswer {
  readonly webauthn_session_id: string;
  readonly credential_request_options: { readonly challenge: string };
}

/** Signs WebAuthn request options with a passkey. Increases the signature counter, unless the counter is always 0. */
export function usePasskey(
  passkey: SoftwarePasskey,
  { webauthn_session_id, credential_request_options: options }: RequestAnswer,
  origin: string,
  deviation: Deviation = {},
): string {
  const { format = 'base64url', flags = GOOD_FLAGS } = deviation;
  if (deviation.count !== undefined) passkey.count = deviation.count;
  else if (passkey.count > 0) passkey.count += 1;
  const client = clientData('webauthn.get', options.challenge, origin, deviation);
  const data = authenticatorData(deviation.rpId ?? passkey.rpId, flags, passkey.count);
  const signed = Buffer.concat([data, sha256(client)]);
  const signature =
    deviation.signature ?? sign(passkey.alg === -8 ? null : 'sha256', signed, passkey.privateKey);
  const userHandle = deviation.userHandle === undefined ? passkey.userHandle : deviation.userHandle;
  const response = {
    clientDataJSON: client.toString(format),
    authenticatorData: data.toString(format),
    signature: signature.toString(format),
    userHandle: userHandle === null ? null : Buffer.from(userHandle, 'base64url').toString(format),
  };
  return encodedResult(webauthn_session_id, passkey.id, response, deviation);
}
