import * as v from 'valibot';
import { HOST_NAME } from '../domain/basis/host-name.ts';
import {
  APPLICATION_RESOURCES_MAX,
  BINDING_MAX_AGE_SECONDS_MAX,
  BINDING_MAX_AGE_SECONDS_MIN,
  CLIENT_KEYS_MAX,
  DESCRIPTION_MAX,
  LINK_EXPIRES_MINUTES_MAX,
  LOGO_BASE64_MAX,
  MEMBER_ROLES_MAX,
  MINUTES_MIN,
  NAME_MAX,
  ORIGINS_MAX,
  PASSCODE_DIGITS_MAX,
  PASSCODE_DIGITS_MIN,
  PASSCODE_EXPIRES_MINUTES_MAX,
  PASSCODE_LOCK_MINUTES_MAX,
  PASSCODE_MAX_TRIES_MAX,
  PERMISSIONS_MAX,
  RATE_LIMIT_MAX,
  RECOVERY_DELAY_HOURS_MAX,
  REDIRECT_URIS_MAX,
  RESOURCE_ACCESS_TTL_MAX_SECONDS,
  RESOURCE_REFRESH_TTL_MAX_SECONDS,
  RESOURCE_TTL_MIN_SECONDS,
  ROLES_MAX,
  RP_ID_MAX,
  SESSION_SECONDS_MAX,
  SESSION_SECONDS_MIN,
  URI_MAX,
} from '../domain/basis/limits.ts';
import { maxCharacters } from './max-characters.ts';

/** Bodies and records of what operators manage. In updates null removes a field. */

const ID_MAX = 64;

const id = v.pipe(v.string(), v.minLength(1), maxCharacters(ID_MAX));
const name = v.pipe(v.string(), v.minLength(1), maxCharacters(NAME_MAX));
const uri = v.pipe(v.string(), v.minLength(1), maxCharacters(URI_MAX));
const date = v.pipe(v.string(), v.isoTimestamp());
const dates = { created_at: date, updated_at: date };
const field = <const Schema extends v.GenericSchema>(schema: Schema) => v.optional(v.nullable(schema));
const integer = (min: number, max: number) =>
  v.pipe(v.number(), v.integer(), v.minValue(min), v.maxValue(max));
const minutes = (max: number) => v.pipe(v.number(), v.minValue(MINUTES_MIN), v.maxValue(max));
const resultOf = <Schema extends v.GenericSchema>(record: Schema) => v.object({ result: record });
const listOf = <Schema extends v.GenericSchema>(record: Schema) =>
  v.object({ result: v.array(record), next_cursor: v.optional(v.string()) });
const seconds = (max: number) => v.pipe(v.number(), v.minValue(RESOURCE_TTL_MIN_SECONDS), v.maxValue(max));
const accessSeconds = seconds(RESOURCE_ACCESS_TTL_MAX_SECONDS);
const refreshSeconds = seconds(RESOURCE_REFRESH_TTL_MAX_SECONDS);

const limit = field(integer(1, RATE_LIMIT_MAX));
const smsBudget = { sms_per_day: limit, sms_per_30_days: limit };
const tenantSettings = {
  ...smsBudget,
  recovery_delay_hours: field(integer(1, RECOVERY_DELAY_HOURS_MAX)),
  narrow_credentials: field(v.boolean()),
};
export const CreateTenantBody = v.object({ name, ...tenantSettings });
export const UpdateTenantBody = v.object({ name: v.optional(name), ...tenantSettings });
export type TenantFields = v.InferOutput<typeof UpdateTenantBody>;
export const TenantRecord = v.object({
  tenant_id: v.string(),
  name: v.string(),
  sms_per_day: v.optional(v.number()),
  sms_per_30_days: v.optional(v.number()),
  recovery_delay_hours: v.optional(v.number()),
  narrow_credentials: v.optional(v.boolean()),
  ...dates,
});
export type TenantRecord = v.InferOutput<typeof TenantRecord>;
export const TenantListResponse = listOf(TenantRecord);

