import { everyItem } from '../../../shared/domain/basis/change-record.ts';
import { LIST_LIMIT_MAX } from '../../../shared/domain/basis/limits.ts';
import type { Using } from '../../../shared/ports/uses.ts';

export interface UnmarkedCredentials {
  readonly passkeys: number;
  readonly deviceKeys: number;
  /** False: there are more users than were looked at. */
  readonly complete: boolean;
}

/** About a minute's work. */
const USERS_MAX = 100_000;

/** Counts credentials without `goodAt`: no record tells whether a client or the person has bound them. */
export async function countUnmarked(
  ports: Using<'tenantRecords.list' | 'userRecords.list' | 'passkeyRecords.listOf' | 'deviceKeys.listOf'>,
  usersMax = USERS_MAX,
): Promise<UnmarkedCredentials> {
  const found = { passkeys: 0, deviceKeys: 0 };
  let users = 0;
  const isUnmarked = ({ goodAt }: { readonly goodAt?: string }) => goodAt === undefined;
  const look = async (userId: string) => {
    const [passkeys, deviceKeys] = await Promise.all([
      ports.passkeyRecords.listOf(userId),
      ports.deviceKeys.listOf(userId),
    ]);
    found.passkeys += passkeys.filter(isUnmarked).length;
    found.deviceKeys += deviceKeys.filter(isUnmarked).length;
  };
  for await (const tenant of everyItem((page) => ports.tenantRecords.list('', page))) {
    if (tenant.narrowsCredentials) continue;
    let cursor: string | undefined;
    do {
      if (users >= usersMax) return { ...found, complete: false };
      const request = { limit: LIST_LIMIT_MAX, ...(cursor === undefined ? {} : { cursor }) };
      const page = await ports.userRecords.list(tenant.tenantId, request);
      await Promise.all(page.items.map(({ userId }) => look(userId)));
      users += page.items.length;
      cursor = page.nextCursor;
    } while (cursor !== undefined);
  }
  return { ...found, complete: true };
}
