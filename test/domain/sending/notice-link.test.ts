import { expect, test } from '@jest/globals';
import {
  findNoticeLink,
  makeNoticeLink,
  type NoticeLinkTarget,
  requireUndoLink,
} from '../../../shared/domain/sending/notice-link.ts';
import type { NoticeLink } from '../../../shared/ports/authorization.ts';
import { T } from '../../support/server/records.ts';

/** Stores a notice link. Returns its secret, its URL and the ports with which it is found. */
async function stored(target: NoticeLinkTarget) {
  const links = new Map<string, NoticeLink>();
  const noticeLinks = {
    put: async (link: NoticeLink) => void links.set(link.hash, link),
    find: async (hash: string) => links.get(hash),
  } as never;
  const origin = { browserOrigin: 'https://login.example.com' };
  const url = await makeNoticeLink({ noticeLinks }, target, T + 60, origin);
  const secret = new URL(url).searchParams.get('link') ?? '';
  return { ports: { noticeLinks }, links: [...links.values()], secret, url };
}
const owner = { userId: 'ann', tenantId: 'tenant' };

test('a notice link is stored until it expires, and only its secret opens its target', async () => {
  const target: NoticeLinkTarget = { ...owner, undoes: { kind: 'erasure', erasureId: 'e' } };
  const { ports, links, secret, url } = await stored(target);
  expect(url).toBe(`https://login.example.com/notice?link=${secret}`);
  expect(links).toEqual([{ hash: expect.any(String), target: expect.any(String), expiresAt: T + 60 }]);
  expect(JSON.stringify(links)).not.toContain('ann');
  expect(await findNoticeLink(ports, secret, T)).toEqual(target);
  expect(await findNoticeLink(ports, 'another', T)).toBeUndefined();
});

test.each<[NoticeLinkTarget['undoes'], object, boolean]>([
  [{ kind: 'address', changeId: 'c' }, {}, true],
  [{ kind: 'change', changeId: 'c' }, {}, true],
  [{ kind: 'recovery', changeId: 'c' }, {}, false],
  [{ kind: 'change', changeId: 'c' }, { changeId: 'other' }, false],
  [{ kind: 'change', changeId: 'c' }, { userId: 'ben' }, false],
  [{ kind: 'change', changeId: 'c' }, { link: 'another' }, false],
])('a link that undoes %j is accepted for the request with %j: %s', async (undoes, change, isAccepted) => {
  const { ports, secret } = await stored({ ...owner, undoes });
  const requiring = requireUndoLink(ports, { link: secret, userId: 'ann', changeId: 'c', ...change }, T);
  if (isAccepted) await requiring;
  else await expect(requiring).rejects.toMatchObject({ key: 'notice_link_over' });
});
