import { readAreas } from '../domain/basis/areas.ts';
import { consoleSessions as storedConsoleSessions } from '../dynamo/console/console-sessions.ts';
import {
  applications as knownApplications,
  applicationsOfTenant as listedApplications,
  applicationRecords as storedApplications,
} from '../dynamo/directory/applications.ts';
import { clients as knownClients, clientRecords as storedClients } from '../dynamo/directory/clients.ts';
import { formerIssuers as storedFormerIssuers } from '../dynamo/directory/former-issuers.ts';
import {
  operators as knownOperators,
  operatorEnrolments as storedEnrolments,
  operatorRecords as storedOperators,
} from '../dynamo/directory/operators.ts';
import {
  organizations as knownOrganizations,
  organizationRecords as storedOrganizations,
} from '../dynamo/directory/organizations.ts';
import {
  relatedOrigins as storedOrigins,
  rpIds as storedRpIds,
} from '../dynamo/directory/relying-parties.ts';
import {
  resources as knownResources,
  resourcesOfTenant as listedResources,
  resourceRecords as storedResources,
} from '../dynamo/directory/resources.ts';
import {
  signingKeys as knownKeys,
  signingKeyRecords as storedKeys,
} from '../dynamo/directory/signing-keys.ts';
import { tenants as knownTenants, tenantRecords as storedTenants } from '../dynamo/directory/tenants.ts';
import {
  uriOwners as knownUriOwners,
  uriOwnerRecords as storedUriOwners,
} from '../dynamo/directory/uri-owners.ts';
import { webhooks as knownWebhooks, webhookRecords as storedWebhooks } from '../dynamo/directory/webhooks.ts';
import { statistics as storedStatistics } from '../dynamo/events/statistics.ts';
import { webhookDeliveries as storedWebhookDeliveries } from '../dynamo/events/webhook-deliveries.ts';
import { approvals as storedApprovals } from '../dynamo/flows/approvals.ts';
import { authorizationCodes } from '../dynamo/flows/authorization-codes.ts';
import { clientDocuments as storedDocuments } from '../dynamo/flows/client-documents.ts';
import { formerApplications as storedFormerApplications } from '../dynamo/flows/former-applications.ts';
import { guesses as storedGuesses } from '../dynamo/flows/guesses.ts';
import {
  knownDeviceRecords as storedDeviceRecords,
  knownDevices as storedDevices,
} from '../dynamo/flows/known-devices.ts';
import { loginTransactions as storedLogins } from '../dynamo/flows/login-transactions.ts';
import { magicLinks } from '../dynamo/flows/magic-links.ts';
import { noticeLinks as storedNoticeLinks } from '../dynamo/flows/notice-links.ts';
import { oneTimeCodes } from '../dynamo/flows/one-time-codes.ts';
import { pushedRequests as storedRequests } from '../dynamo/flows/pushed-requests.ts';
import { replayGuard } from '../dynamo/flows/replay-guard.ts';
import { revokedTokens as storedRevocations } from '../dynamo/flows/revoked-tokens.ts';
import { sessions as storedSessions } from '../dynamo/flows/sessions.ts';
import { testCodes as storedTestCodes } from '../dynamo/flows/test-codes.ts';
import { upstreamLogins as storedUpstreamLogins } from '../dynamo/flows/upstream-logins.ts';
import { webauthnChallenges as storedChallenges } from '../dynamo/flows/webauthn-challenges.ts';
import { windowRecords as countedWindows, windows as storedWindows } from '../dynamo/flows/windows.ts';
import { consents as storedConsents } from '../dynamo/people/consents.ts';
import { deviceKeys as storedDeviceKeys } from '../dynamo/people/device-keys.ts';
import { holders as storedHolders } from '../dynamo/people/holders.ts';
import {
  identifiers as storedIdentifiers,
  identifierReservations as storedReservations,
} from '../dynamo/people/identifiers.ts';
import { jobs as storedJobs } from '../dynamo/people/jobs.ts';
import {
  memberships as knownMemberships,
  membershipRecords as storedMemberships,
} from '../dynamo/people/memberships.ts';
import { passkeys as knownPasskeys, passkeyRecords as storedPasskeys } from '../dynamo/people/passkeys.ts';
import { sessionExchanges as storedSessionExchanges } from '../dynamo/people/session-exchanges.ts';
import { seenDevices as storedSeenDevices, timeline as storedTimeline } from '../dynamo/people/timeline.ts';
import { users as knownUsers, userRecords as storedUsers } from '../dynamo/people/users.ts';
import type { PortName, Ports } from '../ports/index.ts';
import { fileBesideFunction } from './api-document.ts';
import type { AwsContext } from './context.ts';
import { deliveryTokens as sealedTokens } from './delivery-tokens.ts';
import { functionMailer, functionSmsSender } from './function-sender.ts';
import { connectKms } from './kms.ts';
import { kmsSigner } from './kms-signer.ts';
import { createDerivedMac, createKmsMac, createNonceMac } from './mac.ts';
import {
  providerSecrets as knownSecrets,
  providerSecretRecords as storedSecrets,
} from './provider-secrets.ts';
import { sesMailer } from './ses-mailer.ts';
import { readEs256, readLinkApplication, requireVariable } from './settings.ts';
import { poolSmsSender, snsSmsSender } from './sms-senders.ts';
import { directory, flows, people } from './tables.ts';

