import { grantId } from '../../../shared/domain/basis/operators.ts';
import {
  applicationRecords,
  applications,
  applicationsOfTenant,
} from '../../../shared/dynamo/directory/applications.ts';
import { clientRecords, clients } from '../../../shared/dynamo/directory/clients.ts';
import { formerIssuers } from '../../../shared/dynamo/directory/former-issuers.ts';
import {
  operatorEnrolments,
  operatorRecords,
  operators,
} from '../../../shared/dynamo/directory/operators.ts';
import { organizationRecords, organizations } from '../../../shared/dynamo/directory/organizations.ts';
import { relatedOrigins, rpIds } from '../../../shared/dynamo/directory/relying-parties.ts';
import { resourceRecords, resources, resourcesOfTenant } from '../../../shared/dynamo/directory/resources.ts';
import { signingKeyRecords, signingKeys } from '../../../shared/dynamo/directory/signing-keys.ts';
import { tenantRecords, tenants } from '../../../shared/dynamo/directory/tenants.ts';
import { uriOwnerRecords, uriOwners } from '../../../shared/dynamo/directory/uri-owners.ts';
import { webhookRecords, webhooks } from '../../../shared/dynamo/directory/webhooks.ts';
import { resourceUriKey, uriOwnerKey } from '../../../shared/dynamo/keys.ts';
import type { Application, RecordStore, Resource, ResourceRecords } from '../../../shared/ports/directory.ts';
import {
  someApplication,
  someClient,
  someGrant,
  someOrganization,
  someResource,
  someSigningKey,
  someTenant,
  someWebhook,
  T,
  unique,
} from '../../support/server/records.ts';
import { calls, type Exercises, editing, withRecord } from './exercise.ts';

const application = editing(someApplication, ({ applicationId }) => applicationId);
const withOrigins = withRecord<RecordStore<Application>, Application>;
const inResource = (call: (store: ResourceRecords, resource: Resource) => Promise<unknown>) =>
  withRecord<ResourceRecords, Resource>(
    (store, { tenantId, uri, resourceId }) => store.reserveUri(tenantId, uri, resourceId),
    someResource,
    call,
  );

const ENROLMENT = { userId: 'user', tenantId: 'tenant', hash: 'hash', browserHash: 'browser' };

