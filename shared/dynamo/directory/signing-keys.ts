import type { PublicJwk } from '../../ports/directory.ts';
import type { SealedPrivateKey, SigningKey, SigningKeyRecords, SigningKeys } from '../../ports/keys.ts';
import { readText } from '../attributes.ts';
import { createCache } from '../cache.ts';
import { codec, json, jsonTexts, number, oneOf, optional, text } from '../codec.ts';
import { SIGNING_KEYS, signingKeyKey } from '../keys.ts';
import type { Table } from '../table.ts';

const sealed = codec<SealedPrivateKey>({
  ciphertext: text('sealed_private_key'),
  context: jsonTexts('sealing_context'),
});

const signingKeyItem = codec<SigningKey>({
  kid: text('kid'),
  alg: oneOf('alg', ['RS256', 'ES256']),
  publicJwk: json('public_jwk', (jwk): PublicJwk => ({ ...jwk, kty: readText(jwk, 'kty') })),
  keyArn: text('key_arn'),
  state: oneOf('state', ['next', 'current', 'previous']),
  stateSince: number('state_since'),
  sealed: optional(sealed),
  forcedBecause: optional(text('forced_because')),
});

const readAll = async (table: Table): Promise<readonly SigningKey[]> =>
  (await table.query(SIGNING_KEYS)).map(signingKeyItem.read);

/**
 * Marks the current ES256 key as `previous` if ES256 is turned off. The key then signs no new tokens, but the tokens that it
 * has already signed stay valid.
 */
const unlessOff = (key: SigningKey, es256: boolean): SigningKey =>
  key.alg === 'ES256' && key.state === 'current' && !es256 ? { ...key, state: 'previous' } : key;

export function signingKeys(table: Table, es256: boolean): SigningKeys {
  const cache = createCache<readonly SigningKey[]>();
  return {
    async list(options) {
      // An empty list is not cached, because the first key must be found as soon as it exists.
      const load = async () => {
        const keys = (await readAll(table)).map((key) => unlessOff(key, es256));
        return keys.length > 0 ? keys : undefined;
      };
      return (await cache(SIGNING_KEYS, load, options)) ?? [];
    },
  };
}

export function signingKeyRecords(table: Table): SigningKeyRecords {
  return {
    list: () => readAll(table),

    put(key) {
      const item = { ...signingKeyKey(key.kid), ...signingKeyItem.toAttributes(key) };
      return table.put(item, { condition: 'attribute_not_exists(#pk)', tokenAttribute: 'written_by' });
    },

    move: (kid, from, to, { at, forcedBecause }) =>
      table.change(signingKeyKey(kid), {
        condition: '#state = :from',
        set: { state: to, state_since: at, forced_because: forcedBecause },
        values: { from },
        tokenAttribute: 'written_by',
      }),

    remove: (kid, state) =>
      table.remove(signingKeyKey(kid), { condition: '#state = :state', values: { state } }),
  };
}
