// Labels and descriptions of the console's actions for operators. The summaries of the API document are for callers of the API.

const SECRET_ONCE = 'The secret is shown only once.';
const OLD_SECRET = 'Adds a second secret, so that you can replace the first one without an interruption.';
const REVOKED_SECRET = 'Calls with this secret are refused from now on.';
const CLIENT_GONE = 'Its calls are refused from now on. This cannot be undone.';
const LISTS = 'Fields that you leave empty lose their value.';

const ACTIONS = {
  createUser:
    'Creates an account. It needs an email address, a phone number or a user name. The person verifies the address or number at the first login.',
  updateUser:
    'Changes what is known about the person. A new address ends all sessions and, once it is verified, replaces the earlier ways to log in.',
  deleteUser: 'Erases the account and everything that belongs to it. This cannot be undone.',
  endSessions: 'Logs the person out everywhere.',
  unlockUser: 'Ends all locks and forgets wrong codes, so that codes work again at once.',
  setPhoneRisk:
    'Says that another person may have the number. It gets no more codes until you clear the risk.',
  clearPhoneRisk: 'Says that the number belongs to the person again, so that it gets codes.',
  grantRecovery:
    'Lets a person who has lost a factor add a new one with only one of the others, without a delay.',
  cancelErasure: 'Keeps an account whose owner has asked for its deletion.',
  renamePasskey: 'Changes the name by which the person tells this passkey from others.',
  deletePasskey: 'The person cannot log in with this passkey any more.',
  createApplication: 'Creates a website or app to which people log in. You choose its settings afterwards.',
  updateApplication: LISTS,
  deleteApplication: 'Deletes the application with its clients, resources and webhooks. The people stay.',
  updateLoginPreferences: LISTS,
  createClient: `Creates the program with which the application logs people in. ${SECRET_ONCE}`,
  updateClient: `Changes the client for its next calls. ${LISTS}`,
  deleteClient: CLIENT_GONE,
  addClientSecret: `${OLD_SECRET} ${SECRET_ONCE}`,
  revokeClientSecret: REVOKED_SECRET,
  createManagementClient: `Creates a program that administers this tenant. ${SECRET_ONCE}`,
  updateManagementClient: `Changes the client for its next calls. ${LISTS}`,
  deleteManagementClient: CLIENT_GONE,
  addManagementClientSecret: `${OLD_SECRET} ${SECRET_ONCE}`,
  revokeManagementClientSecret: REVOKED_SECRET,
  createResource: 'Creates an API of your own for which applications get separate tokens.',
  updateResource: `Changes the tokens that are issued from now on. ${LISTS}`,
  deleteResource:
    'Deletes the resource, unless an application still uses it. No more tokens are issued for it.',
  createWebhook: `Security events are posted to the address, and tried again for a day. ${SECRET_ONCE}`,
  updateWebhook: `Changes where the next events are posted. ${LISTS}`,
  deleteWebhook: 'No more events are posted, also none of those that are waiting.',
  addWebhookSecret: `Events are signed with both secrets until you add another one. ${SECRET_ONCE}`,
  testWebhook: 'Posts a test event to this address.',
  sendWebhookAgain: 'Posts this event once more.',
  createOrganization: 'Creates a customer or team, so that its people can log in as its members.',
  updateOrganization: LISTS,
  deleteOrganization: 'Deletes the organization with its memberships. The people stay.',
  createMember: 'Lets a person log in as a member of this organization.',
  updateMember: 'Changes what the member may do.',
  deleteMember: 'The person is no longer a member. The account stays.',
  inviteOperator:
    'Sends a mail with a link that works once, within 24 hours. The person creates a passkey, then you confirm the role.',
  setOperatorRole: 'The role is valid within a minute. All admins are told by mail.',
  removeOperator: 'The person loses the role in this tenant. The account stays.',
  confirmOperator: 'Gives the role to the person who has created a passkey after the invitation.',
} as const;

/** Labels of actions whose operation ID reads poorly as a label. */
const LABELS: Readonly<Partial<Record<keyof typeof ACTIONS, string>>> = {
  createUser: 'Add a person',
  updateUser: 'Change details',
  deleteUser: 'Delete the account',
  endSessions: 'Log out everywhere',
  unlockUser: 'Unlock codes',
  setPhoneRisk: 'Report a risk of the number',
  clearPhoneRisk: 'Clear the risk of the number',
  cancelErasure: 'Keep the account',
  updateApplication: 'Change settings',
  updateClient: 'Change settings',
  addClientSecret: 'Add a secret',
  revokeClientSecret: 'Revoke the secret',
  updateManagementClient: 'Change settings',
  addManagementClientSecret: 'Add a secret',
  revokeManagementClientSecret: 'Revoke the secret',
  updateResource: 'Change settings',
  updateWebhook: 'Change settings',
  addWebhookSecret: 'Add a secret',
  testWebhook: 'Send a test event',
  sendWebhookAgain: 'Send again',
  updateOrganization: 'Rename organization',
  createMember: 'Add a member',
  updateMember: 'Change roles',
  deleteMember: 'Remove the member',
  setOperatorRole: 'Change the role',
};

/** Returns the label of an action, or undefined if the words of its operation ID are a good label. */
export const findActionLabel = (id: string): string | undefined => LABELS[id as keyof typeof LABELS];

/** Returns the description of an action, for the operator who is about to choose it. */
export const describeAction = ({ id, summary }: { readonly id: string; readonly summary: string }): string =>
  Object.hasOwn(ACTIONS, id) ? ACTIONS[id as keyof typeof ACTIONS] : `${summary}.`;
