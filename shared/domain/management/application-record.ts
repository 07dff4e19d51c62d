import { invalidInput } from '../../errors/service-error.ts';
import type { Application, ApplicationFields, ApplicationRecord } from '../../ports/directory.ts';
import { applicationFields } from '../../records/application.ts';
import { changedRecord, shownRecord } from '../../records/record.ts';
import { REDIRECT_URIS_MAX } from '../basis/limits.ts';
import { type LocalLeave, readRedirectUris } from '../basis/redirect-uri.ts';
import { linkHostsOf, readOwnLink } from './brand-links.ts';
import { readBrand } from './brand-record.ts';
import { readLoginPreferences } from './login-preferences-record.ts';
import { readOrigins, readRpId } from './relying-party.ts';
import { readRoles } from './roles.ts';
import { requireSessionSettings } from './session-settings.ts';

/** Only the command line of a local server names issuers of social providers on this machine. */
const OVER_HTTP: LocalLeave = { loopback: false };

/** An application as operators see it. */
export const applicationRecord = (application: Application): ApplicationRecord => ({
  ...shownRecord(applicationFields, application),
  ...(application.fixedRpId === undefined ? {} : { rp_id: application.fixedRpId }),
});

/** Errors: `system_invalid_input`. */
export function redirectUrisOf(current: Application, fields: ApplicationFields): readonly string[] {
  const { redirect_uris: given, add_redirect_uris: more = [] } = fields;
  const base = given === undefined ? current.redirectUris : readRedirectUris(given ?? []);
  const all = [...new Set([...base, ...readRedirectUris(more, 'add_redirect_uris')])];
  if (all.length > REDIRECT_URIS_MAX)
    throw invalidInput(`add_redirect_uris: an application has at most ${REDIRECT_URIS_MAX} redirect URIs`);
  return all;
}

/** The application with the given fields in place of the former ones. Errors: `system_invalid_input`. */
export function applicationWithFields(
  current: Application,
  fields: ApplicationFields,
  at: number,
  leave: LocalLeave = OVER_HTTP,
): Application {
  const rpId = readRpId(current, fields.rp_id);
  const redirectUris = redirectUrisOf(current, fields);
  const hosts = linkHostsOf(current, { redirectUris, linkHosts: current.linkHosts });
  const changed = changedRecord(applicationFields, current, fields, {
    postLogoutRedirectUris: (uris) => readRedirectUris(uris, 'post_logout_redirect_uris'),
    loginPreferences: (given) => readLoginPreferences(current.loginPreferences, given, leave),
    roles: (roles) => readRoles(current, roles),
    resourceIds: (ids) => [...new Set(ids)],
    brand: (brand) => readBrand(brand, hosts),
    homeUri: (uri) => readOwnLink(uri, 'home_uri', hosts),
    origins: (origins) => readOrigins(origins, rpId),
  });
  requireSessionSettings(changed);
  return { ...changed, redirectUris, updatedAt: at };
}
