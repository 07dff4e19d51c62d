import * as v from 'valibot';
import { APP_NAME_MAX, FINGERPRINTS_MAX } from '../../domain/basis/limits.ts';
import { androidAppFields, iosAppFields } from '../../records/application.ts';
import { describe } from './described.ts';
import { maxCharacters } from './max-characters.ts';
import { createSchemas } from './of-record.ts';
import { list } from './record.ts';

// Schemas of native apps in the settings of an application.

const appName = (pattern: RegExp, message: string) =>
  v.pipe(v.string(), maxCharacters(APP_NAME_MAX), v.regex(pattern, message));

export const androidApp = createSchemas(androidAppFields, {
  packageName: [
    appName(/^[A-Za-z]\w*(?:\.[A-Za-z]\w*)+$/, 'must be a package name, such as com.example.shop'),
    describe(
      `Package name (application ID) of the app. At most ${APP_NAME_MAX} characters.`,
      'com.example.shop',
    ),
  ],
  sha256CertFingerprints: [
    v.pipe(
      list(
        v.pipe(
          v.string(),
          v.regex(
            /^(?:[\dA-Fa-f]{2}:){31}[\dA-Fa-f]{2}$/,
            'must be 32 bytes in hexadecimal with colons between them',
          ),
        ),
        FINGERPRINTS_MAX,
      ),
      v.minLength(1),
    ),
    describe(
      `SHA-256 fingerprints of the certificates that sign the app, as \`keytool\` and the Play Console show them. 1 to ${FINGERPRINTS_MAX}.`,
      ['14:6D:E9:83:C5:73:06:50:D8:EE:B9:95:2F:34:FC:64:16:A0:83:42:E6:1D:BE:A8:8A:04:96:B2:3F:CF:44:E5'],
    ),
  ],
});

export const iosApp = createSchemas(iosAppFields, {
  teamId: [
    v.pipe(v.string(), v.regex(/^[\dA-Z]{10}$/, 'must be 10 capital letters and digits')),
    describe(
      'Team ID of the app, or the older prefix of its app ID: 10 capital letters and digits.',
      'ABCDE12345',
    ),
  ],
  bundleId: [
    appName(/^[\dA-Za-z.-]+$/, 'must be a bundle ID, such as com.example.shop'),
    describe(`Bundle ID of the app. At most ${APP_NAME_MAX} characters.`, 'com.example.shop'),
  ],
});