const passcodePreference = {
  digits: field(integer(PASSCODE_DIGITS_MIN, PASSCODE_DIGITS_MAX)),
  expires_minutes: field(minutes(PASSCODE_EXPIRES_MINUTES_MAX)),
  max_tries: field(integer(1, PASSCODE_MAX_TRIES_MAX)),
  lock_minutes: field(minutes(PASSCODE_LOCK_MINUTES_MAX)),
};
const linkPreference = {
  expires_minutes: field(minutes(LINK_EXPIRES_MINUTES_MAX)),
  interstitial: field(v.boolean()),
};
const providerPreference = {
  client_id: v.pipe(v.string(), v.minLength(1), maxCharacters(URI_MAX)),
  issuer: field(uri),
  trusted_for_email: field(v.boolean()),
  enabled: field(v.boolean()),
};
/** A method that is absent is off; an empty object has the defaults. */
export const LoginPreferencesBody = v.object({
  link: field(v.object(linkPreference)),
  email: field(v.object(passcodePreference)),
  sms: field(v.object(passcodePreference)),
  direct: field(v.object(passcodePreference)),
  passkey: field(v.object({})),
  google: field(v.object(providerPreference)),
  apple: field(v.object(providerPreference)),
  facebook: field(v.object(providerPreference)),
  line: field(v.object(providerPreference)),
});
export type LoginPreferencesFields = v.InferOutput<typeof LoginPreferencesBody>;
const PasscodePreferenceRecord = v.object({
  digits: v.optional(v.number()),
  expires_minutes: v.optional(v.number()),
  max_tries: v.optional(v.number()),
  lock_minutes: v.optional(v.number()),
});
const ProviderPreferenceRecord = v.object({
  client_id: v.string(),
  issuer: v.optional(v.string()),
  trusted_for_email: v.optional(v.boolean()),
  enabled: v.optional(v.boolean()),
});
const HEX_COLOUR = /^#(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/;
const language = v.picklist(['en', 'es', 'fr', 'de', 'ja']);

const sessionPreset = v.picklist(['aal1', 'aal2']);
const sessionSeconds = integer(SESSION_SECONDS_MIN, SESSION_SECONDS_MAX);

