import { type AreaName, type DeployedAreas, hasArea } from '../shared/domain/basis/areas.ts';
import type { Operation } from '../shared/operation.ts';

/** Area of the service: a set of operations, and the code in `shared/flows/` that only these operations use. */
interface Area {
  /** Description of the area's operations for readers of the API document. */
  readonly about: string;
  /** True if the area is always deployed. */
  readonly core?: true;
  /** Names of other areas that this area requires in addition to the core. */
  readonly needs?: readonly AreaName[];
  /** Path prefixes of the area's files outside `functions/<name>/` and `shared/flows/<name>/`. */
  readonly also?: readonly string[];
}

/**
 * All areas by name, the core first. A file of `functions/` or `shared/flows/` that belongs to no area is shared by several
 * areas.
 */
export const areas: Readonly<Record<AreaName, Area>> = {
  'one-time': {
    about: 'A backend sends a magic link or a passcode and exchanges it for tokens and a session.',
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
  events: { about: 'Background functions: log forwarder, queues, notices, jobs, bounces.', core: true },
  deployment: { about: 'Functions that a deployment calls.', core: true },

  'hosted-login': {
    about: 'The login pages of the service, and the targets of their forms.',
    also: ['functions/oauth/authorization/'],
  },
  passkeys: { about: 'Passkeys: registration, login, and the passkeys of a user.' },
  social: { about: 'Login with social providers in the browser.', needs: ['hosted-login'] },
  'code-based': {
    about:
      'A link or passcode returns the browser to the application with a code, which a backend exchanges.',
  },
  account: {
    about: 'Functions for users about their own account: the account page, and links in notices.',
    needs: ['hosted-login'],
  },
  approvals: { about: 'Transactions that users approve with a key on their device.' },
  organizations: { about: 'Organizations and their members.' },
  webhooks: { about: 'Webhooks: addresses to which security events are posted.' },
  operators: {
    about: 'Operators, the people who administer the tenant: list, invitations, roles.',
    // Notices of an operator's change contain a link to the account pages, where the user can undo the change.
    needs: ['account'],
    also: ['functions/events/operator-notices'],
  },
  console: { about: 'The operator console, a client of the API.', needs: ['operators'] },
  agents: {
    about: 'Clients that are identified by a metadata document and act for users with their consent.',
    // Users withdraw their consent on the account page.
    needs: ['account'],
  },
  moving: {
    about: 'Exchanges sessions of the system that users were imported from for sessions of this service.',
    also: ['functions/oauth/token-exchange-grant'],
  },
};

const names = Object.keys(areas) as AreaName[];

const beginnings = names
  .flatMap((name) =>
    [`functions/${name}/`, `shared/flows/${name}/`, ...(areas[name].also ?? [])].map(
      (start) => [start, name] as const,
    ),
  )
  .toSorted(([one], [other]) => other.length - one.length);

/** Returns the area of a file by its path below the project. Undefined if several areas share the file. */
export function findArea(path: string): AreaName | undefined {
  return beginnings.find(([start]) => path.startsWith(start))?.[1];
}

/** Returns the core and the given areas, with all areas that they require, directly or indirectly. */
export function withNeeds(chosen: readonly AreaName[]): ReadonlySet<AreaName> {
  const found = new Set([...names.filter((name) => areas[name].core), ...chosen]);
  for (const name of found) for (const need of areas[name].needs ?? []) found.add(need);
  return found;
}

/**
 * Returns the areas of a deployment: the core, the chosen areas, and all areas that the chosen areas require.
 * @throws Error if a name is unknown
 */
export function chooseAreas(chosen: readonly string[]): readonly AreaName[] {
  const unknown = chosen.filter((name) => !(names as readonly string[]).includes(name));
  if (unknown.length > 0)
    throw new Error(`There is no area ${unknown.join(', ')}. Areas: ${names.join(', ')}.`);
  const deployed = withNeeds(chosen as readonly AreaName[]);
  return names.filter((name) => deployed.has(name));
}

/** Returns the operations that belong to the areas of a deployment. */
export const selectOperations = (
  table: Readonly<Record<string, Operation>>,
  deployed: DeployedAreas,
): Readonly<Record<string, Operation>> =>
  Object.fromEntries(Object.entries(table).filter(([, { area }]) => hasArea({ areas: deployed }, area)));
