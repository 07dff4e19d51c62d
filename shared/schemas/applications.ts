import * as v from 'valibot';
import { HOST_NAME } from '../domain/basis/host-name.ts';
import {
  APPLICATION_RESOURCES_MAX,
  BINDING_MAX_AGE_SECONDS_MAX,
  BINDING_MAX_AGE_SECONDS_MIN,
  LOGO_BASE64_MAX,
  ORIGINS_MAX,
  PERMISSIONS_MAX,
  REDIRECT_URIS_MAX,
  ROLES_MAX,
  RP_ID_MAX,
  SESSION_SECONDS_MAX,
  SESSION_SECONDS_MIN,
} from '../domain/basis/limits.ts';
import { LoginPreferencesBody, LoginPreferencesRecord } from './login-preferences.ts';
import { maxCharacters } from './max-characters.ts';
import { dates, field, id, integer, limit, listOf, name, resultOf, uri } from './record-fields.ts';

/** What users log in to. */

const HEX_COLOUR = /^#(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/;
const language = v.picklist(['en', 'es', 'fr', 'de', 'ja']);

const sessionPreset = v.picklist(['aal1', 'aal2']);
const sessionSeconds = integer(SESSION_SECONDS_MIN, SESSION_SECONDS_MAX);

/** `<noun>:<verb>`; `[appId]` is replaced by the application's ID. */
export const permissions = v.pipe(
  v.array(
    v.pipe(v.string(), v.regex(/^(?:\[appId\]|[A-Za-z0-9_-]{1,64}):[a-z]{1,32}$/, 'must be <noun>:<verb>')),
  ),
  v.maxLength(PERMISSIONS_MAX),
);
const roleName = v.pipe(
  v.string(),
  v.regex(/^[A-Za-z][A-Za-z0-9_.:-]{0,63}$/, 'must be a name of at most 64 characters'),
);
/** Names of roles. */
export const roleNames = (max: number) => v.pipe(v.array(roleName), v.maxLength(max));

const applicationFields = {
  redirect_uris: field(v.pipe(v.array(uri), v.maxLength(REDIRECT_URIS_MAX))),
  post_logout_redirect_uris: field(v.pipe(v.array(uri), v.maxLength(REDIRECT_URIS_MAX))),
  public_signup: field(v.boolean()),
  login_preferences: field(LoginPreferencesBody),
  roles: field(v.pipe(v.array(v.object({ name: roleName, permissions })), v.maxLength(ROLES_MAX))),
  resources: field(v.pipe(v.array(id), v.maxLength(APPLICATION_RESOURCES_MAX))),
  rate_limits: field(
    v.object({
      sends_per_minute: limit,
      sends_per_day: limit,
      calls_per_minute: limit,
      anonymous_per_minute: limit,
      anonymous_per_day: limit,
      anonymous_sign_ups_per_minute: limit,
      sms_per_prefix_per_hour: limit,
      sms_per_prefix_per_day: limit,
      sms_unverified_per_prefix: limit,
      sms_dry_run: field(v.boolean()),
    }),
  ),
  language: field(language),
  code_host: field(
    v.pipe(v.string(), maxCharacters(RP_ID_MAX), v.regex(HOST_NAME, 'must be a host name in lower case')),
  ),
  brand: field(
    v.object({
      primary_color: v.optional(v.pipe(v.string(), v.regex(HEX_COLOUR))),
      base64logo: v.optional(v.pipe(v.string(), maxCharacters(LOGO_BASE64_MAX))),
    }),
  ),
  notices: field(
    v.object({
      new_device: field(v.boolean()),
      contact_changed: field(v.boolean()),
      credentials_changed: field(v.boolean()),
      locked: field(v.boolean()),
    }),
  ),
  passcodes_across_clients: field(v.boolean()),
  app_id_audience: field(v.boolean()),
  session_preset: field(sessionPreset),
  session_idle_seconds: field(sessionSeconds),
  session_absolute_seconds: field(sessionSeconds),
  binding_max_age_seconds: field(integer(BINDING_MAX_AGE_SECONDS_MIN, BINDING_MAX_AGE_SECONDS_MAX)),
  rp_id: field(v.pipe(v.string(), v.minLength(1), maxCharacters(RP_ID_MAX))),
  origins: field(v.pipe(v.array(uri), v.maxLength(ORIGINS_MAX))),
};

export const CreateApplicationBody = v.object({ name, ...applicationFields });
export const UpdateApplicationBody = v.object({
  name: v.optional(name),
  ...applicationFields,
  /** Joins the list, and nothing that another caller adds at the same time is lost. */
  add_redirect_uris: v.optional(v.pipe(v.array(uri), v.maxLength(REDIRECT_URIS_MAX))),
});
export type ApplicationFields = v.InferOutput<typeof UpdateApplicationBody>;
export const ApplicationRecord = v.object({
  app_id: v.string(),
  tenant_id: v.string(),
  name: v.string(),
  redirect_uris: v.array(v.string()),
  post_logout_redirect_uris: v.array(v.string()),
  public_signup: v.boolean(),
  login_preferences: v.optional(LoginPreferencesRecord),
  roles: v.array(v.object({ name: v.string(), permissions: v.array(v.string()) })),
  resources: v.array(v.string()),
  rate_limits: v.optional(
    v.object({
      sends_per_minute: v.optional(v.number()),
      sends_per_day: v.optional(v.number()),
      calls_per_minute: v.optional(v.number()),
      anonymous_per_minute: v.optional(v.number()),
      anonymous_per_day: v.optional(v.number()),
      anonymous_sign_ups_per_minute: v.optional(v.number()),
      sms_per_prefix_per_hour: v.optional(v.number()),
      sms_per_prefix_per_day: v.optional(v.number()),
      sms_unverified_per_prefix: v.optional(v.number()),
      sms_dry_run: v.optional(v.boolean()),
    }),
  ),
  language: v.optional(language),
  code_host: v.optional(v.string()),
  brand: v.optional(v.object({ primary_color: v.optional(v.string()), base64logo: v.optional(v.string()) })),
  notices: v.object({
    new_device: v.boolean(),
    contact_changed: v.boolean(),
    credentials_changed: v.boolean(),
    locked: v.boolean(),
  }),
  passcodes_across_clients: v.boolean(),
  app_id_audience: v.boolean(),
  session_preset: v.optional(sessionPreset),
  session_idle_seconds: v.optional(v.number()),
  session_absolute_seconds: v.optional(v.number()),
  binding_max_age_seconds: v.optional(v.number()),
  rp_id: v.optional(v.string()),
  origins: v.array(v.string()),
  ...dates,
});
export type ApplicationRecord = v.InferOutput<typeof ApplicationRecord>;
export const ApplicationResponse = resultOf(ApplicationRecord);
export const ApplicationIdPath = v.object({ appId: id });
export const ApplicationListResponse = listOf(ApplicationRecord);
