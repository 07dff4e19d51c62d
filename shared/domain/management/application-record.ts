import type { Application, ApplicationBrand, Language, Role } from '../../ports/directory.ts';
import { changed, type Field } from '../basis/change-record.ts';
import { omitUndefined } from '../basis/omit-undefined.ts';
import { wireDate } from '../basis/time.ts';
import { requireLogo } from '../sending/email-content.ts';
import {
  type LoginPreferencesFields,
  type LoginPreferencesRecord,
  loginPreferencesRecord,
  readLoginPreferences,
} from './login-preferences-record.ts';
import { type NoticesFields, type NoticesRecord, noticesRecord, readNotices } from './notice-settings.ts';
import {
  type RateLimitsFields,
  type RateLimitsRecord,
  rateLimitsRecord,
  readRateLimits,
} from './rate-limits-record.ts';
import { readRedirectUris } from './redirect-uris.ts';
import { readOrigins, readRpId } from './relying-party.ts';
import { type RoleRecord, readRoles, roleRecords } from './roles.ts';
import {
  readSessionSettings,
  type SessionSettingsFields,
  type SessionSettingsRecord,
  sessionSettingsRecord,
} from './session-settings.ts';

/** An application as operators see it. */
export interface ApplicationRecord extends SessionSettingsRecord {
  readonly app_id: string;
  readonly tenant_id: string;
  readonly name: string;
  readonly redirect_uris: string[];
  readonly post_logout_redirect_uris: string[];
  readonly public_signup: boolean;
  readonly login_preferences?: LoginPreferencesRecord;
  readonly roles: RoleRecord[];
  readonly resources: string[];
  readonly rate_limits?: RateLimitsRecord;
  readonly language?: Language;
  readonly brand?: BrandRecord;
  readonly notices: NoticesRecord;
  readonly passcodes_across_clients: boolean;
  readonly rp_id?: string;
  readonly origins: string[];
  readonly created_at: string;
  readonly updated_at: string;
}

interface BrandRecord {
  readonly primary_color?: string;
  readonly base64logo?: string;
}

/** What an operator may say about an application, as it comes on the wire. */
export interface ApplicationFields extends SessionSettingsFields {
  readonly name?: string | undefined;
  readonly redirect_uris?: Field<readonly string[]>;
  readonly post_logout_redirect_uris?: Field<readonly string[]>;
  readonly public_signup?: Field<boolean>;
  readonly login_preferences?: Field<LoginPreferencesFields>;
  readonly roles?: Field<readonly Role[]>;
  readonly resources?: Field<readonly string[]>;
  readonly rate_limits?: RateLimitsFields;
  readonly language?: Field<Language>;
  readonly brand?: Field<{
    readonly primary_color?: string | undefined;
    readonly base64logo?: string | undefined;
  }>;
  readonly notices?: Field<NoticesFields>;
  readonly passcodes_across_clients?: Field<boolean>;
  readonly rp_id?: Field<string>;
  readonly origins?: Field<readonly string[]>;
}

function brandRecord(brand: ApplicationBrand): BrandRecord {
  return omitUndefined<BrandRecord>({ primary_color: brand.primaryColor, base64logo: brand.base64logo });
}

/** Errors: `system_invalid_input` when the logo is no image that a page may show. */
function readBrand(given: NonNullable<ApplicationFields['brand']>): ApplicationBrand {
  requireLogo(given.base64logo, 'brand.base64logo');
  return omitUndefined<ApplicationBrand>({ primaryColor: given.primary_color, base64logo: given.base64logo });
}

export function applicationRecord(application: Application): ApplicationRecord {
  const { loginPreferences, rateLimits } = application;
  return omitUndefined<ApplicationRecord>({
    app_id: application.applicationId,
    tenant_id: application.tenantId,
    name: application.name,
    redirect_uris: [...application.redirectUris],
    post_logout_redirect_uris: [...(application.postLogoutRedirectUris ?? [])],
    public_signup: application.publicSignup,
    login_preferences: loginPreferences && loginPreferencesRecord(loginPreferences),
    roles: roleRecords(application),
    resources: [...application.resourceIds],
    rate_limits: rateLimits && rateLimitsRecord(rateLimits),
    language: application.language,
    brand: application.brand && brandRecord(application.brand),
    notices: noticesRecord(application.notices),
    passcodes_across_clients: application.passcodesAcrossClients ?? false,
    ...sessionSettingsRecord(application),
    rp_id: application.fixedRpId ?? application.rpId,
    origins: [...(application.origins ?? [])],
    created_at: wireDate(application.createdAt),
    updated_at: wireDate(application.updatedAt),
  });
}

/** The application with the given fields in place of the former ones. Errors: `system_invalid_input`. */
export function withFields(current: Application, fields: ApplicationFields, at: number): Application {
  const preferences = fields.login_preferences;
  const afterLogout = fields.post_logout_redirect_uris;
  const rpId = readRpId(current, fields.rp_id);
  return omitUndefined<Application>({
    ...current,
    name: fields.name ?? current.name,
    redirectUris:
      fields.redirect_uris === undefined
        ? current.redirectUris
        : readRedirectUris(fields.redirect_uris ?? []),
    postLogoutRedirectUris: changed(
      current.postLogoutRedirectUris,
      afterLogout && readRedirectUris(afterLogout, 'post_logout_redirect_uris'),
    ),
    publicSignup: changed(current.publicSignup, fields.public_signup) ?? false,
    loginPreferences: changed(
      current.loginPreferences,
      preferences && readLoginPreferences(current.loginPreferences, preferences),
    ),
    roles: changed(current.roles, fields.roles && readRoles(current, fields.roles)),
    resourceIds: changed(current.resourceIds, fields.resources && [...new Set(fields.resources)]) ?? [],
    rateLimits: readRateLimits(current.rateLimits, fields.rate_limits),
    language: changed(current.language, fields.language),
    brand: changed(current.brand, fields.brand && readBrand(fields.brand)),
    notices: readNotices(current.notices, fields.notices),
    passcodesAcrossClients: changed(current.passcodesAcrossClients, fields.passcodes_across_clients),
    rpId,
    origins: changed(current.origins, fields.origins && readOrigins(fields.origins, rpId)),
    ...readSessionSettings(current, fields),
    updatedAt: at,
  });
}
