// Verifies signing artifacts as their recipient would: with WebCrypto and only public data. Imports nothing from the service.

/** Artifacts of a signed approval, as the API returns them. */
export interface Artifacts {
  readonly approval_data: Readonly<Record<string, string>>;
  readonly public_key: string;
  readonly signature: string;
  readonly raw_challenge?: string;
  readonly client_data_json?: string;
  readonly authenticator_data?: string;
  readonly challenge?: string;
  readonly algorithm?: { readonly name: string; readonly saltLength?: number };
}

const { subtle } = globalThis.crypto;
const decode = (text = ''): Uint8Array<ArrayBuffer> => new Uint8Array(Buffer.from(text, 'base64url'));
const utf8 = (text = ''): Uint8Array<ArrayBuffer> => new Uint8Array(Buffer.from(text, 'utf8'));
const sha256 = async (data: Uint8Array<ArrayBuffer>) => new Uint8Array(await subtle.digest('SHA-256', data));

/** Serialises a flat object of texts in canonical JSON (RFC 8785). */
function canonical(data: Readonly<Record<string, string>>): string {
  return JSON.stringify(
    Object.fromEntries(Object.entries(data).sort(([one], [other]) => (one < other ? -1 : 1))),
  );
}

function hasIdentifier(challenge: string | undefined, data: Artifacts['approval_data']): boolean {
  return Buffer.from(decode(challenge?.split('.')[1])).toString('utf8') === canonical(data);
}

const EC = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const RSA = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' };
const PSS = { name: 'RSA-PSS', hash: 'SHA-256', saltLength: 32 };
const ED = { name: 'Ed25519' };

/** Beginnings of a DER-encoded SubjectPublicKeyInfo, each with the key algorithm that it identifies. */
const SPKI: readonly (readonly [string, typeof EC | typeof RSA | typeof ED])[] = [
  ['3059301306072a8648ce3d020106082a8648ce3d030107', EC],
  ['302a300506032b6570', ED],
];

/** Returns r and s of a DER-encoded signature, with 32 bytes each. */
function fromDer(der: Uint8Array): Uint8Array<ArrayBuffer> {
  const [, , , length = 0] = der;
  const parts = [der.subarray(4, 4 + length), der.subarray(6 + length)];
  const fixed = parts.map((part) => Buffer.from(part).toString('hex').padStart(64, '0').slice(-64));
  return new Uint8Array(Buffer.from(fixed.join(''), 'hex'));
}

async function signatureHolds(
  spki: Uint8Array<ArrayBuffer>,
  algorithm: { readonly name: string },
  signature: Uint8Array<ArrayBuffer>,
  data: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  const key = await subtle.importKey('spki', spki, algorithm, false, ['verify']);
  return subtle.verify(algorithm, key, signature, data);
}

export async function verifiesArtifacts(artifacts: Artifacts): Promise<boolean> {
  const spki = decode(artifacts.public_key);
  const signature = decode(artifacts.signature);
  if (artifacts.raw_challenge === undefined) {
    const algorithm = artifacts.algorithm?.name === 'ecdsa' ? EC : PSS;
    const holds = await signatureHolds(spki, algorithm, signature, utf8(artifacts.challenge));
    return holds && hasIdentifier(artifacts.challenge, artifacts.approval_data);
  }
  const clientData = decode(artifacts.client_data_json);
  const { challenge } = JSON.parse(Buffer.from(clientData).toString('utf8'));
  const expected = Buffer.from(await sha256(utf8(artifacts.raw_challenge))).toString('base64url');
  if (challenge !== expected || !hasIdentifier(artifacts.raw_challenge, artifacts.approval_data))
    return false;
  const hex = Buffer.from(spki).toString('hex');
  const algorithm = SPKI.find(([begin]) => hex.startsWith(begin))?.[1] ?? RSA;
  const signed = Buffer.concat([decode(artifacts.authenticator_data), await sha256(clientData)]);
  const bare = algorithm === EC ? fromDer(signature) : signature;
  return signatureHolds(spki, algorithm, bare, new Uint8Array(signed));
}
