import { CONSUMED_KEPT_SECONDS } from '../domain/limits.ts';
import type { MethodUse, RefreshFamily, Session } from '../ports/flows.ts';
import { compact, maps, number, oneOf, optionalMap, optionalText, text } from './attributes.ts';
import type { Item } from './table.ts';

const METHODS = ['eml', 'eotp', 'sms', 'otp', 'social', 'webauthn'] as const;

export function familyAttributes(family: RefreshFamily) {
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

export const methodAttributes = ({ method, at }: MethodUse) => ({ method, at });

export function toAttributes(session: Session) {
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

export function toSession(item: Item): Session {
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