/** Function that creates the AWS adapter of a port. The bundle of an operation contains only the adapters that it uses. */
type Adapter<Name extends PortName> = (context: AwsContext) => Ports[Name];

export const tenants: Adapter<'tenants'> = (context) => knownTenants(directory(context));
export const applications: Adapter<'applications'> = (context) => {
  const testIdentities = context.env.TEST_IDENTITIES === 'on';
  return knownApplications(directory(context), {
    areas: readAreas(context.env),
    testIdentities,
    linkApplicationId: readLinkApplication(context.env),
  });
};
export const applicationsOfTenant: Adapter<'applicationsOfTenant'> = (context) =>
  listedApplications(directory(context));
export const clients: Adapter<'clients'> = (context) => knownClients(directory(context));
export const resources: Adapter<'resources'> = (context) => knownResources(directory(context));
export const resourcesOfTenant: Adapter<'resourcesOfTenant'> = (context) =>
  listedResources(directory(context));
export const formerIssuers: Adapter<'formerIssuers'> = (context) => storedFormerIssuers(directory(context));
export const organizations: Adapter<'organizations'> = (context) => knownOrganizations(directory(context));
export const operators: Adapter<'operators'> = (context) => knownOperators(directory(context));
export const signingKeys: Adapter<'signingKeys'> = (context) =>
  knownKeys(directory(context), readEs256(context.env));

export const relatedOrigins: Adapter<'relatedOrigins'> = (context) => storedOrigins(directory(context));

export const users: Adapter<'users'> = (context) => knownUsers(people(context));
export const identifiers: Adapter<'identifiers'> = (context) => storedIdentifiers(people(context));
export const sessionExchanges: Adapter<'sessionExchanges'> = (context) =>
  storedSessionExchanges(people(context));
export const memberships: Adapter<'memberships'> = (context) => knownMemberships(people(context));
export const passkeys: Adapter<'passkeys'> = (context) => knownPasskeys(people(context));
export const deviceKeys: Adapter<'deviceKeys'> = (context) => storedDeviceKeys(people(context));

export const consents: Adapter<'consents'> = (context) => storedConsents(people(context));

export const knownDevices: Adapter<'knownDevices'> = (context) => storedDevices(flows(context));
export const knownDeviceRecords: Adapter<'knownDeviceRecords'> = (context) =>
  storedDeviceRecords(flows(context));

export const formerApplications: Adapter<'formerApplications'> = (context) =>
  storedFormerApplications(flows(context));

export const otps: Adapter<'otps'> = (context) => oneTimeCodes(flows(context));
export const guesses: Adapter<'guesses'> = (context) => storedGuesses(flows(context));
export const links: Adapter<'links'> = (context) => magicLinks(flows(context));
export const codes: Adapter<'codes'> = (context) => authorizationCodes(flows(context));
export const clientDocuments: Adapter<'clientDocuments'> = (context) => storedDocuments(flows(context));
export const pushedRequests: Adapter<'pushedRequests'> = (context) => storedRequests(flows(context));
export const loginTransactions: Adapter<'loginTransactions'> = (context) => storedLogins(flows(context));
export const upstreamLogins: Adapter<'upstreamLogins'> = (context) => storedUpstreamLogins(flows(context));
export const noticeLinks: Adapter<'noticeLinks'> = (context) => storedNoticeLinks(flows(context));
export const consoleSessions: Adapter<'consoleSessions'> = (context) => storedConsoleSessions(flows(context));
export const testCodes: Adapter<'testCodes'> = (context) => storedTestCodes(flows(context));
export const replays: Adapter<'replays'> = (context) => replayGuard(flows(context));
export const revokedTokens: Adapter<'revokedTokens'> = (context) => storedRevocations(flows(context));
export const sessions: Adapter<'sessions'> = (context) => storedSessions(flows(context));
export const windows: Adapter<'windows'> = (context) => storedWindows(flows(context));
export const webauthnChallenges: Adapter<'webauthnChallenges'> = (context) =>
  storedChallenges(flows(context));
