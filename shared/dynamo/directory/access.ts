import { get, list, onTable, type PortAccess, put, query, queryIndex, remove, update } from '../access.ts';
import { RESERVED_HOSTS, SIGNING_KEYS } from '../keys.ts';

const directory = onTable('directory');
const record = (prefix: string, parent: string) => ({
  put: [directory(prefix, put)],
  find: [directory(prefix, get)],
  replace: [directory(prefix, put)],
  remove: [directory(prefix, remove)],
  list: list('directory', parent, prefix),
});

export const directoryAccess = {
  tenants: { find: [directory('tenant#', get)] },
  applications: { find: [directory('app#', get)] },
  applicationsOfTenant: { list: list('directory', 'apps-of#', 'app#') },
  clients: { find: [directory('client#', get)] },
  resources: { findByUri: [directory('resource-uri#', get), directory('resource#', get)] },
  resourcesOfTenant: { list: list('directory', 'resources-of#', 'resource#') },
  organizations: { find: [directory('org#', get)] },
  signingKeys: { list: [directory(SIGNING_KEYS, query)] },
  tenantRecords: record('tenant#', 'tenants'),
  applicationRecords: {
    ...record('app#', 'apps-of#'),
    areAtLeast: [queryIndex('directory', 'apps-of#')],
    put: [directory('app#', put), directory('rp#', put)],
    replace: [directory('app#', put), directory('rp#', put, remove)],
    remove: [directory('app#', get, remove), directory('rp#', remove)],
  },
  relatedOrigins: { list: [directory('rp#', query)] },
  clientRecords: record('client#', 'clients-of#'),
  organizationRecords: record('org#', 'orgs-of#'),
  operatorRecords: record('operator#', 'operators-of#'),
  operatorEnrolments: {
    find: [directory('enrolment#', get)],
    bind: [directory('enrolment#', put)],
    complete: [directory('enrolment#', update)],
    remove: [directory('enrolment#', remove)],
  },
  operators: { find: [directory('operator#', get)], listOfUser: [directory('operator#', query)] },
  webhookRecords: record('webhook#', 'webhooks-of#'),
  webhooks: { find: [directory('webhook#', get)], listOf: list('directory', 'webhooks-of#', 'webhook#') },
  resourceRecords: {
    ...record('resource#', 'resources-of#'),
    reserveUri: [directory('resource-uri#', put), directory('resource#', get)],
    releaseUri: [directory('resource-uri#', remove)],
  },
  uriOwners: {
    reserve: [
      directory(RESERVED_HOSTS, get),
      directory('uri-owner#', put),
      directory('resource-uri#', get),
      directory('resource#', get),
    ],
    reserveUntil: [directory('uri-owner#', update)],
  },
  uriOwnerRecords: {
    find: [directory('uri-owner#', get)],
    assign: [directory('uri-owner#', put)],
    revoke: [directory('resource-uri#', remove)],
    listHosts: [directory(RESERVED_HOSTS, query)],
    reserveHost: [directory(RESERVED_HOSTS, put)],
    freeHost: [directory(RESERVED_HOSTS, remove)],
  },
  signingKeyRecords: {
    list: [directory(SIGNING_KEYS, query)],
    put: [directory(SIGNING_KEYS, put)],
    move: [directory(SIGNING_KEYS, update)],
    remove: [directory(SIGNING_KEYS, remove)],
  },
  formerIssuers: {
    find: [directory('former-issuer#', get)],
    put: [directory('former-issuer#', put)],
    remove: [directory('former-issuer#', remove)],
  },
  rpIds: { fix: [directory('app#', update)] },
} as const satisfies PortAccess;
