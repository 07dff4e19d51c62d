import type { DeviceBinding, SessionBindings } from '../ports/signing.ts';
import { type Codec, codec, number, optional, text } from './codec.ts';
import type { Key } from './keys.ts';
import type { Table } from './table.ts';

export const bindingItem: Codec<DeviceBinding> = codec<DeviceBinding>({
  secret: text('secret'),
  key: optional(text('key')),
  proofs: number('proofs'),
  provenAt: number('proven_at'),
});

/**
 * Creates the methods that write the device bindings of sessions.
 * @param isActive Condition that a session is active at `:at`
 */
export function deviceBindings(table: Table, toKey: (id: string) => Key, isActive: string): SessionBindings {
  return {
    bind: (sessionId, { secret, key, at }) =>
      table.change(toKey(sessionId), {
        condition: `${isActive} AND #binding.#secret = :secret AND attribute_not_exists(#binding.#key)`,
        compute: ['#binding.#key = :key', '#binding.#proven_at = :at'],
        values: { at, secret, key },
        tokenAttribute: 'bound_by',
        returnsNothing: true,
      }),
    countProof: (sessionId, { key, proofs, at }) =>
      table.change(toKey(sessionId), {
        condition: `${isActive} AND #binding.#key = :key AND #binding.#proofs = :proofs`,
        compute: ['#binding.#proofs = :next', '#binding.#proven_at = :at'],
        values: { at, key, proofs, next: proofs + 1 },
        tokenAttribute: 'bound_by',
        returnsNothing: true,
      }),
  };
}
