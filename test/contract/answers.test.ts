import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { violationsOf } from '../../lib/local/check-answer.ts';
import { PUBLIC_CACHE_SECONDS } from '../../shared/domain/limits.ts';
import type { Operation } from '../../shared/operation.ts';
import { ADDED } from '../support/added-row.ts';
import {
  type AnyAnswer,
  authorized,
  type Call,
  callOf,
  closeWorld,
  type Input,
  rows,
  send,
  smallestInput,
  startExtendedWorld,
} from '../support/calls.ts';
import { createUser, newEmail, newPhoneNumber } from '../support/people.ts';
import type { World } from '../support/world.ts';

let world: World;
beforeAll(async () => {
  world = await startExtendedWorld();
});
afterAll(() => closeWorld(world));

type Fields = Readonly<Record<string, unknown>>;

async function answerOf(name: string, input: Input): Promise<AnyAnswer> {
  const row = rows.find(([each]) => each === name)?.[1];
  if (!row) throw new Error(`no row ${name}`);
  return send(world, await authorized(world, row, callOf(row, input)));
}

async function bodyOf(name: string, input: Input): Promise<Fields> {
  return (await answerOf(name, input)).body as Fields;
}

async function newUser(fields: Fields = { email: newEmail() }): Promise<string> {
  return (await createUser(world, fields)).user_id;
}

const redirectUri = () => world.environment.redirect_uris[0];
const ofUser = (userId: string) => ({ identifier_type: 'user_id', identifier: userId });

async function sentLink(): Promise<Fields> {
  const json = { channel: 'direct', redirect_uri: redirectUri(), ...ofUser(await newUser()) };
  return bodyOf('sendMagicLink', { json });
}

/** One input for each operation with which it succeeds. */
const successes: Readonly<Record<string, () => Input | Promise<Input>>> = {
  sendMagicLink: async () => ({ json: { redirect_uri: redirectUri(), ...ofUser(await newUser()) } }),
  openMagicLink: async () => ({ query: { code: (await sentLink()).code } }),
  authenticateMagicLink: async () => ({ json: { code: (await sentLink()).code } }),
  sendOtp: async () => ({
    json: { channel: 'email', approval_data: { amount: '5' }, ...ofUser(await newUser()) },
  }),
  authenticateOtp: async () => {
    const user = ofUser(await newUser());
    const { code } = await bodyOf('sendOtp', { json: { channel: 'direct', ...user } });
    return { json: { passcode: code, ...user } };
  },
  token: () => {
    const { client_id, client_secret } = world.environment;
    return { form: { grant_type: 'client_credentials', client_id, client_secret } };
  },
  jwks: () => ({}),
  discovery: () => ({}),
  createUser: () => ({
    json: {
      email: newEmail(),
      phone_number: newPhoneNumber(),
      username: newEmail('name').replace('@', '.'),
      name: { first_name: 'Ann', last_name: null },
      groups: ['staff'],
      custom_app_data: { nested: { status: 'gold' } },
    },
  }),
  listUsers: () => ({ query: { limit: 1 } }),
  getUser: async () => ({ path: { userId: await newUser() } }),
  getUserByUsername: async () => {
    const username = newEmail('name').replace('@', '.');
    await newUser({ username });
    return { path: { username } };
  },
  getUserByEmail: async () => {
    const email = newEmail();
    await newUser({ email });
    return { path: { email } };
  },
  getUserByPhoneNumber: async () => {
    const phoneNumber = newPhoneNumber();
    await newUser({ phone_number: phoneNumber });
    return { path: { phoneNumber } };
  },
  updateUser: async () => ({ path: { userId: await newUser() }, json: { status: 'Disabled' } }),
  deleteUser: async () => ({ path: { userId: await newUser() } }),
  health: () => ({}),
  openapi: () => ({}),
  [ADDED]: () => smallestInput(rows.find(([name]) => name === ADDED)?.[1] as Operation),
};

test('every operation has an input with which it succeeds here', () => {
  expect(new Set(Object.keys(successes))).toEqual(new Set(rows.map(([name]) => name)));
});

describe.each(rows)('%s', (name, row) => {
  test('succeeds as its row promises, and its answer matches its schema', async () => {
    const answer = await answerOf(name, (await successes[name]?.()) ?? {});
    const { status, headers, body } = answer;
    expect(status).toBe(row.output.status);
    if (row.output.status === 302 || row.output.status === 303)
      expect(headers.get('location')).toMatch(/^https?:\/\//);
    else if (row.output.status === 204) expect(body).toBeUndefined();
    else expect(body).toBeDefined();
    if ('json' in row.output) {
      expect(headers.get('content-type')).toBe('application/json');
      const isPublic = row.output.public === true;
      expect(headers.get('cache-control')).toBe(
        isPublic ? `public, max-age=${PUBLIC_CACHE_SECONDS}` : 'no-store',
      );
    }
    // Clients spread the answer over an object of their own, whose status it would replace.
    if (typeof body === 'object') expect(body).not.toHaveProperty('status');
    expect(world.violations).toEqual([]);
  });
});

test('an answer that differs from its row would be noticed', async () => {
  const row = rows.find(([name]) => name === ADDED)?.[1] as Operation;
  const call: Call = await authorized(world, row);
  const match = { name: ADDED, row, path: String(row.path), parameters: {} };
  const told = (json: unknown) =>
    violationsOf(match, call.method, {
      status: 201,
      headers: { 'content-type': 'application/json' },
      cookies: [],
      body: Buffer.from(JSON.stringify(json)),
    });
  expect(told({ thing_id: 'a', size: 1 })).toEqual([]);
  expect(told({ thing_id: 'a' })).toHaveLength(1);
  expect(told({ thing_id: 'a', size: '1' })).toHaveLength(1);
  expect(told({ thing_id: 'a', size: 1, status: 'ok' })).toHaveLength(1);
});
