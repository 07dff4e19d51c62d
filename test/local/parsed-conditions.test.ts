import { expect, test } from '@jest/globals';
import parser from 'dynalite/db/conditionParser.js';
import { rememberConditions } from '../../lib/local/emulators/dynamodb/parsed-conditions.ts';

rememberConditions();

const attrNames = { '#a': 'a', '#b': 'b', '#c': 'c' };

function parsed(text: string, value: string) {
  const attrVals = { ':a': { S: value }, ':b': { N: '7' } };
  const [unusedAttrNames, unusedAttrVals] = [{ ...attrNames }, { ...attrVals }];
  const context = { attrNames, attrVals, unusedAttrNames, unusedAttrVals };
  const tree = parser.parse(text, { context: { ...context, isReserved: () => false, compare: () => false } });
  return { tree, unusedAttrNames, unusedAttrVals };
}

test.each([
  'attribute_not_exists(#a)',
  '((#a = :a OR attribute_not_exists(#b)) AND (#c <= :b OR #a <> :a)) AND attribute_exists(#c)',
  'begins_with(#a.#b[3], :a) AND size(#c) > :b AND NOT #a IN (:a, :b)',
  '#b = :b',
])('%s is the same from memory, with the values of now', (text) => {
  parsed(text, 'before');
  const again = parsed(text, 'now');
  // One space makes it another text, which is parsed anew.
  expect(again).toEqual(parsed(`${text} `, 'now'));
  expect(JSON.stringify(again)).not.toContain('before');
});

test('what depends on values is decided by those of now', () => {
  const range = (low: string, high: string) => {
    const attrVals = { ':a': { N: low }, ':b': { N: high } };
    const compare = () => Number(low) > Number(high);
    const context = { attrNames, attrVals, unusedAttrNames: {}, unusedAttrVals: {}, compare };
    return parser.parse('#a BETWEEN :a AND :b', { context: { ...context, isReserved: () => false } });
  };
  expect(range('1', '2')).toMatchObject({ expression: { type: 'between' } });
  expect(range('2', '1')).toContain('requires upper bound to be greater');
});