/** `<noun>:<verb>`; `[appId]` is replaced by the application's ID. */
const permissions = v.pipe(
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
const LoginPreferencesRecord = v.object({
  link: v.optional(
    v.object({ expires_minutes: v.optional(v.number()), interstitial: v.optional(v.boolean()) }),
  ),
  email: v.optional(PasscodePreferenceRecord),
  sms: v.optional(PasscodePreferenceRecord),
  direct: v.optional(PasscodePreferenceRecord),
  passkey: v.optional(v.object({})),
  google: v.optional(ProviderPreferenceRecord),
  apple: v.optional(ProviderPreferenceRecord),
  facebook: v.optional(ProviderPreferenceRecord),
  line: v.optional(ProviderPreferenceRecord),
});
export type LoginPreferencesRecord = v.InferOutput<typeof LoginPreferencesRecord>;
export const LoginPreferencesResponse = resultOf(LoginPreferencesRecord);
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

const authMethod = v.picklist(['secret', 'private_key_jwt', 'none']);
/** RFC 7517; which keys are good is for the rules to say. */
const jwk = v.looseObject({ kty: v.string() });

const clientFields = {
  /** Without any, and without roles: all permissions of the application. */
  permissions: field(permissions),
  roles: field(roleNames(ROLES_MAX)),
  trusted: field(v.boolean()),
  auth_method: field(authMethod),
  jwks: field(v.object({ keys: v.pipe(v.array(jwk), v.minLength(1), v.maxLength(CLIENT_KEYS_MAX)) })),
  strict_audience: field(v.boolean()),
  require_pkce: field(v.boolean()),
  require_pushed_requests: field(v.boolean()),
  bound_codes: field(v.boolean()),
  dpop_bound: field(v.boolean()),
  dpop_nonce: field(v.boolean()),
  access_token_ttl: field(accessSeconds),
  refresh_token_ttl: field(refreshSeconds),
  max_refresh_rotate: field(refreshSeconds),
};

export const CreateClientBody = v.object({ name, ...clientFields });
export const UpdateClientBody = v.object({ name: v.optional(name), ...clientFields });
export type ClientFields = v.InferOutput<typeof UpdateClientBody>;
export const ClientRecord = v.object({
  client_id: v.string(),
  tenant_id: v.string(),
  app_id: v.optional(v.string()),
  kind: v.picklist(['application', 'management']),
  name: v.string(),
  permissions: v.optional(v.array(v.string())),
  roles: v.optional(v.array(v.string())),
  trusted: v.boolean(),
  auth_method: authMethod,
  jwks: v.optional(v.object({ keys: v.array(jwk) })),
  strict_audience: v.boolean(),
  require_pkce: v.boolean(),
  require_pushed_requests: v.boolean(),
  bound_codes: v.boolean(),
  dpop_bound: v.boolean(),
  dpop_nonce: v.boolean(),
  access_token_ttl: v.optional(v.number()),
  refresh_token_ttl: v.optional(v.number()),
  max_refresh_rotate: v.optional(v.number()),
  secrets: v.array(v.object({ secret_id: v.string(), created_at: date })),
  /** Only in the answer that follows the making of the secret. */
  client_secret: v.optional(v.string()),
  ...dates,
});
export type ClientRecord = v.InferOutput<typeof ClientRecord>;
export const ClientResponse = resultOf(ClientRecord);
export const ClientIdPath = v.object({ appId: id, clientId: id });
export const ClientSecretPath = v.object({ appId: id, clientId: id, secretId: id });
export const ClientListResponse = listOf(ClientRecord);
export const ManagementClientPath = v.object({ clientId: id });
export const ManagementClientSecretPath = v.object({ clientId: id, secretId: id });

/** SPEC E1. */
export const CreateResourceBody = v.object({
  name,
  description: field(v.pipe(v.string(), maxCharacters(DESCRIPTION_MAX))),
  uri,
  access_token_ttl: accessSeconds,
  refresh_token_ttl: refreshSeconds,
  max_refresh_rotate: refreshSeconds,
});
export type ResourceFields = v.InferOutput<typeof CreateResourceBody>;
/** SPEC E2. */
export const UpdateResourceBody = v.partial(CreateResourceBody);
export const ResourceRecord = v.object({
  resource_id: v.string(),
  tenant_id: v.string(),
  name: v.string(),
  description: v.optional(v.string()),
  uri: v.string(),
  access_token_ttl: v.number(),
  refresh_token_ttl: v.number(),
  max_refresh_rotate: v.number(),
  ...dates,
});
export type ResourceRecord = v.InferOutput<typeof ResourceRecord>;
export const ResourceResponse = resultOf(ResourceRecord);
export const ResourceListResponse = listOf(ResourceRecord);
export const ResourceIdPath = v.object({ resourceId: id });
export const ResourceUriQuery = v.object({ resourceUri: uri });

export const CreateOrganizationBody = v.object({ name });
export const UpdateOrganizationBody = v.object({ name: v.optional(name) });
export const OrganizationRecord = v.object({
  org_id: v.string(),
  tenant_id: v.string(),
  name: v.string(),
  ...dates,
});
export type OrganizationRecord = v.InferOutput<typeof OrganizationRecord>;
export const OrganizationResponse = resultOf(OrganizationRecord);
export const OrganizationIdPath = v.object({ organizationId: id });
export const OrganizationListResponse = listOf(OrganizationRecord);

const roles = field(roleNames(MEMBER_ROLES_MAX));

export const CreateMemberBody = v.object({ user_id: id, roles });
export const UpdateMemberBody = v.object({ roles });
export const MemberRecord = v.object({
  org_id: v.string(),
  user_id: v.string(),
  roles: v.array(v.string()),
  ...dates,
});
export type MemberRecord = v.InferOutput<typeof MemberRecord>;
export const MemberResponse = resultOf(MemberRecord);
export const MemberPath = v.object({ organizationId: id, userId: id });
export const MemberListResponse = listOf(MemberRecord);
