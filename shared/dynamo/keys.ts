import { userOfSession } from '../domain/basis/random.ts';

/** Every table and every key: plain data, read by the stores, CDK and the local server. */

export type TableName = 'directory' | 'people' | 'flows';

export interface Key {
  readonly pk: string;
  readonly sk: string;
}

export interface IndexLayout {
  readonly name: string;
  readonly partitionKey: string;
  readonly sortKey: string;
}

export interface TableLayout {
  readonly partitionKey: 'pk';
  readonly sortKey: 'sk';
  /**
   * For lists and searches only: reads of an index are eventually consistent, so no rule may stand on them. Keys alone are
   * projected: a login changes its user's item, and would else write to the one partition that lists the users of its tenant.
   */
  readonly indexes: readonly IndexLayout[];
  /** The attribute that TTL reads: it cleans up, it never decides. */
  readonly timeToLive?: string;
  /** Point-in-time recovery and deletion protection. */
  readonly durable: boolean;
}

export const LIST_INDEX = 'by-parent';
export const listIndex = { name: LIST_INDEX, partitionKey: 'list_pk', sortKey: 'list_sk' } as const;
/** Users by the beginning of what they are called. */
export const BEGINNING_INDEX = 'by-beginning';
export const beginningIndex = {
  name: BEGINNING_INDEX,
  partitionKey: 'find_pk',
  sortKey: 'find_sk',
} as const;

/** All keys are strings. */
export const tableLayouts: Readonly<Record<TableName, TableLayout>> = {
  directory: { partitionKey: 'pk', sortKey: 'sk', indexes: [listIndex], durable: true },
  people: {
    partitionKey: 'pk',
    sortKey: 'sk',
    indexes: [listIndex, beginningIndex],
    timeToLive: 'purge_at',
    durable: true,
  },
  flows: { partitionKey: 'pk', sortKey: 'sk', indexes: [], timeToLive: 'purge_at', durable: false },
};

/** Escapes the separator in every part: no value can reach into the next. */
function join(kind: string, ...parts: readonly string[]): string {
  return [kind, ...parts.map((part) => part.replaceAll('%', '%25').replaceAll('#', '%23'))].join('#');
}

export const tenantKey = (tenantId: string): Key => ({ pk: join('tenant', tenantId), sk: 'tenant' });
export const applicationKey = (applicationId: string): Key => ({
  pk: join('app', applicationId),
  sk: 'app',
});
export const formerIssuerKey = (applicationId: string): Key => ({
  pk: join('former-issuer', applicationId),
  sk: 'former-issuer',
});
/** The origins of the applications with one RP ID; of those without, under an empty name. */
export const relatedOriginsPartition = (rpId: string): string => join('rp', rpId);
export const relatedOriginsKey = (rpId: string, applicationId: string): Key => ({
  pk: relatedOriginsPartition(rpId),
  sk: applicationId,
});
export const clientKey = (clientId: string): Key => ({ pk: join('client', clientId), sk: 'client' });
export const resourceKey = (resourceId: string): Key => ({
  pk: join('resource', resourceId),
  sk: 'resource',
});
export const resourceUriKey = (tenantId: string, uri: string): Key => ({
  pk: join('resource-uri', tenantId, uri),
  sk: 'resource-uri',
});
/** The tenant of the environment that a URI belongs to. */
export const uriOwnerKey = (uri: string): Key => ({ pk: join('uri-owner', uri), sk: 'uri-owner' });
/** Hosts that operators keep for tenants, in one partition: they are few, and listed together. */
export const RESERVED_HOSTS = 'reserved-host';
export const reservedHostKey = (host: string): Key => ({ pk: RESERVED_HOSTS, sk: host });
export const webhookKey = (webhookId: string): Key => ({
  pk: join('webhook', webhookId),
  sk: 'webhook',
});
/** What was posted to a webhook; the ID of a delivery begins with its time. */
export const webhookDeliveriesPartition = (webhookId: string): string => join('webhook-delivery', webhookId);
export const webhookDeliveryKey = (webhookId: string, deliveryId: string): Key => ({
  pk: webhookDeliveriesPartition(webhookId),
  sk: deliveryId,
});
export const organizationKey = (organizationId: string): Key => ({
  pk: join('org', organizationId),
  sk: 'org',
});
/** What a user of the operators' tenant may do in other tenants: an item each. */
export const operatorPartition = (userId: string): string => join('operator', userId);
/** `grantId`: `<user>#<tenant>`. */
export function operatorKey(grantId: string): Key {
  const [userId = '', tenantId = ''] = grantId.split('#');
  return { pk: operatorPartition(userId), sk: join('tenant', tenantId) };
}
export const enrolmentKey = ({ userId, tenantId }: { userId: string; tenantId: string }): Key => ({
  pk: join('enrolment', userId),
  sk: join('tenant', tenantId),
});
/** All signing keys are one partition: a handful, always read together. */
export const SIGNING_KEYS = 'signing-key';
export const signingKeyKey = (kid: string): Key => ({ pk: SIGNING_KEYS, sk: kid });

