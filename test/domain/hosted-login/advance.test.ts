import { expect, test } from '@jest/globals';
import { sealAddress } from '../../../shared/domain/hosted-login/login-transaction.ts';
import { advance } from '../../../shared/flows/hosted-login/advance.ts';
import type { CurrentState } from '../../../shared/flows/hosted-login/login-state.ts';
import { provenTrust, someApplication, someUser, T } from '../../support/server/records.ts';
import {
  account,
  browser,
  denied,
  done,
  type Given,
  key,
  passkey,
  setUpLogin,
  TOO_FEW,
} from './derived-states.ts';

const PAGE = 'https://login.example.com/login/login';
const user = someUser();
const binding = { user, passkeys: [], application: someApplication(), proofs: [], at: T };

/**
 * Advances a login that is in a state. Returns the response, and the names of the calls that write.
 * @param succeeds False if another tab has advanced the login in the meantime
 */
async function run(current: Partial<CurrentState>, given: Given = {}, succeeds = true) {
  const calls: unknown[] = [];
  const write = (name: string) => async () => {
    calls.push(name);
    return succeeds;
  };
  const ports = {
    loginTransactions: { advance: write('advance'), finish: write('finish') },
    passkeys: { updateTrust: write('updateTrust') },
    noticeLinks: { put: async ({ expiresAt }: { readonly expiresAt: number }) => calls.push(expiresAt) },
    applications: { find: async () => undefined },
  };
  const [, context] = setUpLogin(given);
  const known = { user, proofs: [], settled: [], earlier: [], ...current };
  const answer = await advance(ports as never, context, () => undefined, known as never).catch(
    ({ key }) => key,
  );
  const { redirect = answer } = answer;
  return { calls, redirect };
}

const settled = [{ use: key, trust: provenTrust }];
const second = { kind: 'second-factor', open: [], passkey: true, providers: [], isOptional: false } as const;
const undo = { userId: 'ann', changeId: 'change', kind: 'change', link: 'link', generation: 1 } as const;
const failed = (description: string) =>
  `https://example.com/?error=access_denied&error_description=${description}`;

test('a login saves its proofs before it reinstates credentials', async () => {
  expect(await run({ state: second })).toEqual({ calls: [], redirect: PAGE });
  expect(await run({ state: second, settled })).toEqual({
    calls: ['advance', 'updateTrust'],
    redirect: PAGE,
  });
  expect(await run({ state: second, settled }, {}, false)).toEqual({ calls: ['advance'], redirect: PAGE });
});

test('a denied login ends and returns the reason to the client', async () => {
  expect(await run({ state: denied('Reason'), binding })).toEqual({
    calls: ['finish'],
    redirect: failed('Reason'),
  });
  expect(await run({ state: denied('Reason') }, {}, false)).toMatchObject({ redirect: 'login_not_found' });
  const { redirect } = await run({ state: TOO_FEW, binding });
  expect(redirect).toContain('it+can+be+done+at+the+account+page+of+another+application');
});

test('a provider account is not linked to a user whose email address was removed', async () => {
  const sealedLink = sealAddress(browser, JSON.stringify({ identity: account }));
  const linking = { state: { kind: 'link' }, binding } as const;
  expect(await run(linking, { progress: { sealedLink } })).toEqual({
    ...{ calls: ['finish'], redirect: failed('Access+denied') },
  });
});

test('a login that undoes a change ends with a link that is valid for half an hour', async () => {
  const { calls, redirect } = await run({ state: done }, { request: { undo } });
  expect(calls).toEqual(['finish', T + 1800]);
  expect(redirect).toMatch(/^https:\/\/login\.example\.com\/notice\?link=/);
  expect(await run({ state: done }, { request: { undo } }, false)).toEqual({
    ...{ calls: ['finish'], redirect: 'login_not_found' },
  });
});

test('a passkey registration ends once and names the user and the passkey to the client', async () => {
  const registration = {
    request: { enrolment: { userName: 'ann', externalUserId: '7' } },
    progress: { newPasskey: passkey, userCreated: true },
  } as const;
  const query = new URLSearchParams({
    ...{ user_identifier: 'ann', external_user_id: '7', credential_id: passkey.credentialId },
    is_user_created: 'true',
  });
  expect(await run({ state: done }, registration)).toEqual({
    ...{ calls: ['finish'], redirect: `https://example.com/?${query}` },
  });
  expect(await run({ state: done }, registration, false)).toMatchObject({ redirect: 'login_not_found' });
});
