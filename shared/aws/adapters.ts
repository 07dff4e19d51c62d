import { applicationRecords as storedApplications, applications as knownApplications } from '../dynamo/applications.ts';
import { clientRecords as storedClients, clients as knownClients } from '../dynamo/clients.ts';
import { identifierClaims as storedClaims, identifiers as storedIdentifiers } from '../dynamo/identifiers.ts';
import { magicLinks } from '../dynamo/magic-links.ts';
import { membershipRecords as storedMemberships, memberships as knownMemberships } from '../dynamo/memberships.ts';
import { oneTimeCodes } from '../dynamo/one-time-codes.ts';
import { organizationRecords as storedOrganizations, organizations as knownOrganizations } from '../dynamo/organizations.ts';
import { resourceRecords as storedResources, resources as knownResources } from '../dynamo/resources.ts';
import { sessions as storedSessions } from '../dynamo/sessions.ts';
import { signingKeyRecords as storedKeys, signingKeys as knownKeys } from '../dynamo/signing-keys.ts';
import { tenantRecords as storedTenants, tenants as knownTenants } from '../dynamo/tenants.ts';
import { userRecords as storedUsers, users as knownUsers } from '../dynamo/users.ts';
import { windows as storedWindows } from '../dynamo/windows.ts';
import type { PortName, Ports } from '../ports/index.ts';
import type { AwsContext } from './context.ts';
import { kmsCodeMac } from './kms-code-mac.ts';
import { kmsSigner } from './kms-signer.ts';
import { sesMailer } from './ses-mailer.ts';
import { required } from './settings.ts';
import { snsTexter } from './sns-texter.ts';

/**
 * One adapter per port, by the port's name. A function's bundle holds those of its row alone: the bundler puts a module
 * in the place of this one that exports them and nothing else.
 */
type Adapter<Name extends PortName> = (context: AwsContext) => Ports[Name];

export const tenants: Adapter<'tenants'> = ({ table }) => knownTenants(table('directory'));
export const applications: Adapter<'applications'> = ({ table }) => knownApplications(table('directory'));
export const clients: Adapter<'clients'> = ({ table }) => knownClients(table('directory'));
export const resources: Adapter<'resources'> = ({ table }) => knownResources(table('directory'));
export const organizations: Adapter<'organizations'> = ({ table }) => knownOrganizations(table('directory'));
export const signingKeys: Adapter<'signingKeys'> = ({ table }) => knownKeys(table('directory'));

export const users: Adapter<'users'> = ({ table }) => knownUsers(table('people'));
export const identifiers: Adapter<'identifiers'> = ({ table }) => storedIdentifiers(table('people'));
export const memberships: Adapter<'memberships'> = ({ table }) => knownMemberships(table('people'));

export const otps: Adapter<'otps'> = ({ table }) => oneTimeCodes(table('flows'));
export const links: Adapter<'links'> = ({ table }) => magicLinks(table('flows'));
export const sessions: Adapter<'sessions'> = ({ table }) => storedSessions(table('flows'));
export const windows: Adapter<'windows'> = ({ table }) => storedWindows(table('flows'));

export const codeMac: Adapter<'codeMac'> = ({ env }) => kmsCodeMac(required(env, 'MAC_KEY_ID'));
export const signer: Adapter<'signer'> = () => kmsSigner();
export const mailer: Adapter<'mailer'> = ({ env }) =>
  sesMailer({ configurationSet: env.SES_CONFIGURATION_SET });
export const texter: Adapter<'texter'> = () => snsTexter();

export const tenantRecords: Adapter<'tenantRecords'> = ({ table }) => storedTenants(table('directory'));
export const applicationRecords: Adapter<'applicationRecords'> = ({ table }) =>
  storedApplications(table('directory'));
export const clientRecords: Adapter<'clientRecords'> = ({ table }) => storedClients(table('directory'));
export const resourceRecords: Adapter<'resourceRecords'> = ({ table }) => storedResources(table('directory'));
export const organizationRecords: Adapter<'organizationRecords'> = ({ table }) =>
  storedOrganizations(table('directory'));
export const signingKeyRecords: Adapter<'signingKeyRecords'> = ({ table }) => storedKeys(table('directory'));
export const userRecords: Adapter<'userRecords'> = ({ table }) => storedUsers(table('people'));
export const identifierClaims: Adapter<'identifierClaims'> = ({ table }) => storedClaims(table('people'));
export const membershipRecords: Adapter<'membershipRecords'> = ({ table }) => storedMemberships(table('people'));
