// Lists that browsers and devices fetch from `/.well-known/`. Each list combines all applications whose passkeys have the login
// host as their RP ID.
import type { Application, OriginsOfApplication } from '../../ports/directory.ts';
import type { PortsWith } from '../../ports/uses.ts';
import { awaitAll } from '../basis/await-all.ts';
import { LISTED_APPS_MAX, RELATED_HOSTS_MAX } from '../basis/limits.ts';

/** Returns the hosts of web origins that do not belong to the RP ID. Browsers check the related origins for these hosts. */
export function relatedHosts(origins: readonly string[], rpId: string | undefined): ReadonlySet<string> {
  const hosts = origins
    .filter((origin) => origin.startsWith('https://'))
    .map((origin) => new URL(origin).hostname);
  return new Set(hosts.filter((host) => host !== rpId && !host.endsWith(`.${rpId}`)));
}

interface LoginHost {
  /** Origin of the hosted pages. */
  readonly browserOrigin: string;
}

/** Lists the applications that use the login host as their RP ID, the oldest first. */
async function listSharing(
  ports: PortsWith<'relatedOrigins'>,
  { browserOrigin }: LoginHost,
): Promise<readonly OriginsOfApplication[]> {
  const found = await ports.relatedOrigins.list(new URL(browserOrigin).hostname, { byDefault: true });
  return found.toSorted((one, other) => one.createdAt - other.createdAt);
}

/**
 * Lists the entries of applications without duplicates, up to a maximum. Tenants take turns, so that no tenant gets its second
 * entry before every other tenant has its first. In each turn, the tenant with the oldest application comes first.
 */
function takeTurns(
  applications: readonly OriginsOfApplication[],
  max: number,
  listEntries: (application: OriginsOfApplication) => Iterable<string>,
): readonly string[] {
  const ofTenants = new Map<string, readonly string[]>();
  for (const application of applications) {
    const entries = ofTenants.get(application.tenantId) ?? [];
    ofTenants.set(application.tenantId, [...new Set([...entries, ...listEntries(application)])]);
  }
  const turns = Array.from({ length: max }, (_, turn) =>
    [...ofTenants.values()].flatMap((entries) => entries.slice(turn, turn + 1)),
  );
  return [...new Set(turns.flat())].slice(0, max);
}

/** Lists the related origins of the service's own RP ID (WebAuthn L3 §5.11). */
export async function findRelatedOrigins(
  ports: PortsWith<'relatedOrigins'>,
  host: LoginHost,
): Promise<readonly string[]> {
  const rpId = new URL(host.browserOrigin).hostname;
  const applications = await listSharing(ports, host);
  // Browsers accept only a few hosts, each with any number of ports.
  const honoured = takeTurns(applications, RELATED_HOSTS_MAX, ({ origins = [] }) =>
    relatedHosts(origins, rpId),
  );
  const origins = new Set(applications.flatMap((application) => application.origins ?? []));
  return [...origins].filter((origin) => honoured.includes(new URL(origin).hostname));
}

type Apps = Pick<Application, 'androidApps' | 'iosApps'>;
interface LinkHost extends LoginHost {
  /** ID of the only application whose magic links the deployment sends. Undefined if all applications may send links. */
  readonly linkApplicationId?: string;
}

/** Lists the Android apps of an application, one entry per certificate: the package name, a space and the fingerprint. */
const listAndroidApps = ({ androidApps = [] }: Apps): readonly string[] =>
  androidApps.flatMap(({ packageName, sha256CertFingerprints }) =>
    sha256CertFingerprints.map((fingerprint) => `${packageName} ${fingerprint}`),
  );

const listAppleIds = ({ iosApps = [] }: Apps): readonly string[] =>
  iosApps.map(({ teamId, bundleId }) => `${teamId}.${bundleId}`);

/**
 * Returns the apps that may open magic links. All magic links on the login host have the same paths, so an app that may open
 * them would receive the links of every application. Therefore, returns no apps unless the deployment sends the links of one
 * application only.
 */
async function findLinkApps(
  ports: PortsWith<'applications'>,
  { linkApplicationId }: LinkHost,
): Promise<Apps> {
  return (linkApplicationId !== undefined && (await ports.applications.find(linkApplicationId))) || {};
}

/** Statement of a website about an Android app (developers.google.com/digital-asset-links/v1/statements). */
interface AssetLink {
  readonly relation: string[];
  readonly target: {
    readonly namespace: 'android_app';
    readonly package_name: string;
    readonly sha256_cert_fingerprints: string[];
  };
}

function toStatement(permission: string): (entry: string) => AssetLink {
  return (entry) => {
    const [package_name = '', fingerprint = ''] = entry.split(' ');
    return {
      relation: [`delegate_permission/common.${permission}`],
      target: { namespace: 'android_app', package_name, sha256_cert_fingerprints: [fingerprint] },
    };
  };
}

/**
 * Lists what Android apps may do on the login host. `get_login_creds` shares credentials. `handle_all_urls` opens every URL of
 * the host, because Android versions before 15 cannot restrict it to some paths.
 */
export async function listAssetLinks(
  ports: PortsWith<'relatedOrigins' | 'applications'>,
  host: LinkHost,
): Promise<AssetLink[]> {
  const [sharing, linkApps] = await awaitAll(listSharing(ports, host), findLinkApps(ports, host));
  return [
    ...takeTurns(sharing, LISTED_APPS_MAX, listAndroidApps).map(toStatement('get_login_creds')),
    ...listAndroidApps(linkApps).map(toStatement('handle_all_urls')),
  ];
}

/** Lists the IDs of Apple apps that may use passkeys of the login host, and of those that may open its magic links. */
export async function listAppleApps(
  ports: PortsWith<'relatedOrigins' | 'applications'>,
  host: LinkHost,
): Promise<{ readonly withPasskeys: readonly string[]; readonly withLinks: readonly string[] }> {
  const [sharing, linkApps] = await awaitAll(listSharing(ports, host), findLinkApps(ports, host));
  return {
    withPasskeys: takeTurns(sharing, LISTED_APPS_MAX, listAppleIds),
    withLinks: listAppleIds(linkApps),
  };
}
