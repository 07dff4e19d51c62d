// The screens of the console as data. A screen names the operations that it reads. Its lists, records and forms are rendered
// from the API document. An action appears on the screen of the read operation that its path begins with, so new operations and
// settings appear without a change here.

import { APPLICATION_PAGES } from '../words/application.ts';
import type { Reference } from '../words/words.ts';

/** Definition of a console screen: its path, title, read operations, and texts. */
export interface Screen {
  /** Path of the screen, which follows the tenant in the URL. The path's parameters are passed to the read operations. */
  readonly path: string;
  readonly title: string;
  /** True if the navigation has a link to the screen. */
  readonly nav?: true;
  /** IDs of the read operations. The first operation returns the screen's record or list. Empty for a screen of fixed text. */
  readonly reads: readonly string[];
  /** IDs of operations that list records to whose names the screen refers. Their actions appear on other screens. */
  readonly lookups?: readonly Reference[];
  /** IDs of additional operations that appear on this screen regardless of their path. */
  readonly actions?: readonly string[];
  /** Name of a hand-written view. Without a view, the screen is rendered from the schemas. */
  readonly view?:
    | 'find'
    | 'person'
    | 'deliveries'
    | 'application'
    | 'webhook'
    | 'webhooks'
    | 'operators'
    | 'changes'
    | 'today'
    | 'help';
  /** Titles of the pages into which the settings of the record are divided, by the names that URLs contain. */
  readonly pages?: Readonly<Record<string, string>>;
  /** Text for an empty list, which tells the operator what to do first. */
  readonly empty?: string;
}

export const screens: readonly Screen[] = [
  { path: 'today', title: 'Today', nav: true, reads: ['getStatistics', 'listDeliveries'], view: 'today' },
  {
    path: 'people',
    title: 'People',
    nav: true,
    reads: ['findUsers'],
    lookups: ['listApplications'],
    actions: ['createUser'],
    view: 'find',
  },
  {
    path: 'people/{userId}',
    title: 'Person',
    reads: ['getUser', 'userTimeline', 'listPasskeys', 'listSessions'],
    lookups: ['listApplications'],
    view: 'person',
  },
  { path: 'deliveries', title: 'Deliveries', nav: true, reads: ['listDeliveries'], view: 'deliveries' },
  {
    path: 'applications',
    title: 'Applications',
    nav: true,
    reads: ['listApplications'],
    empty: 'Create an application first. People log in to applications.',
  },
  {
    path: 'applications/{appId}',
    title: 'Application',
    reads: ['getApplication', 'listClients', 'getLoginPreferences'],
    lookups: ['listResources'],
    view: 'application',
    pages: APPLICATION_PAGES,
    empty: 'Create a client. The application needs it to log people in.',
  },
  {
    path: 'applications/{appId}/clients/{clientId}',
    title: 'Client',
    reads: ['getClient'],
    lookups: ['listApplications'],
  },
  {
    path: 'organizations',
    title: 'Organizations',
    nav: true,
    reads: ['listOrganizations'],
    empty: 'Create an organization for a customer whose people log in.',
  },
  {
    path: 'organizations/{organizationId}',
    title: 'Organization',
    reads: ['getOrganization', 'listMembers'],
    empty: 'Add a member by email address or phone number.',
  },
  { path: 'organizations/{organizationId}/members/{userId}', title: 'Member', reads: ['getMember'] },
  {
    path: 'webhooks',
    title: 'Webhooks',
    nav: true,
    reads: ['listWebhooks'],
    lookups: ['listApplications'],
    view: 'webhooks',
    empty: 'Create a webhook. Security events are posted to its address.',
  },
  {
    path: 'webhooks/{webhookId}',
    title: 'Webhook',
    reads: ['getWebhook', 'listWebhookDeliveries'],
    lookups: ['listApplications'],
    view: 'webhook',
    empty: 'Nothing was sent in the last seven days. Send a test event to see one.',
  },
  {
    path: 'resources',
    title: 'Resources',
    nav: true,
    reads: ['listResources'],
    lookups: ['listApplications'],
    empty: 'Create a resource if one of your APIs needs its own tokens.',
  },
  {
    path: 'resources/{resourceId}',
    title: 'Resource',
    reads: ['getResource'],
    lookups: ['listApplications'],
  },
  {
    path: 'management-clients',
    title: 'Management clients',
    nav: true,
    reads: ['listManagementClients'],
    empty: 'Create one if one of your backends administers this tenant.',
  },
  { path: 'management-clients/{clientId}', title: 'Management client', reads: ['getManagementClient'] },
  { path: 'operators', title: 'Operators', nav: true, reads: ['listOperators'], view: 'operators' },
  {
    path: 'changes',
    title: 'Changes',
    nav: true,
    reads: ['listChanges'],
    lookups: ['listOperators'],
    view: 'changes',
    empty: 'No such change in the last 400 days.',
  },
  { path: 'help', title: 'Help', nav: true, reads: [], view: 'help' },
];

/** IDs of DELETE operations that undo or stop harm. Unlike destructive operations, they do not require typing a name. */
export const REMEDIES: readonly string[] = ['unlockUser', 'clearPhoneRisk', 'cancelErasure', 'endSessions'];
