import { describe, expect, test } from '@jest/globals';
import { FORMER_ADDRESS_SECONDS, FORMER_ADDRESSES_MAX } from '../../../shared/domain/basis/limits.ts';
import {
  canLinkUndo,
  findFormerAddress,
  findOperatorChange,
  findUndoableChange,
  findUndoableEventChange,
  formerAddresses,
  isLinkDelayed,
  isNotified,
  listPasskeysEnrolledSince,
  listPasskeysRemovedSince,
  recordAddressChanges,
  recordFactorEnrolment,
  recordPasskeyRemoval,
  undoFromChange,
} from '../../../shared/domain/trust/changes.ts';
import { addGeneration, UNPROVEN_GENERATIONS } from '../../../shared/domain/trust/generations.ts';
import type { Address, CredentialChange, User } from '../../../shared/ports/people.ts';
import { someAddress, someUser, T } from '../../support/server/records.ts';

const [mail, other] = [someAddress('ada@example.com'), someAddress('bob@example.com')];
const number = someAddress('+12015550100');
const ada = someUser({ email: mail, phoneNumber: number });
const end = T + FORMER_ADDRESS_SECONDS;

/** Sets a new email address or phone number of a user during a login, as `applyUserFields` does. */
function moved(
  user: User,
  change: { readonly email?: Address; readonly phoneNumber?: Address },
  at = T,
): User {
  const { generation, ...generations } = addGeneration(user.generations);
  const [name, address] = Object.entries(change)[0] ?? [];
  const next = { ...user, generations, [name ?? '']: { ...address, generation } };
  return recordAddressChanges(user, next, 'link', at);
}
const last = ({ changes }: User): CredentialChange => {
  const change = changes.at(-1);
  if (!change) throw new Error('nothing has changed');
  return change;
};

describe('recording credential changes', () => {
  test('the record of a changed email address contains the previous address', () => {
    expect(moved(ada, { email: other }).changes).toEqual([
      {
        ...{ changeId: expect.any(String), changedAt: T, until: end, linkFrom: end },
        ...{ validBefore: ada.generations.valid, undoCondition: 'link' },
        what: { attribute: 'email', former: mail },
      },
    ]);
    const { phoneNumber: _, ...without } = ada;
    expect(last(moved(without, { phoneNumber: number })).what).toEqual({ attribute: 'phoneNumber' });
    expect(last(recordPasskeyRemoval(ada, 'id', 'kind', T))).toMatchObject({
      ...{ undoCondition: 'kind', what: { attribute: 'passkey', credentialId: 'id' } },
    });
  });

  test('each recorded change starts exactly one credential generation', () => {
    const started = { valid: [1, 2], highest: 2 };
    expect(moved(ada, { email: other }).generations).toEqual(started);
    expect(recordAddressChanges(ada, { ...ada, email: other }, 'link', T).generations).toEqual(started);
    expect(recordPasskeyRemoval(ada, 'id', 'kind', T).generations).toEqual(started);
    expect(recordFactorEnrolment(ada, { credentialId: 'id' }, T).generations).toEqual(started);
  });

  test('changing only the letter case of an email address is not recorded as a credential change', () => {
    const spelled = { ...ada, email: { ...mail, value: 'ADA@example.com' } };
    expect(recordAddressChanges(ada, spelled, 'link', T)).toEqual(spelled);
    const claimed = someUser({ email: { ...mail, standing: 'claimed' } });
    expect(recordAddressChanges(claimed, { ...claimed, email: other }, 'link', T).changes).toEqual([]);
    const known = { ...claimed, lastAuthAt: T };
    expect(recordAddressChanges(known, { ...known, email: other }, 'link', T).changes).toHaveLength(1);
  });

  test.each([
    ['is recorded even if only the letter case changes', 'ADA@example.com', [{ isByOperator: true }]],
    ['is not recorded if the address stays the same', mail.value, []],
  ])('an operator’s change of an email address %s', (_title, value, recorded) => {
    const after = recordAddressChanges(ada, { ...ada, email: { ...mail, value } }, { delay: 0 }, T);
    expect(after.changes).toMatchObject(recorded);
  });

  test('an operator’s change of an unverified address is recorded only if another credential was proven', () => {
    const claimed = someUser({ email: { ...mail, standing: 'claimed' } });
    const count = (user: User) =>
      recordAddressChanges(user, { ...user, email: other }, { delay: 0 }, T).changes.length;
    expect([count(claimed), count({ ...claimed, generations: UNPROVEN_GENERATIONS })]).toEqual([1, 0]);
  });

  test.each([
    [1, 7],
    [10, 10],
  ])('with a recovery delay of %i days, support’s change can be undone for %i days', (delay, days) => {
    const day = FORMER_ADDRESS_SECONDS / 7;
    const by = { delay: delay * day };
    const until = T + days * day;
    expect(last(recordAddressChanges(ada, { ...ada, email: other }, by, T))).toMatchObject({
      ...{ until, linkFrom: until },
    });
  });

  test('many later changes do not remove the record of a change that can still be undone', () => {
    let user = moved(ada, { email: other });
    const first = last(user);
    for (let n = 0; n <= FORMER_ADDRESSES_MAX; n += 1)
      user = moved(user, { email: n % 2 ? other : mail }, T + n);
    expect(user.changes).toHaveLength(FORMER_ADDRESSES_MAX);
    expect(user.changes[0]).toEqual(first);
    expect(last(moved(user, { phoneNumber: someAddress('+12015550101') })).what.attribute).toBe(
      'phoneNumber',
    );
  });

  test('a change is removed from the history as soon as it can no longer be undone', () => {
    const user = moved(ada, { email: other });
    const count = (at: number) => moved(user, { email: mail }, at).changes.length;
    expect([count(end - 1), count(end)]).toEqual([2, 1]);
  });

  test('the passkeys enrolled since a change are listed without other factors and removed passkeys', () => {
    const first = recordFactorEnrolment(ada, { credentialId: 'first' }, T);
    const second = recordFactorEnrolment(first, { former: number }, T);
    const third = recordFactorEnrolment(
      recordPasskeyRemoval(second, 'gone', 'kind', T),
      { credentialId: 'id' },
      T,
    );
    expect(listPasskeysEnrolledSince(third, last(first))).toEqual(['first', 'id']);
    expect(listPasskeysEnrolledSince(third, last(second))).toEqual(['id']);
  });
});

