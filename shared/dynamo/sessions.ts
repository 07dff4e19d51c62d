import { CONSUMED_KEPT_SECONDS } from '../domain/limits.ts';
import type { MethodUse, RefreshFamily, Session, Sessions } from '../ports/flows.ts';
import { compact, maps, number, oneOf, optionalMap, optionalText, text } from './attributes.ts';
import { sessionKey, sessionPartition } from './keys.ts';
import type { Item, Table } from './table.ts';

const METHODS = ['eml', 'eotp', 'sms', 'otp', 'social', 'webauthn'] as const;

function familyAttributes(family: RefreshFamily) {
  return {
    client_id: family.clientId,
    current_hash: family.currentHash,
    scope: family.scope,
    resource: family.resource,
    organization_id: family.organizationId,
    claims: family.claims,
    auth_time: family.authTime,
    issued_at: family.issuedAt,
    expires_at: family.expiresAt,
    ends_at: family.endsAt,
  };
}

function toFamily(familyId: string, item: Item): RefreshFamily {
  return compact({
    familyId,
    clientId: text(item, 'client_id'),
    currentHash: text(item, 'current_hash'),
    scope: text(item, 'scope'),
    resource: optionalText(item, 'resource'),
    organizationId: optionalText(item, 'organization_id'),
    claims: optionalText(item, 'claims'),
    authTime: number(item, 'auth_time'),
    issuedAt: number(item, 'issued_at'),
    expiresAt: number(item, 'expires_at'),
    endsAt: number(item, 'ends_at'),
  });
}

const methodAttributes = ({ method, at }: MethodUse) => ({ method, at });

function toAttributes(session: Session) {
  return {
    session_id: session.sessionId,
    user_id: session.userId,
    tenant_id: session.tenantId,
    application_id: session.applicationId,
    client_id: session.clientId,
    methods: session.methods.map(methodAttributes),
    device_id: session.deviceId,
    user_agent: session.userAgent,
    ip_address: session.ipAddress,
    started_at: session.startedAt,
    expires_at: session.expiresAt,
    ends_at: session.endsAt,
    families: Object.fromEntries(
      session.families.map((family) => [family.familyId, familyAttributes(family)]),
    ),
    purge_at: session.endsAt + CONSUMED_KEPT_SECONDS,
  };
}

function toSession(item: Item): Session {
  const families = optionalMap(item, 'families') ?? {};
  return compact({
    sessionId: text(item, 'session_id'),
    userId: text(item, 'user_id'),
    tenantId: text(item, 'tenant_id'),
    applicationId: text(item, 'application_id'),
    clientId: text(item, 'client_id'),
    methods: maps(item, 'methods').map((use) => ({
      method: oneOf(use, 'method', METHODS),
      at: number(use, 'at'),
    })),
    deviceId: optionalText(item, 'device_id'),
    userAgent: optionalText(item, 'user_agent'),
    ipAddress: optionalText(item, 'ip_address'),
    startedAt: number(item, 'started_at'),
    expiresAt: number(item, 'expires_at'),
    endsAt: number(item, 'ends_at'),
    families: Object.keys(families).map((id) => toFamily(id, optionalMap(families, id) ?? {})),
  });
}

const ALIVE =
  'attribute_exists(#pk) AND attribute_not_exists(#ended_at) AND #expires_at > :at AND #ends_at > :at';

function isAlive(item: Item, at: number): boolean {
  return item.ended_at === undefined && number(item, 'expires_at') > at && number(item, 'ends_at') > at;
}

/** One item a session, its refresh families inside: one write ends them all. */
export function sessions(table: Table): Sessions {
  async function end(sessionId: string, at: number): Promise<boolean> {
    const by = crypto.randomUUID();
    const item = await table.update(sessionKey(sessionId), {
      condition: ALIVE,
      set: { ended_at: at, ended_by: by, purge_at: at + CONSUMED_KEPT_SECONDS },
      // What is over needs no trace of the person's device.
      remove: ['#families', '#device_id', '#user_agent', '#ip_address'],
      values: { at },
      ours: (found) => found.ended_by === by,
    });
    return item !== undefined;
  }

  return {
    async start(session) {
      // Refused only for a repetition of this very write: a session that ended meanwhile must not come back.
      await table.put(
        { ...sessionKey(session.sessionId), ...toAttributes(session) },
        { condition: 'attribute_not_exists(#pk)' },
      );
    },

    async find(sessionId, at) {
      const item = await table.get(sessionKey(sessionId));
      return item !== undefined && isAlive(item, at) ? toSession(item) : undefined;
    },

    async join(sessionId, { at, expiresAt, method, family, dropFamilies }) {
      const dropped = dropFamilies.filter((id) => id !== family.familyId);
      const item = await table.update(sessionKey(sessionId), {
        condition: `${ALIVE} AND attribute_not_exists(#families.#family)`,
        compute: ['#methods = list_append(#methods, :methods)', '#families.#family = :family'],
        set: { expires_at: expiresAt },
        remove: dropped.map((_, i) => `#families.#dropped${i}`),
        names: {
          family: family.familyId,
          ...Object.fromEntries(dropped.map((id, i) => [`dropped${i}`, id])),
        },
        values: { at, methods: [methodAttributes(method)], family: familyAttributes(family) },
        ours: (found) => optionalMap(found, 'families')?.[family.familyId] !== undefined,
      });
      return item !== undefined;
    },

    end,

    async listOf(userId, at) {
      const items = await table.query(sessionPartition(userId));
      return items.filter((item) => isAlive(item, at)).map(toSession);
    },

    async endAllOf(userId, at) {
      const items = await table.query(sessionPartition(userId));
      const alive = items.filter((item) => isAlive(item, at));
      const ended = await Promise.all(alive.map((item) => end(text(item, 'session_id'), at)));
      return ended.filter(Boolean).length;
    },
  };
}
