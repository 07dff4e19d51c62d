import { FAILURE_SHARDS } from '../domain/basis/limits.ts';
import { parseUserId } from '../domain/basis/random.ts';

// Key formats of all tables and items. The stores, CDK and the local server read this plain data.

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
   * Indexes for lists and searches. Index reads are eventually consistent, so no rule may depend on them. Indexes contain only
   * keys. With more attributes, each login would write to the index partition of all users of the tenant.
   */
  readonly indexes: readonly IndexLayout[];
  /** Name of the attribute that DynamoDB's TTL reads. TTL only removes old items; no rule depends on it. */
  readonly timeToLive?: string;
  /** True to enable point-in-time recovery and deletion protection. */
  readonly durable: boolean;
}

export const LIST_INDEX = 'by-parent';
export const listIndex = { name: LIST_INDEX, partitionKey: 'list_pk', sortKey: 'list_sk' } as const;
/** Name of the index that finds users by the beginning of their names, addresses and IDs. */
export const BEGINNING_INDEX = 'by-beginning';
export const beginningIndex = {
  name: BEGINNING_INDEX,
  partitionKey: 'find_pk',
  sortKey: 'find_sk',
} as const;

/** Layouts of all tables. All keys are strings. */
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

/** Joins the parts of a key. Escapes the separator in each part, so that a value cannot change another part. */
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
/**
 * Returns the partition with the origins of all applications that share an RP ID. Pass '' for applications without an RP ID.
 */
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
/** Returns the key of the tenant that owns a resource URI. */
export const uriOwnerKey = (uri: string): Key => ({ pk: join('uri-owner', uri), sk: 'uri-owner' });
/** Partition of all hosts that operators reserve for tenants. There are few such hosts, so they are listed together. */
export const RESERVED_HOSTS = 'reserved-host';
export const reservedHostKey = (host: string): Key => ({ pk: RESERVED_HOSTS, sk: host });
export const webhookKey = (webhookId: string): Key => ({
  pk: join('webhook', webhookId),
  sk: 'webhook',
});
/** Returns the partition of a webhook's deliveries. Each delivery ID begins with the time. */
export const webhookDeliveriesPartition = (webhookId: string): string => join('webhook-delivery', webhookId);
export const webhookDeliveryKey = (webhookId: string, deliveryId: string): Key => ({
  pk: webhookDeliveriesPartition(webhookId),
  sk: deliveryId,
});
/** Returns the key of a webhook's health. The key has the prefix of deliveries, so that one IAM permission covers both. */
export const webhookHealthKey = (webhookId: string): Key => ({
  pk: join('webhook-delivery', 'health', webhookId),
  sk: 'health',
});
export const organizationKey = (organizationId: string): Key => ({
  pk: join('org', organizationId),
  sk: 'org',
});
/** Returns the partition of an operator's grants. There is one item per tenant. */
export const operatorPartition = (userId: string): string => join('operator', userId);
/**
 * Returns the key of an operator grant.
 * @param grantId `<user>#<tenant>`
 */
export function operatorKey(grantId: string): Key {
  const [userId = '', tenantId = ''] = grantId.split('#');
  return { pk: operatorPartition(userId), sk: join('tenant', tenantId) };
}
export const enrolmentKey = ({ userId, tenantId }: { userId: string; tenantId: string }): Key => ({
  pk: join('enrolment', userId),
  sk: join('tenant', tenantId),
});
/** Partition of all signing keys. There are few keys, so they are read together. */
export const SIGNING_KEYS = 'signing-key';
export const signingKeyKey = (kid: string): Key => ({ pk: SIGNING_KEYS, sk: kid });

/** Returns the partition of all items of a user in the table `people`. */
export const userPartition = (userId: string): string => join('user', userId);
export const userKey = (userId: string): Key => ({ pk: userPartition(userId), sk: 'user' });
/** Returns the key of the item by which a user is found by last name. The user's own item is found by full name. */
export const lastNameKey = (userId: string): Key => ({ pk: userPartition(userId), sk: 'last-name' });
/** Returns the key of the item that lists a user among the users with a problem. */
export const problemKey = (userId: string): Key => ({ pk: userPartition(userId), sk: 'problem' });
export const memberKey = (userId: string, organizationId: string): Key => ({
  pk: userPartition(userId),
  sk: join('member', organizationId),
});
/** Returns the partition of a user's events and devices. It is separate from the user's own partition. */
export const timelinePartition = (userId: string): string => join('timeline', userId);
export const timelineKey = (userId: string, time: string, eventId: string): Key => ({
  pk: timelinePartition(userId),
  sk: join(time, eventId),
});
/**
 * Returns the partition of a tenant's changes. The partition key has the prefix of timelines, because another prefix would make
 * IAM policies longer than AWS allows.
 */