describe('when a credential change can be undone', () => {
  const user = moved(ada, { email: other });
  const change = last(user);
  const asked = (by: Partial<CredentialChange>, at = T) =>
    findUndoableChange({ ...user, changes: [{ ...change, ...by }] }, change.changeId, at) !== undefined;

  test('a credential change can be undone until its undo period ends', () => {
    expect([asked({}), asked({}, end - 1), asked({}, end)]).toEqual([true, true, false]);
    expect([asked({ undoCondition: 'kind' }), asked({ undoCondition: 'none' })]).toEqual([true, false]);
    expect(findUndoableChange(user, 'other', T)).toBeUndefined();
  });

  test('an event belongs to the change that was made at most one minute before it', () => {
    const byOperator = recordAddressChanges(ada, { ...ada, email: other }, { delay: 0 }, T);
    for (const [at, isFound] of [
      [T - 1, false],
      [T, true],
      [T + 59, true],
      [T + 60, false],
    ] as const) {
      const found = isFound ? last(byOperator) : undefined;
      expect(findOperatorChange(byOperator, at)).toEqual(found);
      expect(findUndoableEventChange(byOperator, 'email', at)).toEqual(found);
    }
    expect(findOperatorChange(user, T)).toBeUndefined();
    expect(findUndoableEventChange(user, 'phoneNumber', T)).toBeUndefined();
    const final = { ...user, changes: [{ ...change, undoCondition: 'none' as const }] };
    expect(findUndoableEventChange(final, 'email', T)).toBeUndefined();
  });

  test('the link of a change is delayed once it works before the undo period ends', () => {
    expect([isLinkDelayed(change), isLinkDelayed({ ...change, linkFrom: end - 1 })]).toEqual([false, true]);
  });

  test.each<[CredentialChange['undoCondition'], number, boolean]>([
    ['link', T, true],
    ['kind', T + 4, false],
    ['kind', T + 5, true],
  ])(
    'the notice link alone can undo a change with the undo condition "%s" at the time %s (expected: %s)',
    (undoCondition, at, isEnough) => {
      expect(canLinkUndo({ ...change, undoCondition, linkFrom: T + 5 }, at)).toBe(isEnough);
    },
  );
});