export const directoryExercises = {
  tenants: { make: tenants, verbs: { find: (store) => store.find('id') } },
  applications: { make: applications, verbs: { find: (store) => store.find('id') } },
  clients: { make: clients, verbs: { find: (store) => store.find('id') } },
  organizations: { make: organizations, verbs: { find: (store) => store.find('id') } },
  resources: {
    make: resources,
    verbs: {
      findByUri: async (store, table) => {
        const { tenantId, uri, resourceId } = someResource();
        await resourceRecords(table).reserveUri(tenantId, uri, resourceId);
        calls.clear();
        return store.findByUri(tenantId, uri);
      },
    },
  },
  applicationsOfTenant: {
    make: applicationsOfTenant,
    verbs: {
      list: async (store, table) => {
        const application = someApplication();
        await applicationRecords(table).put(application);
        calls.clear();
        return store.list(application.tenantId);
      },
    },
  },
  resourcesOfTenant: {
    make: resourcesOfTenant,
    verbs: {
      list: async (store, table) => {
        const resource = someResource();
        await resourceRecords(table).put(resource);
        calls.clear();
        return store.list(resource.tenantId);
      },
    },
  },
  signingKeys: { make: (table) => signingKeys(table, true), verbs: { list: (store) => store.list() } },
  tenantRecords: { make: tenantRecords, verbs: editing(someTenant, ({ tenantId }) => tenantId) },
  applicationRecords: {
    make: applicationRecords,
    verbs: {
      ...application,
      areAtLeast: (store) => store.areAtLeast('tenant', 2),
      put: (store) => store.put(someApplication({ origins: ['https://a.example'] })),
      replace: withOrigins(
        (store, record) => store.put(record),
        () => someApplication({ origins: ['https://a.example'] }),
        (store, record) => store.replace(record, { ...record, rpId: 'example.com' }),
      ),
      remove: withOrigins(
        (store, record) => store.put(record),
        () => someApplication({ origins: ['https://a.example'] }),
        (store, { applicationId }) => store.remove(applicationId),
      ),
    },
  },
  relatedOrigins: {
    make: relatedOrigins,
    verbs: { list: (store) => store.list('example.com', { byDefault: true }) },
  },
  clientRecords: {
    make: clientRecords,
    verbs: editing(
      someClient,
      ({ clientId }) => clientId,
      ({ applicationId, tenantId }) => applicationId ?? tenantId,
    ),
  },
  operators: {
    make: operators,
    verbs: {
      find: (store) => store.find({ userId: 'user', tenantId: 'tenant' }),
      listOfUser: (store) => store.listOfUser('user'),
    },
  },
  operatorRecords: { make: operatorRecords, verbs: editing(someGrant, grantId) },
  operatorEnrolments: {
    make: operatorEnrolments,
    verbs: {
      find: (store) => store.find(ENROLMENT),
      bind: (store) => store.bind(ENROLMENT),
      complete: (store) => store.complete(ENROLMENT, T),
      remove: (store) => store.remove(ENROLMENT),
    },
  },
  webhookRecords: { make: webhookRecords, verbs: editing(someWebhook, ({ webhookId }) => webhookId) },
  webhooks: {
    make: webhooks,
    verbs: {
      find: (store) => store.find('id'),
      listOf: async (store, table) => {
        const webhook = someWebhook();
        await webhookRecords(table).put(webhook);
        calls.clear();
        return store.listOf(webhook.tenantId);
      },
    },
  },
  organizationRecords: {
    make: organizationRecords,
    verbs: editing(someOrganization, ({ organizationId }) => organizationId),
  },
  resourceRecords: {
    make: resourceRecords,
    verbs: {
      ...editing(someResource, ({ resourceId }) => resourceId),
      // An old reservation: the next caller looks up its resource.
      reserveUri: async (store, table) => {
        const { tenantId, uri, resourceId } = someResource();
        await table.put({ ...resourceUriKey(tenantId, uri), resource_id: resourceId, claimed_at: 0 });
        calls.clear();
        return store.reserveUri(tenantId, uri, 'other');
      },
      releaseUri: inResource((store, { tenantId, uri, resourceId }) =>
        store.releaseUri(tenantId, uri, resourceId, Date.now() / 1000),
      ),
    },
  },
  uriOwners: {
    make: uriOwners,
    verbs: {
      // Held for another tenant long ago, on a host that none has reserved.
      reserve: async (store, table) => {
        const { tenantId, uri } = someResource();
        await table.put({ ...uriOwnerKey(uri), tenant_id: 'other', claimed_at: 0 });
        await table.put({ ...resourceUriKey('other', uri), resource_id: 'gone', claimed_at: 0 });
        calls.clear();
        return store.reserve(tenantId, uri, T);
      },
      hold: (store) => store.hold('tenant', someResource().uri, T),
    },
  },
  uriOwnerRecords: {
    make: uriOwnerRecords,
    verbs: {
      find: (store) => store.find(someResource().uri),
      assign: (store) => store.assign('tenant', someResource().uri, T),
      revoke: (store) => store.revoke('tenant', someResource().uri),
      listHosts: (store) => store.listHosts(),
      reserveHost: (store) => store.reserveHost('tenant', `${unique('host')}.example`),
      freeHost: (store) => store.freeHost('tenant', 'host.example'),
    },
  },
  signingKeyRecords: {
    make: signingKeyRecords,
    verbs: {
      list: (store) => store.list(),
      put: async (store) => {
        const key = someSigningKey();
        await store.put(key);
        await store.put(key);
      },
      move: (store) => store.move(someSigningKey().kid, 'next', 'current', { at: T }),
      remove: (store) => store.remove(someSigningKey().kid, 'current'),
    },
  },
  formerIssuers: {
    make: formerIssuers,
    verbs: {
      find: (store) => store.find('app', T),
      put: (store) =>
        store.put({
          ...{ applicationId: 'app', issuer: 'https://old.example', audience: 'shop' },
          ...{ jwksUri: 'https://old.example/jwks', until: T },
        }),
      remove: (store) => store.remove('app'),
    },
  },
  rpIds: { make: rpIds, verbs: { fix: (store) => store.fix(unique('app'), 'example.com') } },
} as const satisfies Partial<Exercises>;
