import { applicationRecords } from '../../shared/dynamo/applications.ts';
import { clientRecords } from '../../shared/dynamo/clients.ts';
import { formerApplications } from '../../shared/dynamo/former-applications.ts';
import { identifierClaims, identifiers } from '../../shared/dynamo/identifiers.ts';
import { knownDeviceRecords } from '../../shared/dynamo/known-devices.ts';
import { membershipRecords, memberships } from '../../shared/dynamo/memberships.ts';
import { oneTimeCodes } from '../../shared/dynamo/one-time-codes.ts';
import { organizationRecords, organizations } from '../../shared/dynamo/organizations.ts';
import { passkeyRecords } from '../../shared/dynamo/passkeys.ts';
import { resourceRecords, resources } from '../../shared/dynamo/resources.ts';
import { sessions } from '../../shared/dynamo/sessions.ts';
import { tenantRecords } from '../../shared/dynamo/tenants.ts';
import { timeline } from '../../shared/dynamo/timeline.ts';
import { userRecords, users } from '../../shared/dynamo/users.ts';
import { webhookRecords } from '../../shared/dynamo/webhooks.ts';
import { windowRecords } from '../../shared/dynamo/windows.ts';
import type { Ports } from '../../shared/ports/index.ts';
import type { Store } from './store.ts';

export type StoredPorts = Pick<
  Ports,
  | 'tenantRecords'
  | 'applicationRecords'
  | 'clientRecords'
  | 'resourceRecords'
  | 'resources'
  | 'organizationRecords'
  | 'organizations'
  | 'userRecords'
  | 'users'
  | 'identifierClaims'
  | 'identifiers'
  | 'membershipRecords'
  | 'memberships'
  | 'passkeyRecords'
  | 'otps'
  | 'sessions'
  | 'windowRecords'
  | 'knownDeviceRecords'
  | 'formerApplications'
  | 'timeline'
  | 'webhookRecords'
>;

/** The real stores behind the rules of users and configuration. */
export function storedPorts(store: Store): StoredPorts {
  const [directory, people, flows] = [store.table('directory'), store.table('people'), store.table('flows')];
  return {
    tenantRecords: tenantRecords(directory),
    applicationRecords: applicationRecords(directory),
    clientRecords: clientRecords(directory),
    resourceRecords: resourceRecords(directory),
    resources: resources(directory),
    organizationRecords: organizationRecords(directory),
    organizations: organizations(directory),
    userRecords: userRecords(people),
    users: users(people),
    identifierClaims: identifierClaims(people),
    identifiers: identifiers(people),
    membershipRecords: membershipRecords(people),
    memberships: memberships(people),
    passkeyRecords: passkeyRecords(people),
    otps: oneTimeCodes(flows),
    sessions: sessions(flows),
    windowRecords: windowRecords(flows),
    knownDeviceRecords: knownDeviceRecords(flows),
    formerApplications: formerApplications(flows),
    timeline: timeline(people),
    webhookRecords: webhookRecords(directory),
  };
}
