import { expect, test } from '@jest/globals';
import { createCodec } from '../../shared/dynamo/codec-of.ts';
import * as application from '../../shared/records/application.ts';
import * as brand from '../../shared/records/brand.ts';
import * as client from '../../shared/records/client.ts';
import type { Fields } from '../../shared/records/field.ts';
import * as loginPreferences from '../../shared/records/login-preferences.ts';
import * as organization from '../../shared/records/organization.ts';
import * as profile from '../../shared/records/profile.ts';
import { applyChanges, createRecord } from '../../shared/records/record.ts';
import * as resource from '../../shared/records/resource.ts';
import * as tenant from '../../shared/records/tenant.ts';
import * as user from '../../shared/records/user.ts';
import * as webhook from '../../shared/records/webhook.ts';
import { sourceFiles } from '../support/tools/source.ts';

const code = sourceFiles
  .filter(({ path }) => /^(?:shared|functions|lib\/operator)\//.test(path))
  .filter(({ path }) => !/^shared\/(?:records|schemas)\//.test(path))
  .map(({ text }) => text.replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, ''))
  .join('\n');
/**
 * Fields that the check below ignores. Every logout token contains `sid`, whatever `backchannelLogoutSessionRequired` says.
 * The texts in `sentence` are read by language. Only a write condition of the store uses `moved_at`.
 */
const FOR_SHOW = ['backchannelLogoutSessionRequired', 'sentence', 'movedAt'];
const isRead = (key: string) => new RegExp(`[.']${key}\\b|[{,]\\s*${key}\\s*[,}:=]`).test(code);

test.each(
  [
    application,
    brand,
    client,
    loginPreferences,
    organization,
    profile,
    resource,
    tenant,
    user,
    webhook,
  ].flatMap((module) => Object.entries<Fields>(module)),
)('the product code reads every setting of the record type %s', (_, fields) => {
  // A field that is returned as a claim counts as used.
  const settings = Object.keys(fields).filter((key) => fields[key]?.claim === undefined);
  expect(settings.filter((key) => !isRead(key) && !FOR_SHOW.includes(key))).toEqual([]);
});

test('a create or update request that contains read-only fields ignores these fields', () => {
  const { webhookFields } = webhook;
  const own = { webhookId: 'w', tenantId: 't', secretVersions: [1], createdAt: 1, updatedAt: 1 };
  const given = { url: 'https://a.example/', app_id: 'shop', enabled: false, live_secrets: 9, secret: 's' };
  const made = createRecord(webhookFields, own, given);
  const kept = { ...own, applicationId: 'shop', url: 'https://a.example/', events: [], enabled: true };
  expect(made).toEqual(kept);
  const changes = { app_id: 'other', enabled: null, events: null, live_secrets: 9, secret: 's' };
  expect(applyChanges(webhookFields, made, changes)).toEqual({ ...kept, enabled: false });
  const item = createCodec(webhookFields).toAttributes({
    ...made,
    liveSecrets: 1,
    secret: 's',
  } as typeof made);
  expect(item).toMatchObject({ application_id: 'shop', secret_versions: ['1'] });
  expect(item).not.toHaveProperty('secret');
  expect(item).not.toHaveProperty('live_secrets');
});

test('outside of the tables of channels, no code compares a channel with SMS', () => {
  const comparing = sourceFiles.filter(
    ({ path, text }) => !path.startsWith('test/') && /[!=]== 'sms'/.test(text),
  );
  // The console compares words, to form their plural.
  expect(comparing.map(({ path }) => path)).toEqual(['functions/console/engine/values.ts']);
});
