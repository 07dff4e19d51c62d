import { describe, expect, test } from '@jest/globals';
import { buildGrantId } from '../../../shared/domain/basis/operators.ts';
import { hashSecret } from '../../../shared/domain/basis/random.ts';
import { listOperators } from '../../../shared/domain/operators/grants.ts';
import {
  bindInvitation,
  enrol,
  makeInvitationLink,
  requireInvitation,
} from '../../../shared/domain/operators/invitation.ts';
import type { Enrolment, OperatorGrant } from '../../../shared/ports/operators.ts';
import { somePasskey } from '../../support/fixtures/signing-records.ts';
import { someAddress, someGrant, someTenant, someUser, T } from '../../support/server/records.ts';

const invitation = { hash: hashSecret('secret'), expiresAt: T + 1 };
const name = { userId: 'ann', tenantId: 'shop' };
const grant = someGrant({ ...name, state: 'invited', invitation });
const enrolment: Enrolment = { ...name, hash: invitation.hash, browserHash: 'browser' };
const enrolled = { ...enrolment, enrolledAt: T };

function createPorts(own: Enrolment | undefined) {
  const ports = {
    operatorRecords: { find: async (id: string) => (id === buildGrantId(name) ? grant : undefined) },
    operatorEnrolments: { find: async () => own, bind: async (given: Enrolment) => given },
  };
  return ports as never;
}

describe('link of an invitation', () => {
  test('an invitation link is valid for a day', async () => {
    const written: OperatorGrant[] = [];
    const replace = async (_: unknown, next: OperatorGrant) => written.push(next) > 0;
    const operatorRecords = { find: async () => grant, replace };
    const link = await makeInvitationLink({ operatorRecords } as never, name, T);
    const secret = link?.split('.')[2] ?? '';
    expect(link).toBe(`ann.shop.${secret}`);
    expect(written).toEqual([{ ...grant, invitation: { hash: hashSecret(secret), expiresAt: T + 86_400 } }]);
    const taken = { operatorRecords: { ...operatorRecords, replace: async () => false } } as never;
    await expect(makeInvitationLink(taken, name, T)).rejects.toMatchObject({ key: 'concurrent_change' });
  });

  test.each([
    ['begun', enrolment, { grant, invitation, enrolment }],
    ['completed', enrolled, { grant: { ...grant, state: 'enrolled' }, invitation, enrolment: enrolled }],
    [
      'begun with an earlier link',
      { ...enrolled, hash: 'earlier' },
      { grant, invitation, enrolment: undefined },
    ],
    ['not begun', undefined, { grant, invitation, enrolment: undefined }],
  ])('an invitation is found by its link if the enrolment has %s', async (_title, own, expected) => {
    expect(await requireInvitation(createPorts(own), 'ann.shop.secret', T)).toEqual(expected);
  });

  test.each([
    ['has expired', 'ann.shop.secret', T + 1],
    ['has another secret', 'ann.shop.another', T],
    ['has no secret', 'ann.shop', T],
    ['has an empty secret', 'ann.shop.', T],
    ['has a fourth part', 'ann.shop.secret.x', T],
    ['names an unknown user', 'bob.shop.secret', T],
  ])('an invitation link that %s is rejected', async (_title, link, at) => {
    await expect(requireInvitation(createPorts(undefined), link, at)).rejects.toMatchObject({
      key: 'link_not_found',
    });
  });
});

describe('enrolment with an invitation', () => {
  test('an invitation can be accepted only in one browser', async () => {
    const bind = (own: Enrolment | undefined, browserHash: string) =>
      bindInvitation(createPorts(own), { link: 'ann.shop.secret', browserHash, now: T });
    expect(await bind(undefined, 'browser')).toEqual({ grant, enrolment });
    expect(await bind(enrolment, 'browser')).toEqual({ grant, enrolment });
    await expect(bind(enrolment, 'another')).rejects.toMatchObject({ key: 'login_elsewhere' });
  });

  test('an enrolment with a replaced invitation cannot be completed', async () => {
    const complete = (done: boolean) =>
      enrol({ operatorEnrolments: { complete: async () => done } } as never, { grant, enrolment }, T);
    expect(await complete(true)).toEqual({ ...grant, state: 'enrolled' });
    await expect(complete(false)).rejects.toMatchObject({ key: 'link_not_found' });
  });

  const user = someUser({ email: someAddress('ann@example.com') });
  const unverified = someUser({ email: someAddress('ann@example.com', { standing: 'claimed' }) });
  const passkey = somePasskey();
  const { invitation: _, ...withoutLink } = grant;

  test.each([
    ['an invitation without a link', withoutLink, undefined, user, 'invited', undefined],
    ['an invitation that was not accepted', grant, undefined, user, 'invited', undefined],
    ['an earlier invitation', grant, { ...enrolment, hash: 'earlier' }, user, 'invited', undefined],
    ['an unverified address', grant, enrolment, unverified, 'invited', 'accepted'],
    ['no passkey', grant, enrolment, user, 'invited', 'address_verified', []],
    [
      'an unproven passkey',
      grant,
      enrolment,
      user,
      'invited',
      'address_verified',
      [somePasskey({ standing: 'claimed' })],
    ],
    [
      'a superseded passkey',
      grant,
      enrolment,
      user,
      'invited',
      'address_verified',
      [somePasskey({ generation: 9 })],
    ],
    ['a passkey', grant, enrolment, user, 'invited', 'passkey_registered'],
    ['a completed enrolment', grant, enrolled, user, 'enrolled', undefined],
    ['an active role', { ...grant, state: 'active' as const }, enrolment, user, 'active', undefined],
    ['an erased user', grant, enrolment, undefined, 'invited', undefined],
  ])(
    'the list of operators shows the state of a person with %s',
    async (_title, stored, own, found, state, step, passkeys = [passkey]) => {
      const ports = {
        operatorRecords: { list: async () => ({ items: [stored], nextCursor: 'next' }) },
        operatorEnrolments: { find: async () => own },
        users: { find: async () => found },
        passkeys: { listOf: async () => passkeys },
      } as never;
      expect(await listOperators(ports, someTenant(), { limit: 1 })).toEqual({
        items: [{ grant: { ...stored, state }, user: found, step }],
        nextCursor: 'next',
      });
    },
  );
});
