import type {
  Application,
  ApplicationBrand,
  ApplicationRecords,
  Applications,
  NoticeSettings,
  RateLimits,
  Role,
} from '../../ports/directory.ts';
import {
  flag,
  maps,
  number,
  omitUndefined,
  oneOf,
  optionalFlag,
  optionalMap,
  optionalNumber,
  optionalText,
  optionalTexts,
  text,
  texts,
} from '../attributes.ts';
import { applicationKey, listPartitions } from '../keys.ts';
import { lookup, type RecordKind, recordStore } from '../record-store.ts';
import type { Item, Table } from '../table.ts';
import { preferenceAttributes, toPreferences } from './login-preferences-item.ts';
import { fileOrigins, removeOrigins } from './relying-parties.ts';

const SESSION_PRESETS = ['aal1', 'aal2'] as const;
const LANGUAGES = ['en', 'es', 'fr', 'de', 'ja'] as const;

const toBrand = (item: Item | undefined): ApplicationBrand | undefined =>
  item &&
  omitUndefined({
    primaryColor: optionalText(item, 'primary_color'),
    base64logo: optionalText(item, 'base64logo'),
  });

const limitAttributes = (limits: RateLimits | undefined) =>
  limits && {
    sends_per_minute: limits.sendsPerMinute,
    sends_per_day: limits.sendsPerDay,
    calls_per_minute: limits.callsPerMinute,
    anonymous_per_minute: limits.anonymousPerMinute,
    sms_per_prefix_per_hour: limits.smsPerPrefixPerHour,
    sms_per_prefix_per_day: limits.smsPerPrefixPerDay,
    sms_unverified_per_prefix: limits.smsUnverifiedPerPrefix,
    sms_dry_run: limits.smsDryRun,
  };

const toLimits = (item: Item | undefined): RateLimits | undefined =>
  item &&
  omitUndefined({
    sendsPerMinute: optionalNumber(item, 'sends_per_minute'),
    sendsPerDay: optionalNumber(item, 'sends_per_day'),
    callsPerMinute: optionalNumber(item, 'calls_per_minute'),
    anonymousPerMinute: optionalNumber(item, 'anonymous_per_minute'),
    smsPerPrefixPerHour: optionalNumber(item, 'sms_per_prefix_per_hour'),
    smsPerPrefixPerDay: optionalNumber(item, 'sms_per_prefix_per_day'),
    smsUnverifiedPerPrefix: optionalNumber(item, 'sms_unverified_per_prefix'),
    smsDryRun: optionalFlag(item, 'sms_dry_run'),
  });

const toNotices = (item: Item | undefined): NoticeSettings | undefined =>
  item &&
  omitUndefined({
    newDevice: optionalFlag(item, 'new_device'),
    contactChanged: optionalFlag(item, 'contact_changed'),
    locked: optionalFlag(item, 'locked'),
  });

const toRole = (item: Item): Role => ({ name: text(item, 'name'), permissions: texts(item, 'permissions') });

function toApplication(item: Item): Application {
  return omitUndefined({
    applicationId: text(item, 'application_id'),
    tenantId: text(item, 'tenant_id'),
    name: text(item, 'name'),
    redirectUris: texts(item, 'redirect_uris'),
    postLogoutRedirectUris: optionalTexts(item, 'post_logout_redirect_uris'),
    publicSignup: flag(item, 'public_signup'),
    loginPreferences: toPreferences(optionalMap(item, 'login_preferences')),
    roles: item.roles === undefined ? undefined : maps(item, 'roles').map(toRole),
    resourceIds: texts(item, 'resource_ids'),
    rateLimits: toLimits(optionalMap(item, 'rate_limits')),
    language: item.language === undefined ? undefined : oneOf(item, 'language', LANGUAGES),
    brand: toBrand(optionalMap(item, 'brand')),
    notices: toNotices(optionalMap(item, 'notices')),
    passcodesAcrossClients: optionalFlag(item, 'passcodes_across_clients'),
    sessionPreset:
      item.session_preset === undefined ? undefined : oneOf(item, 'session_preset', SESSION_PRESETS),
    sessionIdleSeconds: optionalNumber(item, 'session_idle_seconds'),
    sessionAbsoluteSeconds: optionalNumber(item, 'session_absolute_seconds'),
    rpId: optionalText(item, 'rp_id'),
    fixedRpId: optionalText(item, 'fixed_rp_id'),
    origins: optionalTexts(item, 'origins'),
    createdAt: number(item, 'created_at'),
    updatedAt: number(item, 'updated_at'),
  });
}

const kind: RecordKind<Application> = {
  key: applicationKey,
  id: (application) => application.applicationId,
  list: (application) => listPartitions.applications(application.tenantId),
  listOf: listPartitions.applications,
  fromItem: toApplication,
  toAttributes: (application) => ({
    application_id: application.applicationId,
    tenant_id: application.tenantId,
    name: application.name,
    redirect_uris: application.redirectUris,
    post_logout_redirect_uris: application.postLogoutRedirectUris,
    public_signup: application.publicSignup,
    login_preferences: preferenceAttributes(application.loginPreferences),
    roles: application.roles,
    resource_ids: application.resourceIds,
    rate_limits: limitAttributes(application.rateLimits),
    language: application.language,
    brand: application.brand && {
      primary_color: application.brand.primaryColor,
      base64logo: application.brand.base64logo,
    },
    notices: application.notices && {
      new_device: application.notices.newDevice,
      contact_changed: application.notices.contactChanged,
      locked: application.notices.locked,
    },
    passcodes_across_clients: application.passcodesAcrossClients,
    session_preset: application.sessionPreset,
    session_idle_seconds: application.sessionIdleSeconds,
    session_absolute_seconds: application.sessionAbsoluteSeconds,
    rp_id: application.rpId,
    fixed_rp_id: application.fixedRpId,
    origins: application.origins,
    created_at: application.createdAt,
    updated_at: application.updatedAt,
  }),
};

export const applications = (table: Table): Applications => lookup(table, kind);

/**
 * Beside the record stand its origins, by RP ID, for browsers to ask for: a courtesy that no rule stands on. What a crash
 * leaves out of step, the next change puts right.
 */
export function applicationRecords(table: Table): ApplicationRecords {
  const store = recordStore(table, kind);

  return {
    ...store,
    async put(application) {
      const written = await store.put(application);
      if (written && application.origins?.length) await fileOrigins(table, application);
      return written;
    },
    async replace(expected, next) {
      const written = await store.replace(expected, next);
      if (written && (expected.origins ?? next.origins)) {
        if (expected.rpId !== next.rpId) await removeOrigins(table, expected);
        await fileOrigins(table, next);
      }
      return written;
    },
    async remove(id) {
      const application = await store.find(id);
      if (application?.origins) await removeOrigins(table, application);
      return store.remove(id);
    },
  };
}
