/** An area of the service: operations, and the flows that only they use. */
interface Area<Name extends string> {
  /** What its operations do, for readers of the API document. */
  readonly about: string;
  /** Always deployed. */
  readonly core?: true;
  /** The areas that it does not work without, besides the core. */
  readonly needs?: readonly Name[];
  /** Its files outside `functions/<name>/` and `shared/flows/<name>/`, as beginnings of their paths. */
  readonly also?: readonly string[];
}

const areasOf = <Name extends string>(table: Readonly<Record<Name, Area<NoInfer<Name>>>>) => table;

/** All areas by name, the core first. A file of `functions/` or `shared/flows/` in no area is shared by several. */
export const areas = areasOf({
  'one-time': {
    about:
      'A backend sends a magic link or a passcode, and authenticates what comes back for tokens and a session.',
    core: true,
  },
  oauth: {
    about: 'Tokens, pushed requests, authorization, keys and metadata (OAuth 2.0, OpenID Connect).',
    core: true,
  },
  sessions: { about: 'Sessions of users: list, end, logout.', core: true },
  users: { about: 'Users of a tenant: create, search, change, export, erase.', core: true },
  resources: { about: 'Resources: the audiences of tokens.', core: true },
  management: {
    about: 'Applications, their login methods, clients and management clients.',
    core: true,
  },
  meta: { about: 'Health and this document.', core: true, also: ['functions/fallback'] },
  events: { about: 'What no request calls: log forwarder, queues, notices, jobs, bounces.', core: true },
  deployment: { about: 'What a deployment calls.', core: true },

  'hosted-login': {
    about: 'The login pages of the service, and what their forms send.',
    also: ['functions/oauth/authorization/'],
  },
  passkeys: { about: 'Passkeys: registration, login, and the list of a user.' },
  social: { about: 'Browsers log in at social providers.', needs: ['hosted-login'] },
  'code-based': {
    about: 'A link or passcode leads the browser back with a code, which a backend exchanges.',
  },
  account: {
    about: 'What users do about their own account: the account page, and links in notices.',
    needs: ['hosted-login'],
  },
  approvals: { about: 'Transactions that users sign with a key of their device.' },
  organizations: { about: 'Organizations and their members.' },
  webhooks: { about: 'Addresses that security events are posted to.' },
  operators: {
    about: 'People who administer the tenant: who they are, invitations, roles.',
    needs: ['hosted-login'],
    also: ['functions/events/operator-notices'],
  },
  console: { about: 'The operator console, a client of the API.', needs: ['operators'] },
  agents: { about: 'Clients by document, which act for users by consent.', needs: ['hosted-login'] },
  moving: {
    about: 'Exchanges sessions of the system that users were imported from.',
    also: ['functions/oauth/token-exchange-grant'],
  },
});

export type AreaName = keyof typeof areas;

const names = Object.keys(areas) as AreaName[];

const beginnings = names
  .flatMap((name) =>
    [`functions/${name}/`, `shared/flows/${name}/`, ...(areas[name].also ?? [])].map(
      (start) => [start, name] as const,
    ),
  )
  .toSorted(([one], [other]) => other.length - one.length);

/** Returns the area of a file by its path below the project. Undefined if several areas share the file. */
export function areaOf(path: string): AreaName | undefined {
  return beginnings.find(([start]) => path.startsWith(start))?.[1];
}

/** Returns the core and the given areas, with all that they need in turn. */
export function withNeeds(chosen: readonly AreaName[]): ReadonlySet<AreaName> {
  const found = new Set([...names.filter((name) => areas[name].core), ...chosen]);
  for (const name of found) for (const need of areas[name].needs ?? []) found.add(need);
  return found;
}
