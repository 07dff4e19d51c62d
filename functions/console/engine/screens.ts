import type { Group } from './forms.ts';

/**
 * The screens, as data. A screen names what it reads; lists, records and forms are made of the API document. An action stands
 * where its path begins with that of a read: a new operation or setting appears by itself.
 */

export interface Screen {
  /** Below the tenant. Its parameters are those of its reads. */
  readonly path: string;
  readonly title: string;
  /** It stands in the navigation. */
  readonly nav?: true;
  /** IDs of operations, the record or list of the screen first. */
  readonly reads: readonly string[];
  /** Operations that stand here, too, whatever their path. */
  readonly actions?: readonly string[];
  /** Written by hand, by name; absent: made of the schemas. */
  readonly view?:
    | 'find'
    | 'person'
    | 'deliveries'
    | 'application'
    | 'webhook'
    | 'operators'
    | 'changes'
    | 'today';
  /** How people think of its settings. */
  readonly groups?: readonly Group[];
  /** What an empty list says to do first. */
  readonly empty?: string;
}

const APPLICATION_GROUPS: readonly Group[] = [
  {
    title: 'Names and addresses',
    fields: [
      'name',
      'redirect_uris',
      'post_logout_redirect_uris',
      'origins',
      'home_uri',
      'code_host',
      'rp_id',
    ],
  },
  {
    title: 'Who gets in',
    fields: [
      'public_signup',
      'hosted_sign_up',
      'offer_passkeys',
      'enrol_second_factor',
      'login_preferences',
      'roles',
      'test_identities',
    ],
  },
  {
    title: 'Sessions and tokens',
    fields: [
      'session_preset',
      'session_idle_seconds',
      'session_absolute_seconds',
      'binding_max_age_seconds',
      'id_token_claims',
      'app_id_audience',
      'resources',
      'passcodes_across_clients',
      'refresh_reuse_seconds',
    ],
  },
  { title: 'Look and words', fields: ['brand', 'language', 'notices'] },
  { title: 'Limits', fields: ['rate_limits'] },
];

export const screens: readonly Screen[] = [
  { path: 'people', title: 'People', nav: true, reads: ['findUsers'], actions: ['createUser'], view: 'find' },
  {
    path: 'people/{userId}',
    title: 'Person',
    reads: ['getUser', 'userTimeline', 'listPasskeys', 'listSessions'],
    view: 'person',
  },
  { path: 'deliveries', title: 'Deliveries', nav: true, reads: ['listDeliveries'], view: 'deliveries' },
  {
    path: 'applications',
    title: 'Applications',
    nav: true,
    reads: ['listApplications'],
    empty: 'Create an application first: it is what people log in to.',
  },
  {
    path: 'applications/{appId}',
    title: 'Application',
    reads: ['getApplication', 'listClients', 'getLoginPreferences'],
    view: 'application',
    groups: APPLICATION_GROUPS,
    empty: 'Create a client: the application logs people in with it.',
  },
  { path: 'applications/{appId}/clients/{clientId}', title: 'Client', reads: ['getClient'] },
  {
    path: 'organizations',
    title: 'Organizations',
    nav: true,
    reads: ['listOrganizations'],
    empty: 'Create an organization where people log in for one of your customers.',
  },
  {
    path: 'organizations/{organizationId}',
    title: 'Organization',
    reads: ['getOrganization', 'listMembers'],
    empty: 'Add a member by the user ID that the page of a person shows.',
  },
  { path: 'organizations/{organizationId}/members/{userId}', title: 'Member', reads: ['getMember'] },
  {
    path: 'webhooks',
    title: 'Webhooks',
    nav: true,
    reads: ['listWebhooks'],
    empty: 'Create a webhook: security events are posted to its address.',
  },
  {
    path: 'webhooks/{webhookId}',
    title: 'Webhook',
    reads: ['getWebhook', 'listWebhookDeliveries'],
    view: 'webhook',
    empty: 'Nothing was sent in the last seven days. Send a test event to see one.',
  },
  {
    path: 'resources',
    title: 'Resources',
    nav: true,
    reads: ['listResources'],
    empty: 'Create a resource where an API of yours takes tokens of its own.',
  },
  { path: 'resources/{resourceId}', title: 'Resource', reads: ['getResource'] },
  {
    path: 'management-clients',
    title: 'Management clients',
    nav: true,
    reads: ['listManagementClients'],
    empty: 'Create one where a backend of yours administers this tenant.',
  },
  { path: 'management-clients/{clientId}', title: 'Management client', reads: ['getManagementClient'] },
  { path: 'operators', title: 'Operators', nav: true, reads: ['listOperators'], view: 'operators' },
  { path: 'today', title: 'Today', nav: true, reads: ['getStatistics'], view: 'today' },
  {
    path: 'changes',
    title: 'Changes',
    nav: true,
    reads: ['listChanges'],
    view: 'changes',
    empty: 'Nothing like that was changed in the last 400 days.',
  },
];

/** What sets right what is wrong, though its method is DELETE: it asks for a reason, and not for a name. */
export const REMEDIES: readonly string[] = ['unlockUser', 'clearPhoneRisk', 'cancelErasure', 'endSessions'];