export const changesPartition = (tenantId: string): string => join('timeline', 'changes', tenantId);
export const userChangesPartition = (userId: string): string => join('timeline', 'changes-of', userId);
export const statisticsPartition = (tenantId: string, shard: number): string =>
  join('statistics', tenantId, String(shard));
/** Returns the key of a shard's counts for a quarter of an hour. The keys sort by time until the year 2286. */
export const statisticsKey = (tenantId: string, shard: number, quarter: number): Key => ({
  pk: statisticsPartition(tenantId, shard),
  sk: String(quarter),
});
/** Returns the partition of messages sent to a user. For an address without a user, the partition key is the address's HMAC. */
export const messagesPartition = (subject: string): string => join('messages', subject);
export const messageKey = (subject: string, time: string, eventId: string): Key => ({
  pk: messagesPartition(subject),
  sk: join(time, eventId),
});
/**
 * Returns the key of a sent SMS by the provider's message ID. The key has the prefix of messages, so that one IAM permission
 * covers both.
 */
export const sentTextKey = (messageId: string): Key => ({
  pk: join('messages', 'text', messageId),
  sk: 'text',
});
/**
 * Returns the partitions of a tenant's failed messages, one per shard. `messagesPartition` escapes the separator, so it never
 * returns one of these partitions. The keys have the prefix of messages, so that one IAM permission covers both.
 */
export const failuresPartitions = (tenantId: string): readonly string[] =>
  Array.from({ length: FAILURE_SHARDS }, (_, shard) => join('messages', 'failures', tenantId, String(shard)));
/** Returns the key of a failed message in its tenant's list. A repetition of the event has the same key. */
export const failureKey = (tenantId: string, time: string, eventId: string): Key => {
  const shard = [...eventId].reduce((sum, each) => sum + each.charCodeAt(0), 0) % FAILURE_SHARDS;
  return { pk: failuresPartitions(tenantId)[shard] ?? '', sk: join(time, eventId) };
};
export const seenDevicesPartition = (userId: string): string => join('seen', userId);
export const seenDeviceKey = (userId: string, device: string): Key => ({
  pk: seenDevicesPartition(userId),
  sk: device,
});
/**
 * Returns the key of a job. A job is not in the user's partition, because an erasure empties that partition before the job is
 * complete.
 */
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

/** Returns the key of a passkey. The key contains a hash, because a credential ID of 1,023 bytes is too long for a sort key. */
export const passkeyKey = (userId: string, credentialHash: string): Key => ({
  pk: userPartition(userId),
  sk: join('passkey', credentialHash),
});
export const credentialKey = (credentialHash: string): Key => ({
  pk: join('credential', credentialHash),
  sk: 'credential',
});
/** Returns the key of a device key, which signs approvals on a user's device. */
export const signingDeviceKey = (userId: string, keyId: string): Key => ({
  pk: userPartition(userId),
  sk: join('device-key', keyId),
});
/** Returns the key of a user's consent to a client that a metadata document identifies. */
export const consentKey = (userId: string, key: string): Key => ({
  pk: userPartition(userId),
  sk: join('consent', key),
});

