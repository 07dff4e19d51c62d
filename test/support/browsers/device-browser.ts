import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { beforeAll } from '@jest/globals';
import type { TestServer } from '../server/test-server.ts';
import { BrowserJar } from '../tools/browser-jar.ts';

/** Hosts of the service, as if a proxy with TLS were in front of the server. */
export const LOGIN_HOST = { origin: 'https://login.test', bindingPath: '/oidc/session/binding' };
export const CONSOLE_HOST = { origin: 'https://console.test', bindingPath: '/session/binding' };
export const TLS_ORIGINS = { publicOrigin: LOGIN_HOST.origin, consoleOrigin: CONSOLE_HOST.origin };

/** Sends requests for the two hosts to the server, also those that the console makes. */
export function useTlsHosts(server: TestServer): void {
  const direct = globalThis.fetch;
  beforeAll(() => {
    const toLocal = (url: string) =>
      url.replace(LOGIN_HOST.origin, server.url).replace(CONSOLE_HOST.origin, server.consoleUrl);
    globalThis.fetch = (target, init) => direct(toLocal(String(target)), init);
  });
}

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
  readonly #host: typeof LOGIN_HOST;
  readonly key: DeviceKey;
  /** Header of the last response that offered a registration. */
  offer = '';
  boundSessionId = '';
  challenge = '';

  constructor({ key = newDeviceKey(), host = LOGIN_HOST } = {}) {
    super(host.origin);
    this.#host = host;
    this.key = key;
  }

  override async request(address: string, init: RequestInit = {}): Promise<Response> {
    const response = await super.request(address, init);
    this.offer = response.headers.get('secure-session-registration') ?? this.offer;
    return response;
  }

  /** Challenge and session ID of the offered registration, as the payload of its proof. */
  get registration() {
    const [jti, authorization] = [parameter(this.offer, 'challenge'), parameter(this.offer, 'authorization')];
    return { jti, authorization };
  }

  /** Calls the binding operation with these headers. */
  async call(headers: Readonly<Record<string, string>>): Promise<BindingAnswer> {
    const response = await this.request(this.#host.bindingPath, { method: 'POST', headers });
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
  askChallenge(): Promise<BindingAnswer> {
    return this.renew('');
  }

  /** Name of the bound cookie that this browser has, if any. */
  get boundCookie(): string | undefined {
    return [...this.cookies.keys()].find((name) => name.startsWith('__Host-bound-'));
  }

  /** Copies all cookies into a new browser, as malware does. */
  copyCookies(): DeviceBrowser {
    const thief = new DeviceBrowser({ host: this.#host });
    for (const [name, value] of this.cookies) thief.put(name, value);
    return thief;
  }
}

/** Returns the cookie and the URL with which a browser continues the login of the demo operator at the console. */
export async function readConsoleEntry({ url }: TestServer) {
  const { headers } = await fetch(`${url}/_local/console`, { redirect: 'manual' });
  const [, name = '', value = ''] = /^([^=]+)=([^;]+)/.exec(headers.getSetCookie()[0] ?? '') ?? [];
  return { name, value, location: headers.get('location') ?? '' };
}

/** Logs the demo operator in at the console with a new browser. */
export async function enterConsole(server: TestServer): Promise<DeviceBrowser> {
  const browser = new DeviceBrowser({ host: CONSOLE_HOST });
  const { name, value, location } = await readConsoleEntry(server);
  browser.put(name, value);
  await browser.open(location);
  return browser;
}
