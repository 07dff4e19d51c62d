import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { APPROVAL_DATA_MAX_BYTES } from '../../../shared/domain/basis/limits.ts';
import {
  readApprovalClaim,
  readApprovalData,
  splitApprovalData,
} from '../../../shared/domain/credentials/approval-data.ts';
import { verifyApproval } from '../../../shared/domain/credentials/verify-approval.ts';
import { readClaimsParameter } from '../../../shared/domain/oauth/authorization-claims.ts';
import { runs, SEED } from '../../support/tools/full-run.ts';

const refused = (complaint: string) =>
  expect.objectContaining({ key: 'system_invalid_input', message: `approval_data: ${complaint}` });

const withKeys = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`key.${index}`, 'value']));

describe('validation of approval_data', () => {
  test('a request without approval_data is accepted', () => {
    expect(readApprovalData(undefined)).toBeUndefined();
  });

  test('approval_data may be an empty object', () => {
    expect(readApprovalData({})).toEqual({});
  });

  test('parsing approval_data does not change its keys and values', () => {
    const data = { amount: '12.50 €', 'payee.name-1_a': '👩‍👩‍👧', empty: '' };
    expect(readApprovalData(data)).toEqual(data);
  });

  test.each([[null], ['text'], [5], [true], [['a']]])(
    'approval_data is rejected if it is not an object: %j',
    (given) => {
      expect(() => readApprovalData(given)).toThrow(refused('must be an object'));
    },
  );

  test('approval_data with more than 10 keys is rejected', () => {
    expect(readApprovalData(withKeys(10))).toEqual(withKeys(10));
    expect(() => readApprovalData(withKeys(11))).toThrow(refused('must have at most 10 keys'));
  });

  test.each([['a b'], ['a$'], ['ключ'], ['a\n'], [''], ['a/b'], ['{otp}']])(
    'approval_data with the key %j is rejected',
    (key) => {
      expect(() => readApprovalData({ [key]: 'value' })).toThrow(
        refused('keys must be letters, digits, underscores, hyphens and periods'),
      );
    },
  );

  test.each([['__proto__'], ['constructor'], ['prototype']])(
    'approval_data with the key %s is rejected',
    (key) => {
      const given = JSON.parse(`{"${key}": "5"}`);
      expect(() => readApprovalData(given)).toThrow(refused(`the key ${key} is not allowed`));
    },
  );

  test.each([[5], [null], [true], [{}], [[]]])(
    'approval_data is rejected if a value is not a string: %j',
    (value) => {
      expect(() => readApprovalData({ amount: value })).toThrow(
        refused('the value of amount must be a string'),
      );
    },
  );

  test('approval_data whose JSON is longer than 4 KB is rejected', () => {
    const around = Buffer.byteLength(JSON.stringify({ text: '' }));
    const fits = { text: 'x'.repeat(APPROVAL_DATA_MAX_BYTES - around) };
    expect(readApprovalData(fits)).toEqual(fits);
    const complaint = refused('must be at most 4096 bytes');
    expect(() => readApprovalData({ text: `${fits.text}x` })).toThrow(complaint);
    expect(() => readApprovalData({ text: 'é'.repeat(APPROVAL_DATA_MAX_BYTES / 2) })).toThrow(complaint);
  });
});

describe('approval_data in the claims parameter', () => {
  test.each([
    [{ value: { amount: '7' } }, { texts: { amount: '7' } }],
    [{ essential: true, value: {} }, { texts: {} }],
    [
      { type: 'money_transfer', data: { payee: 'Bo', amount: '7' } },
      { type: 'money_transfer', texts: { payee: 'Bo', amount: '7' } },
    ],
    // Inside `value`, the keys `type` and `data` are ordinary keys of the approval data.
    [{ value: { type: 'a', data: 'b' } }, { texts: { type: 'a', data: 'b' } }],
  ])('the approval_data claim %j is accepted', (claim, parts) => {
    expect(splitApprovalData(readApprovalClaim({ approval_data: claim }))).toEqual(parts);
  });

  test.each([['money transfer'], [''], ['a'.repeat(65)], [7]])(
    'an approval_data claim with the type %j is rejected',
    (type) => {
      const claim = { type, data: { payee: 'Bo' } };
      expect(() => readApprovalClaim({ approval_data: claim })).toThrow('approval_data.type must be');
    },
  );

  test.each([
    ['a value and a type', { value: { payee: 'Bo' }, type: 'transfer' }],
    ['a value and data', { value: { payee: 'Bo' }, data: { payee: 'Bo' } }],
    ['a value, a type and data', { value: { payee: 'Bo' }, type: 'transfer', data: { payee: 'Eve' } }],
  ])('an approval_data claim with %s is rejected', (_, claim) => {
    expect(() => readApprovalClaim({ approval_data: claim })).toThrow(
      'must have either value, or type and data',
    );
  });

  test.each([
    ['only a type', { type: 'transfer' }, 'approval_data.data is required'],
    ['only data', { data: { payee: 'Bo' } }, 'approval_data.type must be'],
    ['no member', {}, 'needs value, or type and data'],
    ['a text', 'transfer', 'must be an object'],
  ])('an approval_data claim with %s is rejected', (_, claim, complaint) => {
    expect(() => readApprovalClaim({ approval_data: claim })).toThrow(complaint);
  });

  test('a malformed approval_data claim causes an error instead of being ignored', () => {
    const flat = fc.dictionary(fc.string(), fc.string());
    const shape = fc.oneof(
      fc.anything(),
      fc.record({ value: fc.oneof(flat, fc.anything()) }),
      fc.record({ type: fc.oneof(fc.string(), fc.anything()), data: fc.oneof(flat, fc.anything()) }),
    );
    const read = (claim: unknown) => {
      const claims = JSON.stringify({ id_token: { approval_data: claim } });
      // JSON.stringify omits an undefined claim, so the claim is not requested.
      if (!claims.includes('approval_data')) return true;
      try {
        return readClaimsParameter(claims).approvalData !== undefined;
      } catch (error) {
        return error instanceof Error && error.message.includes(':');
      }
    };
    fc.assert(fc.property(shape, read), { seed: SEED, numRuns: runs(2000) });
  });
});

test.each([[null], ['text'], [7], [[]]])(
  'verifyApproval rejects an input or signing_artifacts that is not an object: %j',
  (given) => {
    expect(() => verifyApproval(given)).toThrow('the input is not a JSON object');
    // `signing_artifacts: null` counts as absent.
    if (given !== null)
      expect(() => verifyApproval({ signing_artifacts: given })).toThrow(
        'signing_artifacts is not an object',
      );
  },
);
