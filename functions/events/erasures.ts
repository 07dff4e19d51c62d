import { ERASING_SECONDS, ERASURES_AT_ONCE, LIST_LIMIT_MAX } from '../../shared/domain/basis/limits.ts';
import { nowSeconds } from '../../shared/domain/basis/time.ts';
import { eraseDueUser } from '../../shared/domain/users/erase-user.ts';
import { log } from '../../shared/http/log.ts';
import type { PendingErasure } from '../../shared/ports/people.ts';
import type { BackgroundPorts, CreateBackground } from '../background.ts';

const MILLISECONDS = 1000;

async function erase(ports: BackgroundPorts<'erasures'>, due: PendingErasure): Promise<void> {
  const { userId, tenantId, erasureId } = due;
  const tenant = await ports.tenants.find(tenantId);
  // A tenant is deleted after its users.
  if (!tenant) return void (await ports.pendingErasures.remove(userId, erasureId));
  if (!(await eraseDueUser(ports, tenant, due, nowSeconds()))) return;
  log('info', {
    event: 'erasures',
    request_id: erasureId,
    result: 'ok',
    tenant_id: tenantId,
    user_id: userId,
    audit: ['user.erased'],
  });
}

/**
 * Erases the users who have deleted their own account, when their time is up: every quarter of an hour, several at once. The list
 * is the checkpoint: who is erased is out of it, and the next run does the rest. What fails stays in the list and is an error of
 * the function, after the others.
 */
export const create: CreateBackground<'erasures', object> = (ports) => async () => {
  const startedAt = Date.now();
  const failures: unknown[] = [];
  const isTimeLeft = () => Date.now() - startedAt < ERASING_SECONDS * MILLISECONDS;
  let cursor: string | undefined;
  do {
    // Those that fail stay at the head of the list, and must not keep the others from their turn.
    const page = { limit: LIST_LIMIT_MAX, ...(cursor !== undefined && { cursor }) };
    const { items, nextCursor } = await ports.pendingErasures.listDue(nowSeconds(), page);
    const waiting = items.values();
    const eraseNext = async () => {
      for (const due of waiting)
        if (isTimeLeft()) await erase(ports, due).catch((error: unknown) => failures.push(error));
    };
    await Promise.all(Array.from({ length: ERASURES_AT_ONCE }, eraseNext));
    cursor = nextCursor;
  } while (cursor !== undefined && isTimeLeft());
  if (failures.length > 0) throw failures[0];
};
