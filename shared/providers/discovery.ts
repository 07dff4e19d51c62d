import { type AuthorizationServer, discoveryRequest, processDiscoveryResponse } from 'oauth4webapi';
import { PROVIDER_METADATA_SECONDS } from '../domain/basis/limits.ts';
import type { ProviderCalls } from './calls.ts';
import type { Dialect } from './dialect.ts';
import { providerFailed } from './failures.ts';

const MILLISECONDS = 1000;
/** Maximum number of cached issuers, far above the number of issuers in an environment. */
const ISSUERS_MAX = 200;

const known = new Map<string, { readonly server: AuthorizationServer; readonly readAt: number }>();

/** Returns the provider metadata of an issuer. The container caches the metadata; the client library caches the keys. */
export async function discover(issuer: string, calls: ProviderCalls): Promise<AuthorizationServer> {
  const found = known.get(issuer);
  const age = Date.now() - (found?.readAt ?? 0);
  if (found && age >= 0 && age < PROVIDER_METADATA_SECONDS * MILLISECONDS) return found.server;
  const url = URL.parse(issuer);
  if (!url) throw providerFailed('issuer');
  const server = await processDiscoveryResponse(url, await discoveryRequest(url, calls));
  if (known.size >= ISSUERS_MAX) known.clear();
  known.set(issuer, { server, readAt: Date.now() });
  return server;
}

/**
 * Returns a provider's endpoints, either fixed for this provider or found by OpenID Connect Discovery 1.0. Throws the errors of
 * `oauth4webapi`.
 */
export async function discoverServer(dialect: Dialect, calls: ProviderCalls): Promise<AuthorizationServer> {
  return dialect.server ?? discover(dialect.issuer, calls);
}