describe('undoing credential changes', () => {
  const [thief, theirs] = [someAddress('thief@example.com'), someAddress('+12015550199')];
  const recovery = { cause: 'lost', kinds: ['phone'], since: T, effectiveAt: T + 9, endsAt: T + 99 } as const;
  const erasure = { erasureId: 'e', requestedAt: T, effectiveAt: T + 9, hasBegun: false };

  test('undoing a credential change also undoes all later changes', () => {
    const first = moved(ada, { email: thief });
    const second = recordPasskeyRemoval(moved(first, { phoneNumber: theirs }), 'id', 'link', T);
    const taken = { ...second, recovery, erasure };
    expect(listPasskeysRemovedSince(taken, last(first))).toEqual(['id']);
    const restored = undoFromChange(taken, last(first), T + 1);
    expect(restored).toMatchObject({ email: mail, phoneNumber: number, updatedAt: T + 1 });
    expect(restored).not.toHaveProperty('recovery');
    expect(restored).not.toHaveProperty('erasure');
    // Credentials that were added after the change are superseded, and no generation number is used twice.
    expect(restored.generations).toEqual({ valid: [1], highest: taken.generations.highest + 1 });
    expect(formerAddresses(restored)).toMatchObject([
      { attribute: 'email', value: thief.value, isFinal: true },
      { attribute: 'phoneNumber', value: theirs.value, isFinal: true },
    ]);
    for (const { changeId } of restored.changes)
      expect(findUndoableChange(restored, changeId, T + 1)).toBeUndefined();
  });

  test('undoing a credential change does not undo earlier changes', () => {
    const first = moved(ada, { email: other });
    const second = moved(first, { phoneNumber: theirs });
    const restored = undoFromChange(second, last(second), T + 1);
    expect(restored).toMatchObject({ email: { value: other.value }, phoneNumber: number });
    expect(restored.generations.valid).toEqual(first.generations.valid);
    expect(findUndoableChange(restored, last(first).changeId, T + 1)).toEqual(last(first));
  });

  test('A14 undoing the addition of a phone number removes the phone number', () => {
    const { phoneNumber: _, ...without } = ada;
    const first = moved(without, { phoneNumber: theirs });
    const restored = undoFromChange(first, last(first), T + 1);
    expect(restored).not.toHaveProperty('phoneNumber');
    const again = moved(restored, { phoneNumber: theirs }, T + 2);
    expect(again.phoneNumber?.generation).toBeGreaterThan(first.phoneNumber?.generation ?? 0);
    expect(again.generations.valid).not.toContain(first.phoneNumber?.generation);
  });
});

test.each<[string, Address | undefined, boolean]>([
  ['no address', undefined, false],
  ['a proven address', mail, true],
  ['an unverified address', { ...mail, standing: 'claimed' }, false],
  ['a superseded address', { ...mail, generation: 0 }, false],
])('notices are sent only to verified addresses that are valid: %s', (_title, address, isSent) => {
  expect(isNotified(ada, address)).toBe(isSent);
});

test('an address that was unverified or undeliverable is not recorded as a previous address of the user', () => {
  const former = (change: Partial<Address>, riskSince?: number) =>
    formerAddresses(
      moved({ ...ada, email: { ...mail, ...change }, lastAuthAt: T }, { email: other }),
      riskSince,
    ).length;
  expect(former({})).toBe(1);
  expect(former({ standing: 'verified' })).toBe(1);
  expect(former({ standing: 'claimed' })).toBe(0);
  expect(former({ undeliverable: { reason: 'bounce', since: T } })).toBe(0);
  const risk = { signal: 'sim_swap', observedAt: T, reportedAt: T } as const;
  expect([former({ risk }), former({ risk }, T), former({ risk }, T - 1)]).toEqual([0, 0, 1]);
});

describe('user who sets a previous address again', () => {
  test.each<[string, Partial<Address>, string, boolean]>([
    ['a proven address', {}, 'ada@example.com', true],
    ['a proven address, set again in another letter case', {}, 'ADA@example.com', true],
    [
      'a proven address that became claimed because only its letter case was changed',
      { standing: 'claimed' },
      'ada@example.com',
      true,
    ],
    ['an address that was never proven', { standing: 'claimed', generation: 99 }, 'ada@example.com', false],
    ['a superseded address', { generation: 0 }, 'ada@example.com', false],
    ['the address of another mailbox', {}, 'ada2@example.com', false],
  ])(
    'an address that a user sets again counts as a previous address only if the user had verified it: %s',
    (_title, change, value, isFormer) => {
      const former = { ...mail, ...change };
      const user = moved({ ...ada, email: former, lastAuthAt: T }, { email: other });
      expect(findFormerAddress(user, 'email', value)).toEqual(isFormer ? former : undefined);
    },
  );
});