/** Everything that belongs to one user in `people`. */
export const userPartition = (userId: string): string => join('user', userId);
export const userKey = (userId: string): Key => ({ pk: userPartition(userId), sk: 'user' });
/** What finds a user by their last name alone; the user's own item does so by the whole name. */
export const lastNameKey = (userId: string): Key => ({ pk: userPartition(userId), sk: 'last-name' });
export const memberKey = (userId: string, organizationId: string): Key => ({
  pk: userPartition(userId),
  sk: join('member', organizationId),
});
/** What happened to a user, and the devices that it happened from; apart from the user's own partition. */
export const timelinePartition = (userId: string): string => join('timeline', userId);
export const timelineKey = (userId: string, time: string, eventId: string): Key => ({
  pk: timelinePartition(userId),
  sk: join(time, eventId),
});
/** Changes of a tenant, or those that are about one person. Beside the timelines: the policy of a role has no room for a prefix more. */
export const changesPartition = (tenantId: string): string => join('timeline', 'changes', tenantId);
export const changesOfUserPartition = (userId: string): string => join('timeline', 'changes-of', userId);
export const statisticsPartition = (tenantId: string, shard: number): string =>
  join('statistics', tenantId, String(shard));
/** Sorts by time until the year 2286. */
export const statisticsKey = (tenantId: string, shard: number, quarter: number): Key => ({
  pk: statisticsPartition(tenantId, shard),
  sk: String(quarter),
});
/** Messages to a user, or to an address without one, by its HMAC. */
export const messagesPartition = (subject: string): string => join('messages', subject);
export const messageKey = (subject: string, time: string, eventId: string): Key => ({
  pk: messagesPartition(subject),
  sk: join(time, eventId),
});
/** Beside them: a text by the ID that its provider gave it. */
export const sentTextKey = (messageId: string): Key => ({
  pk: join('messages', 'text', messageId),
  sk: 'text',
});
export const seenDevicesPartition = (userId: string): string => join('seen', userId);
export const seenDeviceKey = (userId: string, device: string): Key => ({
  pk: seenDevicesPartition(userId),
  sk: device,
});
/** Apart from the user's own partition, which is emptied first: what broke off is found again. */
export const jobKey = ({
  subjectId,
  jobId,
}: {
  readonly subjectId: string;
  readonly jobId: string;
}): Key => ({
  pk: join('job', subjectId),
  sk: jobId,
});
export const identifierKey = (tenantId: string, type: string, value: string): Key => ({
  pk: join('identifier', tenantId, type, value),
  sk: 'identifier',
});

/** A credential ID may have 1023 bytes, more than a sort key takes as text, so the key holds its hash. */
export const passkeyKey = (userId: string, credentialHash: string): Key => ({
  pk: userPartition(userId),
  sk: join('passkey', credentialHash),
});
export const credentialKey = (credentialHash: string): Key => ({
  pk: join('credential', credentialHash),
  sk: 'credential',
});
/** A key on a user's device that signs approvals. */
export const signingDeviceKey = (userId: string, keyId: string): Key => ({
  pk: userPartition(userId),
  sk: join('device-key', keyId),
});
/** What a user lets a client by document do. */
export const consentKey = (userId: string, key: string): Key => ({
  pk: userPartition(userId),
  sk: join('consent', key),
});

export const oneTimeCodePartition = (applicationId: string, identifierHash: string): string =>
  join('otp', applicationId, identifierHash);
