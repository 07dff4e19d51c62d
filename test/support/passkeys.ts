import { createUser, newEmail, type WireUser } from './people.ts';
import { createPasskey, type Deviation, type SoftwarePasskey, usePasskey } from './software-authenticator.ts';
import type { TokenResponse } from './tokens.ts';
import type { World, WorldAnswer } from './world.ts';

/** People with passkeys, through the HTTP API alone. */

export interface Person {
  readonly user: WireUser;
  readonly email: string;
  /** Of a login by a code. */
  readonly tokens: TokenResponse;
}

export async function loginByCode(world: World, userId: string): Promise<TokenResponse> {
  const token = await world.clientToken();
  const who = { identifier_type: 'user_id', identifier: userId };
  const sent = await world.post<{ code: string }>(
    '/v1/auth/otp/send',
    { channel: 'direct', ...who },
    { token },
  );
  const answer = await world.post<TokenResponse>(
    '/v1/auth/otp/authenticate',
    { passcode: sent.body.code, ...who },
    { token },
  );
  if (answer.status !== 200) throw new Error(`no login: ${JSON.stringify(answer.body)}`);
  return answer.body;
}

export async function newPerson(world: World): Promise<Person> {
  const email = newEmail('passkey');
  const user = await createUser(world, { email });
  return { user, email, tokens: await loginByCode(world, user.user_id) };
}

export const originOf = (world: World): string => new URL(world.environment.base_url).origin;

export interface CreationAnswer {
  readonly webauthn_session_id: string;
  readonly credential_creation_options: {
    readonly rp: { readonly id: string; readonly name: string };
    readonly user: { readonly id: string; readonly name: string; readonly displayName: string };
    readonly challenge: string;
    readonly excludeCredentials: readonly { readonly id: string }[];
    readonly pubKeyCredParams: readonly { readonly alg: number }[];
  };
}

export async function startRegistration(world: World, { tokens }: Person): Promise<CreationAnswer> {
  const answer = await world.post<CreationAnswer>(
    '/v1/auth/webauthn/register/start',
    {},
    { token: tokens.access_token },
  );
  if (answer.status !== 200) throw new Error(`no registration: ${JSON.stringify(answer.body)}`);
  return answer.body;
}

export function register(world: World, { tokens }: Person, result: string): Promise<WorldAnswer<Registered>> {
  return world.post<Registered>(
    '/v1/auth/webauthn/register',
    { webauthn_encoded_result: result },
    { token: tokens.access_token },
  );
}

export interface Registered {
  readonly credential_id: string;
  readonly user_id: string;
  readonly user_identifier: string;
}

export async function registerPasskey(
  world: World,
  person: Person,
  deviation: Parameters<typeof createPasskey>[2] = {},
): Promise<SoftwarePasskey> {
  const made = createPasskey(await startRegistration(world, person), originOf(world), deviation);
  const answer = await register(world, person, made.result);
  if (answer.status !== 200) throw new Error(`not registered: ${JSON.stringify(answer.body)}`);
  return made.passkey;
}

type Fields = Readonly<Record<string, unknown>>;

export interface RequestAnswer {
  readonly webauthn_session_id: string;
  readonly credential_request_options: {
    readonly challenge: string;
    readonly rpId: string;
    readonly allowCredentials: readonly unknown[];
    readonly userVerification: string;
  };
}

export function startLogin(
  world: World,
  fields: Fields = {},
  headers: Readonly<Record<string, string>> = {},
): Promise<WorldAnswer<RequestAnswer>> {
  const json = { client_id: world.environment.client_id, ...fields };
  return world.post<RequestAnswer>('/v1/auth/webauthn/authenticate/start', json, { headers });
}

export interface SignedTokens extends TokenResponse {
  readonly signing_artifacts?: Fields;
}

export async function authenticate(
  world: World,
  result: string,
  fields: Fields = {},
): Promise<WorldAnswer<SignedTokens>> {
  const token = await world.clientToken();
  const json = { webauthn_encoded_result: result, ...fields };
  return world.post<SignedTokens>('/v1/auth/webauthn/authenticate', json, { token });
}

/** A login from start to end. */
export async function login(
  world: World,
  passkey: SoftwarePasskey,
  { start = {}, fields = {}, ...deviation }: Deviation & { start?: Fields; fields?: Fields } = {},
): Promise<WorldAnswer<SignedTokens>> {
  const { status, body } = await startLogin(world, start);
  if (status !== 200) throw new Error(`no challenge: ${status} ${JSON.stringify(body)}`);
  return authenticate(world, usePasskey(passkey, body, originOf(world), deviation), fields);
}
