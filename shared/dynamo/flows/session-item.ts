import { CONSUMED_KEPT_SECONDS } from '../../domain/basis/limits.ts';
import type { MethodUse, RefreshFamily, RotatedToken, Session } from '../../ports/flows.ts';
import {
  number,
  omitUndefined,
  oneOf,
  optionalFlag,
  optionalMap,
  optionalNumber,
  optionalText,
  text,
} from '../attributes.ts';
import type { Item } from '../table.ts';

const METHODS = ['eml', 'eotp', 'sms', 'otp', 'social', 'webauthn'] as const;

export const ALIVE =
  'attribute_exists(#pk) AND attribute_not_exists(#ended_at) AND #expires_at > :at AND #ends_at > :at';

export function isAlive(item: Item, at: number): boolean {
  return item.ended_at === undefined && number(item, 'expires_at') > at && number(item, 'ends_at') > at;
}

export const previousAttributes = (previous: RotatedToken) => ({
  hash: previous.hash,
  rotated_at: previous.rotatedAt,
  sealed_successor: previous.sealedSuccessor,
  reissue: previous.reissue,
});

const toPrevious = (item: Item | undefined): RotatedToken | undefined =>
  item && {
    hash: text(item, 'hash'),
    rotatedAt: number(item, 'rotated_at'),
    sealedSuccessor: text(item, 'sealed_successor'),
    reissue: text(item, 'reissue'),
  };

export function familyAttributes(family: RefreshFamily) {
  return {
    client_id: family.clientId,
    current_hash: family.currentHash,
    scope: family.scope,
    resource: family.resource,
    organization_id: family.organizationId,
    claims: family.claims,
    nonce: family.nonce,
    dpop_jkt: family.dpopJkt,
    auth_time: family.authTime,
    issued_at: family.issuedAt,
    expires_at: family.expiresAt,
    previous: family.previous && previousAttributes(family.previous),
    ends_at: family.endsAt,
  };
}

function toFamily(familyId: string, item: Item): RefreshFamily {
  return omitUndefined({
    familyId,
    clientId: text(item, 'client_id'),
    currentHash: text(item, 'current_hash'),
    scope: text(item, 'scope'),
    resource: optionalText(item, 'resource'),
    organizationId: optionalText(item, 'organization_id'),
    claims: optionalText(item, 'claims'),
    nonce: optionalText(item, 'nonce'),
    dpopJkt: optionalText(item, 'dpop_jkt'),
    authTime: number(item, 'auth_time'),
    issuedAt: number(item, 'issued_at'),
    expiresAt: number(item, 'expires_at'),
    previous: toPrevious(optionalMap(item, 'previous')),
    endsAt: number(item, 'ends_at'),
  });
}

/** The families of an item that live: what has ended is a mark that keeps its ID from being used again. */
function toFamilies(item: Item): readonly RefreshFamily[] {
  return Object.entries(familyItems(item))
    .filter(([, family]) => family.ended_at === undefined)
    .map(([id, family]) => toFamily(id, family));
}

/** By family ID, living and ended. */
export function familyItems(item: Item): Readonly<Record<string, Item>> {
  const families = optionalMap(item, 'families') ?? {};
  return Object.fromEntries(Object.keys(families).map((id) => [id, optionalMap(families, id) ?? {}]));
}

export const methodAttributes = ({ method, at }: MethodUse) => ({ method, at });

export const toMethod = (item: Item): MethodUse => ({
  method: oneOf(item, 'method', METHODS),
  at: number(item, 'at'),
});

/**
 * By method its last use: a session is joined as often as people log in, and its item must not grow by it. `noted` tells
 * apart what was used in one second.
 */
export function lastUseByMethod(methods: readonly MethodUse[]): Readonly<Record<string, object>> {
  const noted = Date.now();
  return Object.fromEntries(methods.map(({ method, at }, index) => [method, { at, noted: noted + index }]));
}

function toMethods(item: Item): readonly MethodUse[] {
  const uses = optionalMap(item, 'methods') ?? {};
  return METHODS.flatMap((method) => {
    const use = optionalMap(uses, method);
    return use ? [{ method, at: number(use, 'at'), noted: number(use, 'noted') }] : [];
  })
    .sort((one, other) => one.at - other.at || one.noted - other.noted)
    .map(({ method, at }) => ({ method, at }));
}

export function toAttributes(session: Session) {
  return {
    session_id: session.sessionId,
    user_id: session.userId,
    tenant_id: session.tenantId,
    application_id: session.applicationId,
    client_id: session.clientId,
    methods: lastUseByMethod(session.methods),
    awaits_second_factor: session.awaitsSecondFactor,
    device_id: session.deviceId,
    user_agent: session.userAgent,
    ip_address: session.ipAddress,
    started_at: session.startedAt,
    expires_at: session.expiresAt,
    ends_at: session.endsAt,
    idle_seconds: session.idleSeconds,
    browser_hash: session.browserHash,
    families: Object.fromEntries(
      session.families.map((family) => [family.familyId, familyAttributes(family)]),
    ),
    purge_at: session.endsAt + CONSUMED_KEPT_SECONDS,
  };
}

export function toSession(item: Item): Session {
  return omitUndefined({
    sessionId: text(item, 'session_id'),
    userId: text(item, 'user_id'),
    tenantId: text(item, 'tenant_id'),
    applicationId: text(item, 'application_id'),
    clientId: text(item, 'client_id'),
    methods: toMethods(item),
    awaitsSecondFactor: optionalFlag(item, 'awaits_second_factor'),
    deviceId: optionalText(item, 'device_id'),
    userAgent: optionalText(item, 'user_agent'),
    ipAddress: optionalText(item, 'ip_address'),
    startedAt: number(item, 'started_at'),
    expiresAt: number(item, 'expires_at'),
    endsAt: number(item, 'ends_at'),
    idleSeconds: optionalNumber(item, 'idle_seconds'),
    browserHash: optionalText(item, 'browser_hash'),
    families: toFamilies(item),
  });
}
