import { describe, expect, test } from '@jest/globals';
import { readMap, readMaps, readNumbers, readTexts } from '../../shared/dynamo/attributes.ts';
import {
  codec,
  flag,
  json,
  map,
  maps,
  number,
  oneOf,
  optional,
  text,
  texts,
} from '../../shared/dynamo/codec.ts';

interface Person {
  readonly name: string;
  readonly age?: number;
}

const person = codec<Person>({ name: text('full_name'), age: optional(number('age')) });

describe('codecs for stored records', () => {
  test('a record codec that lacks an optional field does not compile', () => {
    // @ts-expect-error age is missing
    codec<Person>({ name: text('full_name') });
    // @ts-expect-error age may be absent
    codec<Person>({ name: text('full_name'), age: number('age') });
    // @ts-expect-error name may not be absent
    codec<Person>({ name: optional(text('full_name')), age: optional(number('age')) });
  });

  test('a record that is written through a codec is read back unchanged', () => {
    for (const record of [{ name: 'Ada' }, { name: 'Ada', age: 36 }])
      expect(person.read(person.toAttributes(record))).toStrictEqual(record);
  });

  test('a record codec writes no attribute for an undefined field', () => {
    expect(person.toAttributes({ name: 'Ada' })).toStrictEqual({ full_name: 'Ada', age: undefined });
    expect(person.attributes).toEqual(['full_name', 'age']);
  });

  test('the error about an attribute of the wrong type does not contain the attribute’s value', () => {
    for (const value of [['secret'], 'secret'])
      expect(() => readNumbers({ counting: value }, 'counting')).toThrow(
        new Error('Stored attribute counting is not a list of numbers'),
      );
    for (const value of [['group', 7], 'secret'])
      expect(() => readTexts({ groups: value }, 'groups')).toThrow(
        new Error('Stored attribute groups is not a list of strings'),
      );
    expect(() => person.read({ full_name: 'Ada', age: 'secret' })).toThrow(
      new Error('Stored attribute age is not a number'),
    );
    for (const value of ['secret', ['secret'], new Set(['secret']), null]) {
      expect(() => readMap({ brand: value }, 'brand')).toThrow(
        new Error('Stored attribute brand is not a map'),
      );
      expect(() => readMaps({ brands: [{}, value] }, 'brands')).toThrow(
        new Error('Stored attribute brands is not a list of maps'),
      );
    }
    expect(() => readMaps({ brands: 'secret' }, 'brands')).toThrow(
      new Error('Stored attribute brands is not a list of maps'),
    );
    for (const [field, expected] of [
      [text('given'), 'string'],
      [flag('given'), 'boolean'],
      [oneOf('given', ['one', 'two']), 'known value'],
    ] as const)
      expect(() => field.read({ given: 7 })).toThrow(
        new Error(`Stored attribute given is not a ${expected}`),
      );
    expect(() => json('given', () => 'secret').read({ given: '["secret"]' })).toThrow(
      new Error('Stored attribute given is not a JSON object'),
    );
  });

  test.each([
    text,
    number,
    flag,
    texts,
    (name: string) => map(name, person),
    (name: string) => maps(name, person),
  ])('a record codec rejects an item that lacks a required attribute (%#)', (field) => {
    expect(() => field('given').read({})).toThrow(new Error('Stored attribute given is missing'));
  });
});