export const oneTimeCodeKey = (applicationId: string, identifierHash: string, slot: string): Key => ({
  pk: oneTimeCodePartition(applicationId, identifierHash),
  sk: slot,
});
/** Wrong codes in a row. */
export const guessesPartition = (person: string): string => join('guesses', person);
export const guessesKey = (person: string, asker: string): Key => ({
  pk: guessesPartition(person),
  sk: asker,
});
export const magicLinkKey = (hash: string): Key => ({ pk: join('link', hash), sk: 'link' });
export const authorizationCodeKey = (hash: string): Key => ({ pk: join('code', hash), sk: 'code' });
export const pushedRequestKey = (hash: string): Key => ({ pk: join('par', hash), sk: 'par' });
export const loginTransactionKey = (hash: string): Key => ({ pk: join('login', hash), sk: 'login' });
/** The document of a client, by its address. */
export const clientDocumentKey = (hash: string): Key => ({ pk: join('document', hash), sk: 'document' });
/** A browser on its way to a social provider and back. */
export const upstreamLoginKey = (hash: string): Key => ({ pk: join('upstream', hash), sk: 'upstream' });
export const testCodeKey = (userId: string): Key => ({ pk: join('test-code', userId), sk: 'test-code' });
/** An operator's login at the console. */
export const consoleSessionKey = (hash: string): Key => ({
  pk: join('console-session', hash),
  sk: 'console-session',
});
export const noticeLinkKey = (hash: string): Key => ({ pk: join('notice-link', hash), sk: 'notice-link' });
export const replayKey = (hash: string): Key => ({ pk: join('jti', hash), sk: 'jti' });
export const revokedTokenKey = (jti: string): Key => ({ pk: join('revoked', jti), sk: 'revoked' });
export const webauthnChallengeKey = (hash: string): Key => ({ pk: join('webauthn', hash), sk: 'webauthn' });
export const approvalKey = (hash: string): Key => ({ pk: join('approval', hash), sk: 'approval' });
/** The browsers that a user has logged in from. */
export const knownDevicesKey = (userId: string): Key => ({ pk: join('device', userId), sk: 'device' });
/** The applications that a tenant had lately. */
export const formerApplicationsPartition = (tenantId: string): string => join('former-apps', tenantId);
export const formerApplicationKey = (tenantId: string, applicationId: string): Key => ({
  pk: formerApplicationsPartition(tenantId),
  sk: applicationId,
});
export const sessionPartition = (userId: string): string => join('session', userId);
export const sessionKey = (sessionId: string): Key => ({
  pk: sessionPartition(userOfSession(sessionId)),
  sk: sessionId,
});
/** One item for all windows of a key while the longest of them lasts. */
export const windowKey = (key: string, longestSeconds: number, bucket: number): Key => ({
  pk: join('window', key),
  sk: `${longestSeconds}#${bucket}`,
});

/** Partitions of the index `by-parent`. */
export const listPartitions = {
  tenants: () => 'tenants',
  applications: (tenantId: string) => join('apps-of', tenantId),
  clients: (parentId: string) => join('clients-of', parentId),
  resources: (tenantId: string) => join('resources-of', tenantId),
  organizations: (tenantId: string) => join('orgs-of', tenantId),
  operators: (tenantId: string) => join('operators-of', tenantId),
  webhooks: (tenantId: string) => join('webhooks-of', tenantId),
  users: (tenantId: string) => join('users-of', tenantId),
  jobs: () => 'jobs',
  reservations: (userId: string) => join('claims-of', userId),
  members: (organizationId: string) => join('members-of', organizationId),
} as const;

/** Partitions of the index `by-beginning`: one for each first letter in a tenant. */
export const beginningPartition = (tenantId: string, folded: string): string =>
  join('find', tenantId, String.fromCodePoint(folded.codePointAt(0) ?? 0));
/** Sorts by the text, and names the user. */
export const beginningSort = (folded: string, userId: string): string => `${folded}#${userId}`;
/** The parts of a key, as they were before they were joined. */
export const partsOf = (key: string): readonly string[] =>
  key.split('#').map((part) => part.replaceAll('%23', '#').replaceAll('%25', '%'));

const TIME_DIGITS = 12;

/** Sorts by time, then by ID. */
export const listSort = (createdAt: number, id: string): string =>
  `${String(createdAt).padStart(TIME_DIGITS, '0')}#${id}`;
