import { expect, test } from '@jest/globals';
import * as application from '../../shared/records/application.ts';
import * as brand from '../../shared/records/brand.ts';
import * as client from '../../shared/records/client.ts';
import * as loginPreferences from '../../shared/records/login-preferences.ts';
import * as organization from '../../shared/records/organization.ts';
import * as resource from '../../shared/records/resource.ts';
import * as tenant from '../../shared/records/tenant.ts';
import * as webhook from '../../shared/records/webhook.ts';
import { sourceFiles } from '../support/tools/source.ts';

const code = sourceFiles
  .filter(({ path }) => /^(?:shared|functions|lib\/operator)\//.test(path))
  .filter(({ path }) => !/^shared\/(?:records|schemas)\//.test(path))
  .map(({ text }) => text.replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, ''))
  .join('\n');
/** It is kept for who reads the record: every logout token has `sid`. */
const FOR_SHOW = ['backchannelLogoutSessionRequired'];
const isRead = (key: string) => new RegExp(`[.']${key}\\b|[{,]\\s*${key}\\s*[,}:=]`).test(code);

test.each(
  [application, brand, client, loginPreferences, organization, resource, tenant, webhook].flatMap((module) =>
    Object.entries(module),
  ),
)('%s has no setting that no code reads', (_, fields) => {
  expect(Object.keys(fields).filter((key) => !isRead(key) && !FOR_SHOW.includes(key))).toEqual([]);
});
