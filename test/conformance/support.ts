import { generateKeyPair, type KeyObject, webcrypto } from 'node:crypto';
import { promisify } from 'node:util';
import type { Application, Client } from '../../shared/ports/directory.ts';
import { type HostedLogin, hostedLogin, leftTo } from '../support/fixtures/hosted-login.ts';
import { createUser, newEmail } from '../support/fixtures/people.ts';
import { toJwk } from '../support/fixtures/proofs.ts';
import { type StoredApplication, storeApplication } from '../support/fixtures/tenants.ts';
import type { TestServer } from '../support/server/test-server.ts';
import type { BrowserJar } from '../support/tools/browser-jar.ts';

// Setup for tests with third-party client libraries: a client registration, and a person with a browser.

export const REDIRECT_URI = 'https://client.example/callback';
export const POST_LOGOUT_REDIRECT_URI = 'https://client.example/bye';

export function register(
  server: TestServer,
  change: Partial<Client> = {},
  application: Partial<Application> = {},
): Promise<StoredApplication> {
  const uris = { redirectUris: [REDIRECT_URI], postLogoutRedirectUris: [POST_LOGOUT_REDIRECT_URI] };
  return storeApplication(server, { ...uris, ...application }, change);
}

/** Creates a key for client assertions. Returns the key and the registration fields of a client with this key. */
export async function signingClient(): Promise<{
  readonly privateKey: webcrypto.CryptoKey;
  readonly registration: Partial<Client>;
}> {
  const { privateKey, publicKey }: { privateKey: KeyObject; publicKey: KeyObject } = await promisify(
    generateKeyPair,
  )('ec', { namedCurve: 'P-256' });
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256' };
  const pkcs8 = privateKey.export({ format: 'der', type: 'pkcs8' });
  return {
    privateKey: await webcrypto.subtle.importKey('pkcs8', pkcs8, algorithm, false, ['sign']),
    registration: { authMethod: 'private_key_jwt', secrets: [], jwks: { keys: [toJwk(publicKey)] } },
  };
}

export interface Person {
  readonly email: string;
  readonly userId: string;
  readonly jar: BrowserJar;
  /** Opens an authorization request in the person's browser and logs in. Returns the final URL. */
  authorize(address: URL): Promise<URL>;
}

/** Creates a person without an account. */
export function newPerson(server: TestServer): Omit<Person, 'userId'> {
  const login: HostedLogin = hostedLogin(server);
  const email = newEmail();
  const jar = login.browser();
  return {
    email,
    jar,
    async authorize(address) {
      const identify = await jar.open(address.href);
      if (identify.left) return identify.left;
      const code = await identify.submit({ identifier: email, method: 'email' });
      return leftTo(await code.submit({ passcode: await server.codeTo(email) }));
    },
  };
}

export async function newUser(server: TestServer): Promise<Person> {
  const person = newPerson(server);
  const { user_id: userId } = await createUser(server, { email: person.email });
  return { ...person, userId };
}
