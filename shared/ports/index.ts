import type { ApiDocument } from './api-document.ts';
import type {
  AuthorizationCodes,
  ClientDocuments,
  FormerApplications,
  KnownDeviceRecords,
  KnownDevices,
  LoginTransactions,
  NoticeLinks,
  PushedRequests,
  ReplayGuard,
  RevokedTokens,
  UpstreamLogins,
} from './authorization.ts';
import type { Consents } from './consents.ts';
import type { ConsoleSessions } from './console.ts';
import type { DeliveryTokens, Mailer, SmsSender } from './delivery.ts';
import type {
  ApplicationRecords,
  Applications,
  ApplicationsOfTenant,
  ClientRecords,
  Clients,
  FormerIssuers,
  OrganizationRecords,
  Organizations,
  RelatedOrigins,
  ResourceRecords,
  Resources,
  ResourcesOfTenant,
  RpIds,
  TenantRecords,
  Tenants,
  UriOwnerRecords,
  UriOwners,
} from './directory.ts';
import type { SeenDevices, Timeline, WebhookDeliveries, WebhookRecords, Webhooks } from './events.ts';
import type { MagicLinks, OneTimeCodes, Sessions, TestCodes, WrongCodeCounters } from './flows.ts';
import type { Jobs } from './jobs.ts';
import type { CodeMac, NonceMac, Signer, SigningKeyRecords, SigningKeys, WebhookMac } from './keys.ts';
import type { OperatorEnrolments, OperatorRecords, Operators } from './operators.ts';
import type {
  DeviceKeys,
  IdentifierReservations,
  Identifiers,
  MembershipRecords,
  Memberships,
  PasskeyRecords,
  Passkeys,
  ReservationOwners,
  SessionExchanges,
  UserRecords,
  Users,
} from './people.ts';
import type { ProviderSecretRecords, ProviderSecrets } from './providers.ts';
import type { Approvals, WebauthnChallenges } from './signing.ts';
import type { Statistics } from './statistics.ts';
import type { WindowRecords, Windows } from './windows.ts';

/** Ports through which an operation uses stores and services. The ports in an operation's `uses` determine its IAM policy. */
export interface Ports {
  readonly tenants: Tenants;
  readonly applications: Applications;
  readonly applicationsOfTenant: ApplicationsOfTenant;
  readonly clients: Clients;
  readonly resources: Resources;
  readonly resourcesOfTenant: ResourcesOfTenant;
  readonly organizations: Organizations;
  readonly operators: Operators;
  readonly signingKeys: SigningKeys;
  readonly relatedOrigins: RelatedOrigins;
  readonly users: Users;
  readonly identifiers: Identifiers;
  readonly sessionExchanges: SessionExchanges;
  readonly memberships: Memberships;
  readonly knownDevices: KnownDevices;
  readonly passkeys: Passkeys;
  readonly deviceKeys: DeviceKeys;
  readonly consents: Consents;
  readonly otps: OneTimeCodes;
  readonly guesses: WrongCodeCounters;
  readonly links: MagicLinks;
  readonly codes: AuthorizationCodes;
  readonly clientDocuments: ClientDocuments;
  readonly pushedRequests: PushedRequests;
  readonly loginTransactions: LoginTransactions;
  readonly upstreamLogins: UpstreamLogins;
  readonly testCodes: TestCodes;
  readonly noticeLinks: NoticeLinks;
  readonly consoleSessions: ConsoleSessions;
  readonly replays: ReplayGuard;
  readonly revokedTokens: RevokedTokens;
  readonly sessions: Sessions;
  readonly webauthnChallenges: WebauthnChallenges;
  readonly approvals: Approvals;
  readonly windows: Windows;
  readonly codeMac: CodeMac;
  readonly nonceMac: NonceMac;
  readonly signer: Signer;
  readonly mailer: Mailer;
  readonly smsSender: SmsSender;
  readonly deliveryTokens: Pick<DeliveryTokens, 'open'>;
  readonly providerSecrets: ProviderSecrets;

  readonly tenantRecords: TenantRecords;
  readonly applicationRecords: ApplicationRecords;
  readonly clientRecords: ClientRecords;
  readonly resourceRecords: ResourceRecords;
  readonly organizationRecords: OrganizationRecords;
  readonly operatorRecords: OperatorRecords;
  readonly operatorEnrolments: OperatorEnrolments;
  readonly signingKeyRecords: SigningKeyRecords;
  readonly userRecords: UserRecords;
  readonly knownDeviceRecords: KnownDeviceRecords;
  readonly formerApplications: FormerApplications;
  readonly formerIssuers: FormerIssuers;
  readonly identifierReservations: IdentifierReservations;
  readonly jobs: Jobs;
  readonly membershipRecords: MembershipRecords;
  readonly passkeyRecords: PasskeyRecords;
  readonly holders: ReservationOwners;
  readonly windowRecords: WindowRecords;
  readonly statistics: Statistics;
  readonly timeline: Timeline;
  readonly webhooks: Webhooks;
  readonly webhookRecords: WebhookRecords;
  readonly webhookDeliveries: WebhookDeliveries;
  /** MAC from which webhook secrets are derived. Its key is not the key for passcodes. */
  readonly webhookMac: WebhookMac;
  readonly seenDevices: SeenDevices;
  readonly uriOwners: UriOwners;
  readonly uriOwnerRecords: UriOwnerRecords;
  readonly rpIds: RpIds;
  readonly providerSecretRecords: ProviderSecretRecords;
  readonly apiDocument: ApiDocument;
}

export type PortName = keyof Ports;
