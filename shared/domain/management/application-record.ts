import { invalidInput } from '../../errors/service-error.ts';
import type { Application, ApplicationFields, ApplicationRecord } from '../../ports/directory.ts';
import { applicationFields } from '../../records/application.ts';
import { applyChanges, toRecordView } from '../../records/record.ts';
import { REDIRECT_URIS_MAX } from '../basis/limits.ts';
import { type LocalExceptions, readRedirectUris } from '../basis/redirect-uri.ts';
import { listLinkHosts, readOwnLink } from './brand-links.ts';
import { readBrand } from './brand-record.ts';
import { readLoginPreferences } from './login-preferences-record.ts';
import { readOpenIdProviders } from './openid-providers.ts';
import { readAndroidApps, readOrigins, readRpId, requireAndroidApps } from './relying-party.ts';
import { readRoles } from './roles.ts';
import { requireSessionSettings } from './session-settings.ts';

/** Local exceptions for the HTTP API: none. Only the local server's command line can set an issuer on the same machine. */
const HTTP_EXCEPTIONS: LocalExceptions = { loopback: false };

/** Converts an application to its API representation. */
export const toApplicationRecord = (application: Application): ApplicationRecord => ({
  ...toRecordView(applicationFields, application),
  ...(application.fixedRpId === undefined ? {} : { rp_id: application.fixedRpId }),
});

/**
 * Returns the redirect URIs of an application after a change, which either replaces the list or adds to it. Errors:
 * `system_invalid_input`.
 */
export function listChangedRedirectUris(current: Application, fields: ApplicationFields): readonly string[] {
  const { redirect_uris: given, add_redirect_uris: more = [] } = fields;
  const base = given === undefined ? current.redirectUris : readRedirectUris(given ?? []);
  const all = [...new Set([...base, ...readRedirectUris(more, 'add_redirect_uris')])];
  if (all.length > REDIRECT_URIS_MAX)
    throw invalidInput(`add_redirect_uris: an application has at most ${REDIRECT_URIS_MAX} redirect URIs`);
  return all;
}

/** Applies the given fields to an application; leaves the other fields unchanged. Errors: `system_invalid_input`. */
export function applyApplicationFields(
  current: Application,
  fields: ApplicationFields,
  at: number,
  exceptions: LocalExceptions = HTTP_EXCEPTIONS,
): Application {
  const rpId = readRpId(current, fields.rp_id);
  const redirectUris = listChangedRedirectUris(current, fields);
  const hosts = listLinkHosts(current, { redirectUris, linkHosts: current.linkHosts });
  const changed = applyChanges(applicationFields, current, fields, {
    postLogoutRedirectUris: (uris) => readRedirectUris(uris, 'post_logout_redirect_uris'),
    loginPreferences: (given) => readLoginPreferences(current.loginPreferences, given, exceptions),
    openidProviders: (given) => readOpenIdProviders(current, given, exceptions),
    roles: (roles) => readRoles(current, roles),
    resourceIds: (ids) => [...new Set(ids)],
    brand: (brand) => readBrand(brand, hosts),
    homeUri: (uri) => readOwnLink(uri, 'home_uri', hosts),
    origins: (origins) => readOrigins(origins, rpId),
    androidApps: readAndroidApps,
  });
  // Origins that were stored before `android_apps` existed stay valid until one of the two lists is changed.
  if (fields.origins !== undefined || fields.android_apps !== undefined) requireAndroidApps(changed);
  requireSessionSettings(changed);
  return { ...changed, redirectUris, updatedAt: at };
}
