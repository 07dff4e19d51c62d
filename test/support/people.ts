import type { World } from './world.ts';

/** A user as the HTTP API answers it, as far as tests look. */
export interface WireUser {
  readonly user_id: string;
  readonly status: string;
  readonly email?: { readonly value: string; readonly email_verified: boolean };
  readonly phone_number?: { readonly value: string; readonly phone_number_verified: boolean };
  readonly last_auth?: string;
}

let made = 0;

/** Somebody nobody else in this file is: rate limits and locks of one test never reach another. */
export function newEmail(name = 'user'): string {
  made += 1;
  return `${name}.${made}@example.com`;
}

/** A number of the range that is reserved for fiction in every area. */
export function newPhoneNumber(): string {
  made += 1;
  return `+1${201 + Math.floor(made / 100)}55501${String(made % 100).padStart(2, '0')}`;
}

export async function createUser(world: World, fields: Readonly<Record<string, unknown>>): Promise<WireUser> {
  const token = await world.clientToken();
  const answer = await world.post<{ result: WireUser }>('/v1/users', fields, { token });
  if (answer.status !== 201) throw new Error(`user not created: ${JSON.stringify(answer.body)}`);
  return answer.body.result;
}

export async function findUser(world: World, userId: string): Promise<WireUser> {
  const token = await world.clientToken();
  return (await world.get<{ result: WireUser }>(`/v1/users/${userId}`, { token })).body.result;
}
