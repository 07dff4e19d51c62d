import type { UpstreamLogin, UpstreamLogins } from '../../ports/authorization.ts';
import { isProvider } from '../../records/providers.ts';
import { readText, wrongAttribute } from '../attributes.ts';
import { attribute, codec, number, optional, text } from '../codec.ts';
import { upstreamLoginKey } from '../keys.ts';
import { readRecord } from '../record-store.ts';
import { singleUse } from '../single-use.ts';
import type { Table } from '../table.ts';

const OPEN = 'attribute_exists(#pk) AND attribute_not_exists(#consumed_at) AND #expires_at > :at';

const upstreamLoginItem = codec<UpstreamLogin>({
  hash: text('hash'),
  provider: attribute('provider', (item, name) => {
    const provider = readText(item, name);
    if (isProvider(provider)) return provider;
    throw wrongAttribute(name, 'provider');
  }),
  tenantId: text('tenant_id'),
  applicationId: text('application_id'),
  clientId: text('client_id'),
  browserHash: text('browser_hash'),
  request: text('request'),
  answer: optional(text('answer')),
  expiresAt: number('expires_at'),
  consumedAt: optional(number('consumed_at')),
});

/** Creates the store of logins at social providers. Each login is one item, with the hash of its `state` as its key. */
export function upstreamLogins(table: Table): UpstreamLogins {
  const { put, consume, undoConsume } = singleUse(table, upstreamLoginKey, upstreamLoginItem);
  return {
    put,
    consume,
    undoConsume: (hash, holder, answer) => undoConsume(hash, holder, answer === undefined ? {} : { answer }),

    find: (hash) => readRecord(table, upstreamLoginKey(hash), upstreamLoginItem),

    storeResponse: (hash, answer, at) =>
      table.change(upstreamLoginKey(hash), {
        condition: `${OPEN} AND attribute_not_exists(#answer)`,
        set: { answer },
        values: { at },
        tokenAttribute: 'answered_by',
      }),
  };
}
