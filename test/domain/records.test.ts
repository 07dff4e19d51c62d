import { expect, test } from '@jest/globals';
import * as application from '../../shared/records/application.ts';
import * as brand from '../../shared/records/brand.ts';
import * as loginPreferences from '../../shared/records/login-preferences.ts';
import { sourceFiles } from '../support/tools/source.ts';

const code = sourceFiles
  .filter(({ path }) => /^(?:shared|functions|lib\/operator)\//.test(path))
  .filter(({ path }) => !/^shared\/(?:records|schemas)\//.test(path))
  .map(({ text }) => text.replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, ''))
  .join('\n');
const isRead = (key: string) => new RegExp(`[.']${key}\\b|[{,]\\s*${key}\\s*[,}:=]`).test(code);

test.each([application, brand, loginPreferences].flatMap((module) => Object.entries(module)))(
  '%s has no setting that no code reads',
  (_, fields) => {
    expect(Object.keys(fields).filter((key) => !isRead(key))).toEqual([]);
  },
);
