import { describe, expect, test } from '@jest/globals';
import { notifyOperators } from '../../../functions/events/operator-notices.ts';
import { OPERATORS_TENANT_ID } from '../../../shared/domain/basis/operators.ts';
import type { SecurityEvent } from '../../../shared/ports/events.ts';
import type { User } from '../../../shared/ports/people.ts';
import { someAddress, someGrant, someTenant, someUser, T } from '../../support/server/records.ts';

const tenant = someTenant({ tenantId: 'tenant', name: 'Shop' });
const settings = { mailFrom: 'login@example.com', browserOrigin: 'https://login.example.com' };
const operator = (userId: string, change: Partial<User> = {}) =>
  someUser({
    ...{ userId, tenantId: OPERATORS_TENANT_ID, email: someAddress(`${userId}@example.com`) },
    ...change,
  });
const people = [
  ...['admin', 'viewer', 'invited', 'acting'].map((userId) => operator(userId)),
  operator('bounced', {
    email: someAddress('bounced@example.com', { undeliverable: { reason: 'bounce', since: T } }),
  }),
  someUser({ userId: 'customer', tenantId: 'tenant', email: someAddress('customer@example.com') }),
];
const grants = [
  someGrant({ userId: 'admin', role: 'admin' }),
  someGrant({ userId: 'viewer', role: 'viewer' }),
  someGrant({ userId: 'bounced', role: 'admin' }),
  someGrant({ userId: 'gone', role: 'admin' }),
  someGrant({ userId: 'invited', role: 'admin', state: 'invited' }),
];

interface Sent {
  readonly to: string;
  readonly parts: { readonly text: string };
  readonly subject: object;
  readonly facts: { readonly link?: string };
}

/** Notifies operators of an event, of which the messages `taken` were already sent. Returns the mails and reservations. */
async function notify(fields: Partial<SecurityEvent>, taken: readonly string[] = []) {
  const [mails, reserved]: [Sent[], string[]] = [[], []];
  const ports = {
    users: { find: async (id: string) => people.find(({ userId }) => userId === id) },
    tenants: { find: async (id: string) => (id === 'tenant' ? tenant : undefined) },
    operatorRecords: {
      list: async () => ({ items: grants }),
      find: async (id: string) => grants.find(({ userId }) => id.startsWith(userId)),
      replace: async () => true,
    },
    mailer: { send: async (mail: Sent) => mails.push(mail) },
  } as unknown as Parameters<typeof notifyOperators>[0];
  const time = '2026-11-28T09:30:59.900Z';
  const event = { id: 'event', time, tenant_id: 'tenant', operator: 'acting', ...fields } as SecurityEvent;
  await notifyOperators(ports, settings, event, async (name) => {
    reserved.push(name);
    return !taken.includes(name);
  });
  return { mails, reserved };
}

describe('mails to the admins of a tenant', () => {
  test('active admins are notified once of the action of an operator', async () => {
    const acted = {
      ...{ type: 'operator.acted', operation: 'operators/change-operator-role' },
      ...{ record_id: 'viewer', reason: 'new job' },
    };
    const { mails, reserved } = await notify(acted);
    expect(reserved).toEqual(['event/admin', 'event/bounced']);
    expect(mails).toMatchObject([{ to: 'admin@example.com', subject: { userId: 'admin' } }]);
    expect(mails[0]?.parts.text).toContain(
      [
        ...['Action: change operator role', 'By: acting@example.com', 'Operator: viewer@example.com'],
        ...['Reason: new job', 'Time: 2026-11-28 09:30 UTC'],
      ].join('\n'),
    );
    expect((await notify(acted, ['event/admin'])).mails).toEqual([]);
  });

  test('the mail about an action on another record names the record and not the address of a user', async () => {
    for (const record_id of ['customer', 'some-webhook']) {
      const { mails } = await notify({
        type: 'operator.acted',
        operation: 'export',
        record_id,
        operator: 'x',
      });
      expect(mails[0]?.parts.text).toContain(
        ['Action: export', 'By: x', `Record: ${record_id}`, 'Time: 2026-11-28 09:30 UTC'].join('\n'),
      );
    }
  });

  test('admins are notified of an enrolment, which no other operator has caused', async () => {
    const { mails } = await notify({ type: 'operator.enrolled', operation: 'accept', record_id: 'invited' });
    expect(mails[0]?.parts.text).toContain(
      ['Action: finish enrolment', 'Operator: invited@example.com', 'Time: 2026-11-28 09:30 UTC'].join('\n'),
    );
  });

  test('an action in an unknown tenant causes no mail', async () => {
    expect(await notify({ type: 'operator.acted', tenant_id: 'other' })).toEqual({ mails: [], reserved: [] });
  });
});

describe('invitations of operators', () => {
  const invited = { type: 'operator.invited', record_id: 'invited' };

  test('an invitation names the tenant and the operator who invites', async () => {
    const { mails, reserved } = await notify(invited);
    expect(reserved).toEqual(['event/mail']);
    expect(mails).toMatchObject([
      {
        to: 'invited@example.com',
        facts: {
          link: expect.stringMatching(/^https:\/\/login\.example\.com\/operator-invitation\?invitation=/),
        },
      },
    ]);
    expect(mails[0]?.parts.text).toContain('Tenant: Shop\nInvited by: acting@example.com');
    const { mails: others } = await notify({ ...invited, operator: 'otl' });
    expect(others[0]?.parts.text).toContain('Tenant: Shop\nInvited by: otl');
  });

  test.each([
    ['is no operator', { record_id: 'customer' }, [], []],
    ['is unknown', { record_id: 'other' }, [], []],
    ['is invited to an unknown tenant', { tenant_id: 'other' }, [], []],
    ['was invited before', {}, ['event/mail'], ['event/mail']],
    ['is no longer invited', { record_id: 'admin' }, [], ['event/mail']],
  ])('a person who %s gets no invitation', async (_, fields, taken, reserved) => {
    expect(await notify({ ...invited, ...fields }, taken)).toEqual({ mails: [], reserved });
  });
});
