import { EXPIRED_KEPT_SECONDS } from '../../domain/basis/limits.ts';
import type { NoticeLink, NoticeLinks } from '../../ports/authorization.ts';
import { codec, number, text } from '../codec.ts';
import { noticeLinkKey } from '../keys.ts';
import { singleUse } from '../single-use.ts';
import type { Table } from '../table.ts';

const noticeLinkItem = codec<NoticeLink>({
  hash: text('hash'),
  target: text('target'),
  expiresAt: number('expires_at'),
});

export function noticeLinks(table: Table): NoticeLinks {
  const { put, find } = singleUse(table, noticeLinkKey, noticeLinkItem);
  return {
    put,
    find,
    async extend(hash, expiresAt) {
      await table.update(noticeLinkKey(hash), {
        condition: 'attribute_exists(#pk)',
        set: { expires_at: expiresAt, purge_at: expiresAt + EXPIRED_KEPT_SECONDS },
        returnsNothing: true,
      });
    },
  };
}
