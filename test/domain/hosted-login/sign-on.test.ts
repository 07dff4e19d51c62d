import { describe, expect, test } from '@jest/globals';
import {
  findLoginMaxAge,
  findMissingStep,
  type MissingStep,
} from '../../../shared/domain/hosted-login/sign-on.ts';
import type { Session } from '../../../shared/ports/flows.ts';
import type { User } from '../../../shared/ports/people.ts';
import {
  someAddress,
  someApplication,
  someSession,
  someUse,
  someUser,
  T,
} from '../../support/server/records.ts';

type Request = Parameters<typeof findMissingStep>[0];

const application = someApplication();
const plain: Request = { prompts: [], requireMfa: false, requirePhone: false };
const mail = someUse();
const text = someUse({ method: 'sms', credential: 'phoneNumber' });
const half = { awaitsSecondFactor: true } as const;
const phoneNumber = someAddress('+12015550123');
const atRisk: Partial<User> = { phoneNumber: { ...phoneNumber, risk: 'sim_swap' as never } };
const mfa = { requireMfa: true };

/** Returns the step that a session lacks, a hundred seconds after a login by email, unless the row says otherwise. */
function find(request: Partial<Request>, session: Partial<Session> = {}, user: Partial<User> = {}) {
  const owner = someUser({ userId: 'ann', ...user });
  const found = someSession({ userId: 'ann', ...session });
  return findMissingStep(
    { ...plain, ...request },
    { session: found, user: owner },
    { application, now: T + 100 },
  );
}

describe('single sign-on with the session of a browser', () => {
  test.each<[string, Partial<Request>, Partial<Session>, Partial<User>, MissingStep | undefined]>([
    ['suffices for a plain request', {}, {}, {}, undefined],
    ['lacks a login if the request asks for one', { prompts: ['login'] }, {}, {}, 'login'],
    ['lacks a login if the request asks for an approval', { approvalData: {} as never }, {}, {}, 'login'],
    ['lacks a login if the request names another user', { expectedUserId: 'ben' }, {}, {}, 'login'],
    ['suffices if the request names the user', { expectedUserId: 'ann' }, {}, {}, undefined],
    ['suffices until max_age has passed', { maxAge: 100 }, {}, {}, undefined],
    ['lacks a login after max_age', { maxAge: 99 }, {}, {}, 'login'],
    ['lacks a login if max_age is 0', { maxAge: 0 }, { methods: [someUse({ at: T + 100 })] }, {}, 'login'],
    [
      'lacks a login if max_age is set and the provider does not say when the user authenticated',
      { maxAge: 200 },
      { methods: [someUse({ method: 'social' })] },
      {},
      'login',
    ],
    [
      'suffices if the provider says when the user authenticated',
      { maxAge: 200 },
      { methods: [someUse({ method: 'social', authTime: T - 100 })] },
      {},
      undefined,
    ],
    ['lacks a required second factor', mfa, {}, {}, 'second-factor'],
    ['suffices with two factors', mfa, { methods: [mail, text] }, {}, undefined],
    ['lacks a preferred second factor', { preferMfa: true }, {}, {}, 'second-factor'],
    [
      'suffices without the preferred factor if no page may be shown',
      { preferMfa: true, prompts: ['none'] },
      {},
      {},
      undefined,
    ],
    ['lacks a required phone number', { requirePhone: true }, {}, {}, 'phone'],
    ['suffices with a verified phone number', { requirePhone: true }, {}, { phoneNumber }, undefined],
    [
      'lacks a phone number if the number is only claimed',
      { requirePhone: true },
      {},
      { phoneNumber: { ...phoneNumber, standing: 'claimed' } },
      'phone',
    ],
    ['lacks a phone number if the number is at risk', { requirePhone: true }, {}, atRisk, 'phone'],
    ['lacks a login if its second factor is missing', {}, half, {}, 'login'],
    [
      'lacks a login if its second factor is missing and one is preferred',
      { preferMfa: true },
      half,
      {},
      'login',
    ],
    ['lacks its second factor if the request requires one', mfa, half, {}, 'second-factor'],
    [
      'lacks a login if its only factor is a text to a number at risk',
      mfa,
      { ...half, methods: [text] },
      atRisk,
      'login',
    ],
    [
      'lacks its second factor after a text to another number',
      mfa,
      { ...half, methods: [text] },
      {},
      'second-factor',
    ],
    ['lacks its second factor although a number is at risk', mfa, half, atRisk, 'second-factor'],
    ['suffices after a text to a number that is at risk now', {}, { methods: [text] }, atRisk, undefined],
  ])('%s', (_title, request, session, user, step) => {
    expect(find(request, session, user)).toBe(step);
  });

  test('lacks a login if there is no session, or if its user was erased', () => {
    const at = { application, now: T };
    expect(findMissingStep(plain, { user: someUser() }, at)).toBe('login');
    expect(findMissingStep(plain, { session: someSession() }, at)).toBe('login');
  });
});

test.each<[string, Partial<Parameters<typeof findLoginMaxAge>[0]>, boolean, number | undefined]>([
  ['a plain request', {}, true, undefined],
  ['prompt=login', { prompts: ['login'], maxAge: 7 }, true, 0],
  ['max_age', { maxAge: 7, account: { login: 'fresh' } }, true, 7],
  ['a change of credentials in a session', { account: { login: 'fresh' } }, true, 600],
  ['a change of credentials after a new login', { account: { login: 'fresh' } }, false, undefined],
  ['a visit to the account page', { account: { login: 'session' } }, true, undefined],
])('%s limits the age of the proofs that a login accepts', (_title, request, joinsSession, seconds) => {
  expect(findLoginMaxAge({ prompts: [], ...request }, application, joinsSession)).toBe(seconds);
});