export const approvals: Adapter<'approvals'> = (context) => storedApprovals(flows(context));

export const codeMac: Adapter<'codeMac'> = (context) =>
  createDerivedMac(
    connectKms(context),
    requireVariable(context.env, 'MAC_KEY_ID'),
    requireVariable(context.env, 'MAC_KEY_NUMBER'),
  );
export const nonceMac: Adapter<'nonceMac'> = ({ env }) =>
  createNonceMac(requireVariable(env, 'EDGE_SECRET_HASHES'));
export const signer: Adapter<'signer'> = (context) => kmsSigner(connectKms(context));
export const mailer: Adapter<'mailer'> = ({ env, early }) =>
  env.MAIL_FUNCTION
    ? functionMailer(env.MAIL_FUNCTION, env, sealedTokens(env))
    : sesMailer({
        early,
        configurationSet: env.SES_CONFIGURATION_SET,
        environment: env.ENVIRONMENT || 'local',
        sandbox: env.MAIL_SANDBOX === 'on',
      });
export const smsSender: Adapter<'smsSender'> = ({ env }) => {
  if (env.SMS_FUNCTION) return functionSmsSender(env.SMS_FUNCTION, env, sealedTokens(env));
  return env.SMS_POOL ? poolSmsSender(env) : snsSmsSender({ originationNumber: env.SMS_ORIGINATION_NUMBER });
};
export const deliveryTokens: Adapter<'deliveryTokens'> = ({ env }) => sealedTokens(env);
export const providerSecrets: Adapter<'providerSecrets'> = ({ env }) =>
  knownSecrets(requireVariable(env, 'PROVIDER_SECRETS'));

export const tenantRecords: Adapter<'tenantRecords'> = (context) => storedTenants(directory(context));
export const applicationRecords: Adapter<'applicationRecords'> = (context) =>
  storedApplications(directory(context));
export const clientRecords: Adapter<'clientRecords'> = (context) => storedClients(directory(context));
export const resourceRecords: Adapter<'resourceRecords'> = (context) => storedResources(directory(context));
export const organizationRecords: Adapter<'organizationRecords'> = (context) =>
  storedOrganizations(directory(context));
export const operatorRecords: Adapter<'operatorRecords'> = (context) => storedOperators(directory(context));
export const operatorEnrolments: Adapter<'operatorEnrolments'> = (context) =>
  storedEnrolments(directory(context));
export const signingKeyRecords: Adapter<'signingKeyRecords'> = (context) => storedKeys(directory(context));
export const userRecords: Adapter<'userRecords'> = (context) => storedUsers(people(context));
export const identifierReservations: Adapter<'identifierReservations'> = (context) =>
  storedReservations(people(context));
export const jobs: Adapter<'jobs'> = (context) => storedJobs(people(context));
export const membershipRecords: Adapter<'membershipRecords'> = (context) =>
  storedMemberships(people(context));
export const passkeyRecords: Adapter<'passkeyRecords'> = (context) => storedPasskeys(people(context));
export const holders: Adapter<'holders'> = (context) => storedHolders(people(context));
export const windowRecords: Adapter<'windowRecords'> = (context) => countedWindows(flows(context));
export const timeline: Adapter<'timeline'> = (context) => storedTimeline(people(context));
export const seenDevices: Adapter<'seenDevices'> = (context) => storedSeenDevices(people(context));
export const statistics: Adapter<'statistics'> = (context) => storedStatistics(flows(context));
export const webhookDeliveries: Adapter<'webhookDeliveries'> = (context) =>
  storedWebhookDeliveries(flows(context));
export const webhooks: Adapter<'webhooks'> = (context) => knownWebhooks(directory(context));
export const webhookRecords: Adapter<'webhookRecords'> = (context) => storedWebhooks(directory(context));
export const webhookMac: Adapter<'webhookMac'> = (context) =>
  createKmsMac(connectKms(context), requireVariable(context.env, 'WEBHOOK_KEY_ID'));
export const uriOwners: Adapter<'uriOwners'> = (context) => knownUriOwners(directory(context));
export const uriOwnerRecords: Adapter<'uriOwnerRecords'> = (context) => storedUriOwners(directory(context));
export const rpIds: Adapter<'rpIds'> = (context) => storedRpIds(directory(context));
export const providerSecretRecords: Adapter<'providerSecretRecords'> = ({ env }) =>
  storedSecrets(requireVariable(env, 'PROVIDER_SECRETS'));
export const apiDocument: Adapter<'apiDocument'> = () => fileBesideFunction();
