import { expect, test } from '@jest/globals';
import * as application from '../../shared/records/application.ts';
import * as brand from '../../shared/records/brand.ts';
import * as client from '../../shared/records/client.ts';
import type { Fields } from '../../shared/records/field.ts';
import * as loginPreferences from '../../shared/records/login-preferences.ts';
import * as profile from '../../shared/records/profile.ts';
import * as resource from '../../shared/records/resource.ts';
import * as tenant from '../../shared/records/tenant.ts';
import * as user from '../../shared/records/user.ts';
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
  [application, brand, client, loginPreferences, profile, resource, tenant, user].flatMap((module) =>
    Object.entries<Fields>(module),
  ),
)('%s has no setting that no code reads', (_, fields) => {
  // A claim is a use.
  const settings = Object.keys(fields).filter((key) => fields[key]?.claim === undefined);
  expect(settings.filter((key) => !isRead(key) && !FOR_SHOW.includes(key))).toEqual([]);
});
