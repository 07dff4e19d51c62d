import type {
  Application,
  ApplicationBrand,
  ApplicationRecords,
  Applications,
  BrandTexts,
  NoticeSettings,
  RateLimits,
  Role,
} from '../../ports/directory.ts';
import { byLanguage, LANGUAGES, type Language } from '../../ports/languages.ts';
import { codec, flag, map, maps, number, oneOf, optional, text, texts } from '../codec.ts';
import { applicationKey, listPartitions } from '../keys.ts';
import { lookup, type RecordKind, recordStore } from '../record-store.ts';
import type { Table } from '../table.ts';
import { loginPreferences } from './login-preferences-item.ts';
import { fileOrigins, removeOrigins } from './relying-parties.ts';

const brandTexts = codec<BrandTexts>({
  title: optional(text('title')),
  subtitle: optional(text('subtitle')),
  help: optional(text('help')),
  terms: optional(text('terms')),
  privacy: optional(text('privacy')),
  home: optional(text('home')),
});

const textsByLanguage = codec<Partial<Record<Language, BrandTexts>>>(
  byLanguage((language) => optional(map(language, brandTexts))),
);

const brand = codec<ApplicationBrand>({
  primaryColor: optional(text('primary_color')),
  primaryColorDark: optional(text('primary_color_dark')),
  onPrimaryColor: optional(text('on_primary_color')),
  onPrimaryColorDark: optional(text('on_primary_color_dark')),
  backgroundColor: optional(text('background_color')),
  backgroundColorDark: optional(text('background_color_dark')),
  cornerRadius: optional(number('corner_radius')),
  font: optional(oneOf('font', ['sans', 'serif', 'rounded', 'humanist', 'mono'])),
  base64logo: optional(text('base64logo')),
  helpUri: optional(text('help_uri')),
  termsUri: optional(text('terms_uri')),
  privacyUri: optional(text('privacy_uri')),
  texts: optional(map('texts', textsByLanguage)),
});

const rateLimits = codec<RateLimits>({
  sendsPerMinute: optional(number('sends_per_minute')),
  sendsPerDay: optional(number('sends_per_day')),
  callsPerMinute: optional(number('calls_per_minute')),
  anonymousPerMinute: optional(number('anonymous_per_minute')),
  anonymousPerDay: optional(number('anonymous_per_day')),
  anonymousSignUpsPerMinute: optional(number('anonymous_sign_ups_per_minute')),
  smsPerPrefixPerHour: optional(number('sms_per_prefix_per_hour')),
  smsPerPrefixPerDay: optional(number('sms_per_prefix_per_day')),
  smsUnverifiedPerPrefix: optional(number('sms_unverified_per_prefix')),
  smsDryRun: optional(flag('sms_dry_run')),
});

const notices = codec<NoticeSettings>({
  newDevice: optional(flag('new_device')),
  contactChanged: optional(flag('contact_changed')),
  credentialsChanged: optional(flag('credentials_changed')),
  locked: optional(flag('locked')),
});

const role = codec<Role>({ name: text('name'), permissions: texts('permissions') });

const applicationItem = codec<Application>({
  applicationId: text('application_id'),
  tenantId: text('tenant_id'),
  name: text('name'),
  redirectUris: texts('redirect_uris'),
  postLogoutRedirectUris: optional(texts('post_logout_redirect_uris')),
  publicSignup: flag('public_signup'),
  hostedSignUp: flag('hosted_sign_up'),
  offerPasskeys: flag('offer_passkeys'),
  loginPreferences: optional(map('login_preferences', loginPreferences)),
  roles: optional(maps('roles', role)),
  resourceIds: texts('resource_ids'),
  rateLimits: optional(map('rate_limits', rateLimits)),
  language: optional(oneOf('language', LANGUAGES)),
  codeHost: optional(text('code_host')),
  brand: optional(map('brand', brand)),
  homeUri: optional(text('home_uri')),
  linkHosts: optional(texts('link_hosts')),
  notices: optional(map('notices', notices)),
  passcodesAcrossClients: optional(flag('passcodes_across_clients')),
  appIdAudience: optional(flag('app_id_audience')),
  testIdentities: optional(flag('test_identities')),
  idTokenClaims: oneOf('id_token_claims', ['requested', 'all']),
  sessionPreset: optional(oneOf('session_preset', ['aal1', 'aal2'])),
  sessionIdleSeconds: optional(number('session_idle_seconds')),
  sessionAbsoluteSeconds: optional(number('session_absolute_seconds')),
  bindingMaxAgeSeconds: optional(number('binding_max_age_seconds')),
  rpId: optional(text('rp_id')),
  fixedRpId: optional(text('fixed_rp_id')),
  origins: optional(texts('origins')),
  createdAt: number('created_at'),
  updatedAt: number('updated_at'),
});

const kind: RecordKind<Application> = {
  key: applicationKey,
  id: (application) => application.applicationId,
  list: (application) => listPartitions.applications(application.tenantId),
  listOf: listPartitions.applications,
  codec: applicationItem,
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
