import { parseUserId } from '../../domain/basis/random.ts';
import type { MethodUse, ProvenMethod, RefreshFamily, RotatedToken, Session } from '../../ports/flows.ts';
import { CHANNEL_METHODS } from '../../records/channels.ts';
import type { Item } from '../attributes.ts';
import { readMap, readNumber, readText } from '../attributes.ts';
import {
  attribute,
  type Codec,
  codec,
  type Field,
  flag,
  map,
  maps,
  number,
  oneOf,
  optional,
  text,
  textSet,
} from '../codec.ts';
import { bindingItem } from '../device-bindings.ts';

export const SESSION_IS_ACTIVE =
  'attribute_exists(#pk) AND attribute_not_exists(#ended_at) AND #expires_at > :at AND #ends_at > :at';

export function isSessionActive(item: Item, at: number): boolean {
  return (
    item.ended_at === undefined && readNumber(item, 'expires_at') > at && readNumber(item, 'ends_at') > at
  );
}

export const rotatedToken: Codec<RotatedToken> = codec<RotatedToken>({
  hash: text('hash'),
  rotatedAt: number('rotated_at'),
  expiresAt: number('expires_at'),
  sealedSuccessor: text('sealed'),
  jti: text('jti'),
  scope: optional(text('scope')),
  dpopJkt: optional(text('dpop_jkt')),
});

const MILLISECONDS = 1000;

const METHODS = [...CHANNEL_METHODS, 'otp', 'social', 'webauthn', 'moved'] as const;

/** Fields of a stored proof. Attribute names such as `by` and `in` are short, because DynamoDB bills by size. */
const proof = {
  method: oneOf('by', METHODS),
  at: number('at'),
  authTime: optional(number('auth')),
  scope: text('in'),
  worth: oneOf('as', ['proven', 'enrolled', 'verified', 'vouched', 'quarantined']),
};
const provenMethod: Codec<ProvenMethod> = codec<ProvenMethod>(proof);
export const methodUse: Codec<MethodUse> = codec<MethodUse>({ ...proof, credential: text('of') });

/** Codec of a refresh family. The family's ID is not an attribute, but the name of the map entry that contains the family. */
export const familyItem: Codec<Omit<RefreshFamily, 'familyId'>> = codec<Omit<RefreshFamily, 'familyId'>>({
  clientId: text('client_id'),
  currentHash: text('current_hash'),
  scope: text('scope'),
  resource: optional(text('resource')),
  consentId: optional(text('consent_id')),
  organizationId: optional(text('organization_id')),
  claims: optional(text('claims')),
  idTokenClaims: optional(oneOf('id_token_claims', ['requested'])),
  nonce: optional(text('nonce')),
  dpopJkt: optional(text('dpop_jkt')),
  authTime: number('auth_time'),
  methods: maps('methods', provenMethod),
  issuedAt: number('issued_at'),
  expiresAt: number('expires_at'),
  previous: optional(map('previous', rotatedToken)),
  endsAt: number('ends_at'),
});

/** Returns the items of all refresh families in a session, both active and revoked, by family ID. */
export function familyItems(item: Item): Readonly<Record<string, Item>> {
  const families = readMap(item, 'families');
  return Object.fromEntries(Object.keys(families).map((id) => [id, readMap(families, id)]));
}

/**
 * Returns the last use of each login method. Earlier uses are not stored, because the session's item must not grow with each
 * login. `ms` is the delay in milliseconds between the use and its storage, and orders uses within one second.
 */
export function lastUseByMethod(methods: readonly MethodUse[]): Readonly<Record<string, object>> {
  const now = Date.now();
  return Object.fromEntries(
    methods.map((use, index) => {
      const { by, ...proven } = methodUse.toAttributes(use);
      return [by, { ...proven, ms: now + index - use.at * MILLISECONDS }];
    }),
  );
}

function readMethods(item: Item, name: string): readonly MethodUse[] {
  const uses = readMap(item, name);
  return METHODS.filter((method) => uses[method] !== undefined)
    .map((method) => {
      const use = readMap(uses, method);
      return { use: methodUse.read({ ...use, by: method }), ms: readNumber(use, 'ms') };
    })
    .sort((one, other) => one.use.at - other.use.at || one.ms - other.ms)
    .map(({ use }) => use);
}

/** Returns the active refresh families. Revoked families are only markers, which prevent new families with the same ID. */
const readFamilies = (item: Item): readonly RefreshFamily[] =>
  Object.entries(familyItems(item))
    .filter(([, family]) => family.ended_at === undefined)
    .map(([familyId, family]) => ({ familyId, ...familyItem.read(family) }));

/**
 * User ID, read from the item's key. It is not stored in a second attribute, because every token refresh pays for the item's
 * size.
 */
const userIdFromKey: Field<string> = {
  attributes: ['sk'],
  read: (item) => parseUserId(readText(item, 'sk')),
  write: () => {},
};

export const sessionItem: Codec<Session> = codec<Session>({
  sessionId: text('sk'),
  userId: userIdFromKey,
  tenantId: text('tenant_id'),
  applicationId: text('application_id'),
  clientId: text('client_id'),
  methods: attribute('methods', readMethods, lastUseByMethod),
  awaitsSecondFactor: optional(flag('awaits_second_factor')),
  deviceId: optional(text('device_id')),
  userAgent: optional(text('user_agent')),
  ipAddress: optional(text('ip_address')),
  startedAt: number('started_at'),
  expiresAt: number('expires_at'),
  endsAt: number('ends_at'),
  idleSeconds: number('idle_seconds'),
  browserHash: optional(text('browser_hash')),
  browserMethods: optional(attribute('browser_methods', readMethods, lastUseByMethod)),
  binding: optional(map('binding', bindingItem)),
  generation: number('generation'),
  families: attribute('families', readFamilies, (families) =>
    Object.fromEntries(families.map((family) => [family.familyId, familyItem.toAttributes(family)])),
  ),
  otherClientIds: optional(textSet('clients')),
});
