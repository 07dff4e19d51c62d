import type { Operation } from '../../../shared/operation.ts';

/** What the operations of an area do, for readers of the document. */
const AREAS: Readonly<Record<string, string>> = {
  'one-time':
    'A backend sends a magic link or a passcode, and authenticates what comes back for tokens and a session.',
  passkeys: 'Passkeys: registration, login, and the list of a user.',
  social: 'Browsers log in at Google, Apple, Facebook or LINE.',
  'code-based': 'A link or passcode leads the browser back with a code, which a backend exchanges.',
  account: 'What users do about their own account: the account page, and links in notices.',
  approvals: 'Transactions that users sign with a key of their device.',
  'hosted-login': 'The login pages of the service, and what their forms send.',
  oauth: 'Tokens, pushed requests, authorization, keys and metadata (OAuth 2.0, OpenID Connect).',
  sessions: 'Sessions of users: list, end, logout.',
  users: 'Users of a tenant: create, search, change, export, erase.',
  operators: 'People who administer the tenant: who they are, invitations, roles.',
  organizations: 'Organizations and their members.',
  resources: 'Resources: the audiences of tokens.',
  management: 'Applications, their login methods, clients and management clients.',
  webhooks: 'Addresses that security events are posted to.',
  meta: 'Health and this document.',
};

/** The folder of its use case. */
export const areaOf = ({ file }: Operation): string => file.split('/')[0] ?? '';

export function tagsOf(
  rows: readonly Operation[],
): readonly { readonly name: string; readonly description?: string }[] {
  const areas = new Set(rows.map(areaOf));
  return [...areas].map((name) => {
    const description = AREAS[name];
    return { name, ...(description === undefined ? {} : { description }) };
  });
}
