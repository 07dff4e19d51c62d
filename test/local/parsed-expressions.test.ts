import { expect, test } from '@jest/globals';
import conditions, { type Parser } from 'dynalite/db/conditionParser.js';
import updates from 'dynalite/db/updateParser.js';
import { rememberExpressions } from '../../lib/local/emulators/dynamodb/parsed-expressions.ts';

rememberExpressions();

const attrNames = { '#a': 'a', '#b': 'b', '#c': 'c' };

function parsed(parser: Parser, text: string, attrVals: object) {
  const [unusedAttrNames, unusedAttrVals] = [{ ...attrNames }, { ...attrVals }];
  const context = { attrNames, attrVals, unusedAttrNames, unusedAttrVals };
  const tree = parser.parse(text, { context: { ...context, isReserved: () => false, compare: () => false } });
  return { tree, unusedAttrNames, unusedAttrVals };
}

test.each<[text: string, parser: Parser]>([
  ['attribute_not_exists(#a)', conditions],
  ['((#a = :a OR attribute_not_exists(#b)) AND (#c <= :b OR #a <> :a)) AND attribute_exists(#c)', conditions],
  ['begins_with(#a.#b[3], :a) AND size(#c) > :b AND NOT #a IN (:a, :b)', conditions],
  ['#b = :b', conditions],
  ['SET #a = :a, #b = if_not_exists(#b, :b) + :b REMOVE #c', updates],
  ['ADD #b :b SET #a.#c[1] = :a', updates],
  ['SET #a = :a, #a = :b', updates],
])(
  'the emulated DynamoDB evaluates a cached expression with the current attribute values: %s',
  (text, parser) => {
    const asked = (value: string) => ({ ':a': { S: value }, ':b': { N: '7' } });
    parsed(parser, text, asked('before'));
    const again = parsed(parser, text, asked('now'));
    // An additional space changes the text of the expression, so the expression is parsed without the cache.
    expect(again).toEqual(parsed(parser, `${text} `, asked('now')));
    expect(JSON.stringify(again)).not.toContain('before');
  },
);

test('the emulated DynamoDB checks the types of values even if the update expression is cached', () => {
  const add = (value: object) => parsed(updates, 'ADD #a :a', { ':a': value }).tree;
  expect(add({ N: '1' })).toMatchObject({ sections: [{ type: 'add' }] });
  expect(add({ S: '1' })).toContain('Incorrect operand type');
});

test('the emulated DynamoDB checks the values of each call even if the condition expression is cached', () => {
  const range = (low: string, high: string) => {
    const attrVals = { ':a': { N: low }, ':b': { N: high } };
    const compare = () => Number(low) > Number(high);
    const context = { attrNames, attrVals, unusedAttrNames: {}, unusedAttrVals: {}, compare };
    return conditions.parse('#a BETWEEN :a AND :b', { context: { ...context, isReserved: () => false } });
  };
  expect(range('1', '2')).toMatchObject({ expression: { type: 'between' } });
  expect(range('2', '1')).toContain('requires upper bound to be greater');
});
