import { invalidInput } from '../../errors/service-error.ts';
import type { Application } from '../../ports/directory.ts';
import type { ApplicationFields, ApplicationRecord } from '../../schemas/applications.ts';
import { changed } from '../basis/change-record.ts';
import { REDIRECT_URIS_MAX } from '../basis/limits.ts';
import { allFields } from '../basis/omit-undefined.ts';
import { wireDate } from '../basis/time.ts';
import { linkHostsOf, readOwnLink } from './brand-links.ts';
import { brandRecord, readBrand } from './brand-record.ts';
import { type LocalLeave, loginPreferencesRecord, readLoginPreferences } from './login-preferences-record.ts';
import { noticesRecord, readNotices } from './notice-settings.ts';
import { rateLimitsRecord, readRateLimits } from './rate-limits-record.ts';
import { readRedirectUris } from './redirect-uris.ts';
import { readOrigins, readRpId } from './relying-party.ts';
import { readRoles, roleRecords } from './roles.ts';
import { readSessionSettings, sessionSettingsRecord } from './session-settings.ts';

const OVER_HTTP: LocalLeave = { loopbackIssuers: false };

/** An application as operators see it. */
export function applicationRecord(application: Application): ApplicationRecord {
  const { loginPreferences, rateLimits } = application;
  return allFields<ApplicationRecord>({
    app_id: application.applicationId,
    tenant_id: application.tenantId,
    name: application.name,
    redirect_uris: [...application.redirectUris],
    post_logout_redirect_uris: [...(application.postLogoutRedirectUris ?? [])],
    public_signup: application.publicSignup,
    hosted_sign_up: application.hostedSignUp,
    offer_passkeys: application.offerPasskeys,
    login_preferences: loginPreferences && loginPreferencesRecord(loginPreferences),
    roles: roleRecords(application),
    resources: [...application.resourceIds],
    rate_limits: rateLimits && rateLimitsRecord(rateLimits),
    language: application.language,
    code_host: application.codeHost,
    brand: application.brand && brandRecord(application.brand),
    home_uri: application.homeUri,
    link_hosts: application.linkHosts && [...application.linkHosts],
    notices: noticesRecord(application.notices),
    passcodes_across_clients: application.passcodesAcrossClients ?? false,
    app_id_audience: application.appIdAudience ?? false,
    test_identities: application.testIdentities ?? false,
    id_token_claims: application.idTokenClaims,
    ...sessionSettingsRecord(application),
    binding_max_age_seconds: application.bindingMaxAgeSeconds,
    rp_id: application.fixedRpId ?? application.rpId,
    origins: [...(application.origins ?? [])],
    created_at: wireDate(application.createdAt),
    updated_at: wireDate(application.updatedAt),
  });
}

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
  const preferences = fields.login_preferences;
  const afterLogout = fields.post_logout_redirect_uris;
  const rpId = readRpId(current, fields.rp_id);
  const { applicationId, tenantId, fixedRpId, linkHosts, createdAt } = current;
  const redirectUris = redirectUrisOf(current, fields);
  const hosts = linkHostsOf(current, { redirectUris, linkHosts });
  return allFields<Application>({
    applicationId,
    tenantId,
    fixedRpId,
    createdAt,
    name: fields.name ?? current.name,
    redirectUris,
    linkHosts,
    postLogoutRedirectUris: changed(
      current.postLogoutRedirectUris,
      afterLogout && readRedirectUris(afterLogout, 'post_logout_redirect_uris'),
    ),
    publicSignup: changed(current.publicSignup, fields.public_signup) ?? false,
    hostedSignUp: changed(current.hostedSignUp, fields.hosted_sign_up) ?? true,
    offerPasskeys: changed(current.offerPasskeys, fields.offer_passkeys) ?? true,
    loginPreferences: changed(
      current.loginPreferences,
      preferences && readLoginPreferences(current.loginPreferences, preferences, leave),
    ),
    roles: changed(current.roles, fields.roles && readRoles(current, fields.roles)),
    resourceIds: changed(current.resourceIds, fields.resources && [...new Set(fields.resources)]) ?? [],
    rateLimits: readRateLimits(current.rateLimits, fields.rate_limits),
    language: changed(current.language, fields.language),
    codeHost: changed(current.codeHost, fields.code_host),
    brand: changed(current.brand, fields.brand && readBrand(fields.brand, hosts)),
    homeUri: changed(current.homeUri, fields.home_uri && readOwnLink(fields.home_uri, 'home_uri', hosts)),
    notices: readNotices(current.notices, fields.notices),
    passcodesAcrossClients: changed(current.passcodesAcrossClients, fields.passcodes_across_clients),
    bindingMaxAgeSeconds: changed(current.bindingMaxAgeSeconds, fields.binding_max_age_seconds),
    appIdAudience: changed(current.appIdAudience, fields.app_id_audience),
    testIdentities: changed(current.testIdentities, fields.test_identities),
    idTokenClaims: changed(current.idTokenClaims, fields.id_token_claims) ?? 'requested',
    rpId,
    origins: changed(current.origins, fields.origins && readOrigins(fields.origins, rpId)),
    ...readSessionSettings(current, fields),
    updatedAt: at,
  });
}
