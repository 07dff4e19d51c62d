import type { PublicJwk } from '../../ports/directory.ts';
import type { SealedPrivateKey, SigningKey, SigningKeyRecords, SigningKeys } from '../../ports/keys.ts';
import {
  asJson,
  number,
  omitUndefined,
  oneOf,
  optionalJson,
  optionalJsonTexts,
  optionalText,
  text,
} from '../attributes.ts';
import { createCache } from '../cache.ts';
import { SIGNING_KEYS, signingKeyKey } from '../keys.ts';
import type { Item, Table } from '../table.ts';

function toJwk(item: Item): PublicJwk {
  const jwk = optionalJson(item, 'public_jwk') ?? {};
  return { ...jwk, kty: text(jwk, 'kty') };
}

function toSealed(item: Item): SealedPrivateKey | undefined {
  const ciphertext = optionalText(item, 'sealed_private_key');
  if (ciphertext === undefined) return undefined;
  return { ciphertext, context: optionalJsonTexts(item, 'sealing_context') ?? {} };
}

function toSigningKey(item: Item): SigningKey {
  return omitUndefined({
    kid: text(item, 'kid'),
    alg: oneOf(item, 'alg', ['RS256', 'ES256']),
    publicJwk: toJwk(item),
    keyArn: text(item, 'key_arn'),
    state: oneOf(item, 'state', ['next', 'current', 'previous']),
    stateSince: number(item, 'state_since'),
    sealed: toSealed(item),
    forcedBecause: optionalText(item, 'forced_because'),
  });
}

const readAll = async (table: Table): Promise<readonly SigningKey[]> =>
  (await table.query(SIGNING_KEYS)).map(toSigningKey);

export function signingKeys(table: Table): SigningKeys {
  const cache = createCache<readonly SigningKey[]>();
  return {
    async list(options) {
      // No keys at all is no finding: the first one must work at once.
      const load = async () => {
        const keys = await readAll(table);
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
      const by = crypto.randomUUID();
      const item = {
        ...signingKeyKey(key.kid),
        kid: key.kid,
        alg: key.alg,
        public_jwk: asJson(key.publicJwk),
        key_arn: key.keyArn,
        sealed_private_key: key.sealed?.ciphertext,
        sealing_context: asJson(key.sealed?.context),
        state: key.state,
        state_since: key.stateSince,
        written_by: by,
      };
      return table.put(item, {
        condition: 'attribute_not_exists(#pk)',
        ours: (found) => found.written_by === by,
      });
    },

    async move(kid, from, to, at, forcedBecause) {
      const by = crypto.randomUUID();
      const item = await table.update(signingKeyKey(kid), {
        condition: '#state = :from',
        set: { state: to, state_since: at, written_by: by, forced_because: forcedBecause },
        values: { from },
        ours: (found) => found.written_by === by,
      });
      return item !== undefined;
    },

    remove: (kid, state) =>
      table.remove(signingKeyKey(kid), { condition: '#state = :state', values: { state } }),
  };
}
