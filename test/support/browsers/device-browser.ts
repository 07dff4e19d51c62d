import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import type { TestServer } from '../server/test-server.ts';
import { BrowserJar } from '../tools/browser-jar.ts';

/** Origin of the hosted pages, as if a proxy with TLS were in front of the server. */
export const TLS_ORIGIN = 'https://login.test';

const BINDING_PATH = '/oidc/session/binding';

export interface DeviceKey {
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
}

export const newDeviceKey = (): DeviceKey => generateKeyPairSync('ec', { namedCurve: 'P-256' });
export const newRsaKey = (): DeviceKey => generateKeyPairSync('rsa', { modulusLength: 2048 });

type Json = Readonly<Record<string, unknown>>;
const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Signs a proof as Chromium does. */
export function signProof({ privateKey }: DeviceKey, payload: Json, header: Json = {}): string {
  const isRsa = privateKey.asymmetricKeyType === 'rsa';
  const input = `${encode({ alg: isRsa ? 'RS256' : 'ES256', typ: 'dbsc+jwt', ...header })}.${encode(payload)}`;
  const signature = sign('sha256', Buffer.from(input), { key: privateKey, dsaEncoding: 'ieee-p1363' });
  return `${input}.${signature.toString('base64url')}`;
}

export const toJwk = ({ publicKey }: DeviceKey): Json => ({ ...publicKey.export({ format: 'jwk' }) });

/** Value of a string parameter in a structured header. */
const parameter = (header: string, name: string) =>
  new RegExp(`(?:^|;)${name}="([^"]*)"`).exec(header)?.[1] ?? '';

/** Response of the binding operation, read as a browser reads it. */
export interface BindingAnswer {
  readonly status: number;
  readonly body: Json;
  /** Challenge for the next proof. */
  readonly challenge: string;
}

/** Simulated browser that supports device-bound sessions. It registers and renews only when a test says so. */
export class DeviceBrowser extends BrowserJar {
  readonly #server: TestServer;
  readonly key: DeviceKey;
  /** Header of the last response that offered a registration. */
  offer = '';
  boundSessionId = '';
  challenge = '';

  constructor(server: TestServer, key = newDeviceKey()) {
    super(TLS_ORIGIN);
    this.#server = server;
    this.key = key;
  }

  override async request(address: string, init: RequestInit = {}): Promise<Response> {
    const { href } = new URL(address, TLS_ORIGIN);
    const response = await super.request(href.replace(TLS_ORIGIN, this.#server.url), init);
    this.offer = response.headers.get('secure-session-registration') ?? this.offer;
    return response;
  }

  /** Challenge and session ID of the offered registration, as the payload of its proof. */
  get registration(): { readonly jti: string; readonly authorization: string } {
    return {
      jti: parameter(this.offer, 'challenge'),
      authorization: parameter(this.offer, 'authorization'),
    };
  }

  /** Calls the binding operation with these headers. */
  async call(headers: Readonly<Record<string, string>>): Promise<BindingAnswer> {
    const response = await this.request(BINDING_PATH, { method: 'POST', headers });
    const challenge = /^"([^"]*)"/.exec(response.headers.get('secure-session-challenge') ?? '')?.[1] ?? '';
    return { status: response.status, body: (await response.json()) as Json, challenge };
  }

  /** Registers the key for the session of the last login. */
  async register(proof = signProof(this.key, this.registration, { jwk: toJwk(this.key) })) {
    const answer = await this.call({ 'secure-session-response': proof });
    if (answer.status !== 200) return answer;
    this.boundSessionId = String(answer.body.session_identifier);
    this.challenge = answer.challenge;
    return answer;
  }

  /** Sends a proof, by default a valid one of the last challenge. */
  async renew(proof = signProof(this.key, { jti: this.challenge })): Promise<BindingAnswer> {
    const headers = { 'sec-secure-session-id': this.boundSessionId, 'secure-session-response': proof };
    const answer = await this.call(headers);
    this.challenge = answer.challenge;
    return answer;
  }

  /** Asks for a challenge without a proof, as browsers do before their first renewal. */
  async askChallenge(): Promise<BindingAnswer> {
    const answer = await this.call({ 'sec-secure-session-id': this.boundSessionId });
    this.challenge = answer.challenge;
    return answer;
  }

  /** Name of the bound cookie that this browser has, if any. */
  get boundCookie(): string | undefined {
    return [...this.cookies.keys()].find((name) => name.startsWith('__Host-bound-'));
  }

  /** Copies all cookies into a new browser, as malware does. */
  copyCookies(): DeviceBrowser {
    const thief = new DeviceBrowser(this.#server);
    for (const [name, value] of this.cookies) thief.put(name, value);
    return thief;
  }
}
