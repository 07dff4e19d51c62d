import { expect, test } from '@jest/globals';
import { reserveIdentifiers } from '../../../shared/domain/identifiers/identifier-reservations.ts';
import type { Identifier } from '../../../shared/ports/people.ts';

test('the identifiers of a user are always reserved in the same order', async () => {
  const [a, b, c] = [
    { type: 'email', value: 'a' },
    { type: 'email', value: 'b' },
    { type: 'username', value: 'a' },
  ] as const;
  for (const given of [
    [a, b, c],
    [c, b, a],
    [b, c, a],
  ]) {
    const reserved: Identifier[] = [];
    const reserve = async (_: string, identifier: Identifier) => {
      reserved.push(identifier);
      return 'new';
    };
    const ports = { identifierReservations: { reserve } } as never;
    const { made } = await reserveIdentifiers(ports, 'tenant', 'user', given);
    expect([reserved, made]).toEqual([
      [a, b, c],
      [a, b, c],
    ]);
  }
});
