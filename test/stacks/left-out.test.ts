import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import examples from 'libphonenumber-js/mobile/examples';
import * as phones from '../../shared/domain/identifiers/phone-number.ts';

/** What bundles leave out of libraries changes no answer: the same file from source and bundled, side by side. */

const folder = mkdtempSync(join(tmpdir(), 'otl-left-out-'));
afterAll(() => rmSync(folder, { recursive: true }));

const load = createRequire(import.meta.url);

/** In a process of its own: esbuild takes no regular expression out of a test's. */
function bundled<Module>(path: string): Module {
  const outfile = join(folder, `${path.replaceAll('/', '-')}.cjs`);
  execFileSync(process.execPath, ['test/stacks/support/bundle-module.ts', path, outfile]);
  return load(outfile) as Module;
}

const exampleOf = (code: string): string => examples[code as keyof typeof examples];

/** As given, without its last digits, with more, and with the prefixes that people type in the country or beside it. */
const variantsOf = (national: string): readonly string[] =>
  [national, ...[1, 2, 3].map((fewer) => national.slice(0, -fewer)), `${national}0`, `${national}00`].flatMap(
    (each) => [each, `0${each}`, `1${each}`, `8${each}`, `9${each}`, `15${each}`],
  );

test('phone numbers of every country are taken, refused and texted to as by the whole library', () => {
  const lighter = bundled<typeof phones>('shared/domain/identifiers/phone-number.ts');
  const countries = phones.phoneCountries({ smsCountries: 'any' });
  expect(lighter.phoneCountries({ smsCountries: 'any' })).toEqual(countries);
  expect(countries.length).toBeGreaterThan(200);
  const numbers = countries.flatMap(({ code, callingCode }) =>
    variantsOf(exampleOf(code)).map((national) => ({ code, national, full: `+${callingCode}${national}` })),
  );
  const shared = ['+80012345678', '+870773111632', '+88216543211', '+9791234567890', '+99912345'];
  const answers = (of: typeof phones) => [
    ...numbers.map(({ code, national, full }) => [
      full,
      of.normalisePhoneNumber(full),
      of.inCountry(national, code),
      of.mayText({ smsCountries: [code] }, full),
    ]),
    ...shared.map((number) => [
      number,
      of.normalisePhoneNumber(number),
      of.mayText({ smsCountries: ['US'] }, number),
    ]),
  ];
  expect(answers(lighter)).toEqual(answers(phones));
  for (const { code, callingCode } of countries)
    expect(lighter.normalisePhoneNumber(`+${callingCode}${exampleOf(code)}`)).toBeDefined();
});