/** Returns the partition of an identifier's codes in all applications, including deleted applications. */
export const oneTimeCodePartition = (identifierHash: string): string => join('otp', identifierHash);
export const oneTimeCodeKey = (applicationId: string, identifierHash: string, slot: string): Key => ({
  pk: oneTimeCodePartition(identifierHash),
  sk: join('app', applicationId, slot),
});
/** Returns the partition of a user's counters of consecutive wrong codes. */
export const guessesPartition = (person: string): string => join('guesses', person);
export const guessesKey = (userHash: string, callerType: string): Key => ({
  pk: guessesPartition(userHash),
  sk: callerType,
});
export const magicLinkKey = (hash: string): Key => ({ pk: join('link', hash), sk: 'link' });
export const authorizationCodeKey = (hash: string): Key => ({ pk: join('code', hash), sk: 'code' });
export const pushedRequestKey = (hash: string): Key => ({ pk: join('par', hash), sk: 'par' });
export const loginTransactionKey = (hash: string): Key => ({ pk: join('login', hash), sk: 'login' });
/** Returns the key of a cached client metadata document, by the hash of its URL. */
export const clientDocumentKey = (hash: string): Key => ({ pk: join('document', hash), sk: 'document' });
/** Returns the key of a login in progress at a social provider, by the hash of its `state`. */
export const upstreamLoginKey = (hash: string): Key => ({ pk: join('upstream', hash), sk: 'upstream' });
export const testCodeKey = (userId: string): Key => ({ pk: join('test-code', userId), sk: 'test-code' });
/** Returns the key of an operator's console session, by the hash of the secret in its cookie. */
export const consoleSessionKey = (hash: string): Key => ({
  pk: join('console-session', hash),
  sk: 'console-session',
});
export const noticeLinkKey = (hash: string): Key => ({ pk: join('notice-link', hash), sk: 'notice-link' });
export const replayKey = (hash: string): Key => ({ pk: join('jti', hash), sk: 'jti' });
export const revokedTokenKey = (jti: string): Key => ({ pk: join('revoked', jti), sk: 'revoked' });
export const webauthnChallengeKey = (hash: string): Key => ({ pk: join('webauthn', hash), sk: 'webauthn' });
export const approvalKey = (hash: string): Key => ({ pk: join('approval', hash), sk: 'approval' });
/** Returns the key of the item with all browsers from which a user has logged in. */
export const knownDevicesKey = (userId: string): Key => ({ pk: join('device', userId), sk: 'device' });
/** Returns the partition of a tenant's recently deleted applications. */
export const formerApplicationsPartition = (tenantId: string): string => join('former-apps', tenantId);
export const formerApplicationKey = (tenantId: string, applicationId: string): Key => ({
  pk: formerApplicationsPartition(tenantId),
  sk: applicationId,
});
export const sessionPartition = (userId: string): string => join('session', userId);
export const sessionKey = (sessionId: string): Key => ({
  pk: sessionPartition(parseUserId(sessionId)),
  sk: sessionId,
});
/** Returns the key of the item with all counters of a rate limit during one period of its longest window. */
export const windowKey = (key: string, longestSeconds: number, bucket: number): Key => ({
  pk: join('window', key),
  sk: `${longestSeconds}#${bucket}`,
});

/** Functions that return the partitions of the index `by-parent`. */
export const listPartitions = {
  tenants: () => 'tenants',
  applications: (tenantId: string) => join('apps-of', tenantId),
  clients: (parentId: string) => join('clients-of', parentId),
  resources: (tenantId: string) => join('resources-of', tenantId),
  organizations: (tenantId: string) => join('orgs-of', tenantId),
  operators: (tenantId: string) => join('operators-of', tenantId),
  webhooks: (tenantId: string) => join('webhooks-of', tenantId),
  users: (tenantId: string) => join('users-of', tenantId),
  problems: (tenantId: string) => join('problems-of', tenantId),
  /** Returns the partition of a tenant's user events of one type. Only events about failed logins are in this index. */
  events: (tenantId: string, type: string) => join('events-of', tenantId, type),
  jobs: () => 'jobs',
  reservations: (userId: string) => join('claims-of', userId),
  members: (organizationId: string) => join('members-of', organizationId),
} as const;

/** Returns a partition of the index `by-beginning`. There is one partition per tenant and first letter. */
export function beginningPartition(tenantId: string, folded: string): string {
  const [letter = ''] = folded;
  return join('find', tenantId, letter);
}
/** Returns a sort key that orders items by a text. The user's ID makes the key unique. */
export const beginningSort = (folded: string, userId: string): string => `${folded}#${userId}`;
/** Returns the attributes by which the index `by-beginning` finds a user's event by its request ID. */
export const requestIndexKey = (requestId: string) => ({
  find_pk: join('request', requestId),
  find_sk: requestId,
});
/** Returns a sort key that orders events by time. */
export const eventSort = (time: string, eventId: string): string => join(time, eventId);
/** Splits a stored key into its unescaped parts. */
export const splitKey = (key: string): readonly string[] =>
  key.split('#').map((part) => part.replaceAll('%23', '#').replaceAll('%25', '%'));

const TIME_DIGITS = 12;

/** Returns a sort key that orders items by time, then by ID. */
export const listSort = (createdAt: number, id: string): string =>
  `${String(createdAt).padStart(TIME_DIGITS, '0')}#${id}`;
