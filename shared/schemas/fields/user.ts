import * as v from 'valibot';
import {
  CUSTOM_DATA_MAX_BYTES,
  CUSTOM_DATA_MAX_DEPTH,
  CUSTOM_IDENTIFIER_MAX,
  CUSTOM_IDENTIFIERS_MAX,
  GROUP_MAX,
  GROUPS_MAX,
  LANGUAGE_TAG_MAX,
  NAME_MAX,
  PICTURE_MAX,
  ROLES_MAX,
  USERNAME_MAX,
} from '../../domain/basis/limits.ts';
import { nameFields } from '../../records/profile.ts';
import { accountFields, customIdentifierFields, recoveryFields, userFields } from '../../records/user.ts';
import { describe, masked } from './described.ts';
import { maxCharacters } from './max-characters.ts';
import { createSchemas } from './of-record.ts';
import { roleNames, TIME, textUpTo, userId } from './record.ts';
import * as words from './words.ts';

const identifier = createSchemas(customIdentifierFields, {
  type: [
    v.pipe(
      v.string(),
      v.regex(
        /^(?!(?:email|phone_number|user_id|username)$)[A-Za-z][A-Za-z0-9_]{0,63}$/,
        'must be letters, digits and underscores, at most 64, and none of the built-in types',
      ),
      v.toLowerCase(),
    ),
    describe(
      'Type of the identifier, case-insensitive: a letter, then letters, digits and underscores, at most 64 characters in total. The built-in types email, phone_number, user_id and username are not allowed.',
      'loyalty_card',
    ),
  ],
  value: [
    textUpTo(CUSTOM_IDENTIFIER_MAX),
    {
      ...describe(`Value, compared exactly. At most ${CUSTOM_IDENTIFIER_MAX} characters.`, 'A-7'),
      ...masked('address'),
    },
  ],
});

/** Schemas of a user's account at a social provider. */
export const account = createSchemas(accountFields, {
  provider: [v.string(), words.provider],
  issuer: [
    v.string(),
    describe(
      "Issuer that the application had configured. Absent: the provider's own.",
      'https://id.example.com',
    ),
  ],
  subject: [v.string(), describe('ID of the account at the provider.', '110169484474386276334')],
});

const recovery = createSchemas(recoveryFields, {
  since: describe('Time of the request (RFC 3339, UTC).', TIME),
  effectiveAt: describe('Time from which the lost factor is no longer required (RFC 3339, UTC).', TIME),
  endsAt: describe('Time until which the recovery can be cancelled (RFC 3339, UTC).', TIME),
});

/** Schemas of a user's first and last name. */
export const name = createSchemas(nameFields, {
  firstName: [textUpTo(NAME_MAX), describe(`First name. At most ${NAME_MAX} characters.`, 'Ann')],
  lastName: [textUpTo(NAME_MAX), describe(`Last name. At most ${NAME_MAX} characters.`, 'Miller')],
});

/** Schemas of a user's fields, except addresses, accounts and recoveries. */
export const user = createSchemas(userFields, {
  userId,
  status: describe(
    'Status: Pending until the first login, then Active. Disabled users cannot log in.',
    'Active',
  ),
  username: [
    textUpTo(USERNAME_MAX),
    {
      ...describe(
        `Username, case-insensitive and unique in the tenant. At most ${USERNAME_MAX} characters, without spaces and invisible characters.`,
        'ann',
      ),
      ...masked('address'),
    },
  ],
  customIdentifiers: [
    {
      create: v.pipe(v.array(identifier.create), v.maxLength(CUSTOM_IDENTIFIERS_MAX)),
      record: v.array(identifier.record),
    },
    describe(
      `Additional identifiers of the user, each unique in the tenant (default: none). At most ${CUSTOM_IDENTIFIERS_MAX}; a list replaces the existing one.`,
    ),
  ],
  picture: [
    v.pipe(v.string(), maxCharacters(PICTURE_MAX), v.regex(/^https?:\/\/\S+$/, 'must be an http(s) address')),
    describe(
      `URL of a picture, \`http\` or \`https\`. At most ${PICTURE_MAX} characters.`,
      'https://shop.example.com/people/ann.png',
    ),
  ],
  language: [
    v.pipe(
      v.string(),
      maxCharacters(LANGUAGE_TAG_MAX),
      v.regex(/^[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8})*$/, 'must be a language tag (RFC 5646)'),
    ),
    describe(
      `Language as an RFC 5646 tag, such as fr or pt-BR. At most ${LANGUAGE_TAG_MAX} characters. Messages to the user are in this language if the service supports it, otherwise in the application's language.`,
      'fr',
    ),
  ],
  groups: [
    v.pipe(v.array(textUpTo(GROUP_MAX)), v.maxLength(GROUPS_MAX)),
    describe(
      `Groups of the user, included in ID tokens (default: none). At most ${GROUPS_MAX} of ${GROUP_MAX} characters; a list replaces the existing one.`,
      ['staff'],
    ),
  ],
  roles: [
    roleNames(ROLES_MAX),
    describe(
      `Roles of the user, as applications know them (default: none). At most ${ROLES_MAX}; a list replaces the existing one. Setting them requires an admin token.`,
      ['support'],
    ),
  ],
  customAppData: [
    {
      // The domain layer checks size and depth. The metadata describes these checks in the API document.
      create: v.pipe(v.unknown(), v.metadata({ type: 'object' })),
      record: v.record(v.string(), v.unknown()),
    },
    {
      ...describe(
        `Custom data: an object of at most ${CUSTOM_DATA_MAX_BYTES / 1024} KB as JSON, ${CUSTOM_DATA_MAX_DEPTH} levels deep.`,
        { plan: 'gold' },
      ),
      ...masked('left out'),
    },
  ],
  applications: describe(
    "Applications that created the user or got tokens for them; at most two are recorded. If there is only one, its clients may change the user's credentials. If there are two, only clients with `users:edit` in their list or roles may.",
    ['app-1'],
  ),
  recovery: [
    recovery,
    describe('Pending recovery of a user who has lost a factor, or whose number is at risk. Absent: none.'),
  ],
  lastAuthAt: describe("Time of the user's last login (RFC 3339, UTC). Absent before the first login.", TIME),
  isTest: describe(
    'Whether this is a test user, whose codes are read with the API. Absent for others.',
    false,
  ),
});
