import { expect, test } from '@jest/globals';
import {
  findNoticeOperatorChange,
  findRemovedPasskey,
  findUndo,
  readEffectiveTime,
} from '../../../functions/events/notice-undo.ts';
import type { FormerAddress } from '../../../shared/domain/trust/changes.ts';
import { NEVER } from '../../../shared/domain/users/pending-recovery.ts';
import type { CredentialChange, User } from '../../../shared/ports/people.ts';
import { someAddress, someUser, T } from '../../support/server/records.ts';

type Notice = Parameters<typeof findUndo>[0];

const DAY = 86_400;
const change = (fields: Partial<CredentialChange>): CredentialChange => ({
  ...{ changeId: 'change', changedAt: T, until: T + 9, linkFrom: T + 9, validBefore: [1] },
  ...{ undoCondition: 'link', what: { attribute: 'phoneNumber' } },
  ...fields,
});
const noticeOf = (kind: string, user: Partial<User>) =>
  ({
    ...{ kind, user: someUser({ email: someAddress('ann@example.com'), ...user }) },
    event: { time: new Date(T * 1000 + 999).toISOString() },
  }) as unknown as Notice;

const recovery = { cause: 'lost', kinds: ['phone'], since: T, effectiveAt: T + 60, endsAt: T + 99 } as const;
const erasure = { erasureId: 'erasure', requestedAt: T, effectiveAt: T + 77, hasBegun: false };
const phone = change({});
const passkey = change({ changeId: 'passkey', what: { attribute: 'passkey', credentialId: 'id' } });
const delayed = change({ changeId: 'delayed', linkFrom: T + 5, what: { attribute: 'email' } });
const user = { recovery, erasure, changes: [phone, passkey, delayed] };

test.each([
  ['recovery_requested', T + 60, { kind: 'recovery', since: T }, T + 99],
  ['recovery_granted', undefined, { kind: 'recovery', since: T }, T + 99],
  ['erasure_requested', T + 77, { kind: 'erasure', erasureId: 'erasure' }, T + 77],
  ['erasure_waits', T + 77, { kind: 'erasure', erasureId: 'erasure' }, T + 77],
  ['undo_requested', T + 5, { kind: 'recovery', changeId: 'delayed' }, T + 9],
  ['phone_changed', undefined, { kind: 'change', changeId: 'change' }, T + 9],
  ['phone_added', undefined, { kind: 'change', changeId: 'change' }, T + 9],
  ['passkey_removed', undefined, { kind: 'change', changeId: 'passkey' }, T + 9],
])(
  'the notice %s states when its change takes effect, and its link undoes the change',
  (kind, effectiveAt, undoes, until) => {
    const notice = noticeOf(kind, user);
    expect(readEffectiveTime(notice)).toBe(effectiveAt);
    expect(findUndo(notice, undefined)).toEqual({ undoes, until });
    const without = noticeOf(kind, {});
    expect([readEffectiveTime(without), findUndo(without, undefined)]).toEqual([undefined, undefined]);
  },
);

test('the notice of an account that another person has reclaimed offers a login for seven days', () => {
  const notice = noticeOf('reclaimed', { ...user, generations: { valid: [1, 2], highest: 3 } });
  const undoes = { kind: 'reclaimed', generation: 2 };
  expect(findUndo(notice, undefined)).toEqual({ undoes, until: T + 7 * DAY });
  expect(findUndo(noticeOf('new_device', user), undefined)).toBeUndefined();
});

test('the link to a former address restores it, unless its removal was itself an undo', () => {
  const former = (attribute: FormerAddress['attribute'], isFinal = false): FormerAddress => ({
    ...{ changeId: 'former', changedAt: T, until: T + 33, value: 'old' },
    ...{ attribute, isFinal },
  });
  const notice = noticeOf('email_changed', user);
  const until = T + 33;
  expect(findUndo(notice, former('email'))).toEqual({
    undoes: { kind: 'address', changeId: 'former' },
    until,
  });
  expect(findUndo(notice, former('phoneNumber'))).toEqual({
    undoes: { kind: 'change', changeId: 'former' },
    until,
  });
  expect(findUndo(notice, former('email', true))).toBeUndefined();
});

test('the link of a notice about an address of an operator undoes the first change of the operator', () => {
  const byOperator = change({ changeId: 'operator', isByOperator: true, what: { attribute: 'email' } });
  const address = (delayedUntil: number) =>
    someAddress('new@example.com', { standing: 'claimed', delayedUntil });
  const changes = [byOperator, phone];
  const set = (delayedUntil: number) =>
    noticeOf('email_changed', {
      ...{ changes, email: address(delayedUntil), phoneNumber: someAddress('+12015550123') },
    });
  const notice = set(T + 50);
  expect(findNoticeOperatorChange(notice)).toBe(byOperator);
  expect(findUndo(notice, undefined)).toEqual({
    undoes: { kind: 'change', changeId: 'operator' },
    until: T + 9,
  });
  expect([readEffectiveTime(notice), readEffectiveTime(set(NEVER))]).toEqual([T + 50, undefined]);
  expect(findNoticeOperatorChange(noticeOf('passkey_removed', { changes }))).toBeUndefined();
});

test('a removed passkey is named only in the notice about its removal', () => {
  expect(findRemovedPasskey(noticeOf('passkey_removed', user))).toBe('id');
  expect(findRemovedPasskey(noticeOf('phone_changed', user))).toBeUndefined();
  expect(findRemovedPasskey(noticeOf('passkey_removed', {}))).toBeUndefined();
});
