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
import { accountFields, customIdentifierFields, userFields, waitFields } from '../../records/user.ts';
import { doc, masked } from './described.ts';
import { maxCharacters } from './max-characters.ts';
import { schemasOf } from './of-record.ts';
import { roleNames, TIME, textUpTo, userId } from './record.ts';
import * as words from './words.ts';

const identifier = schemasOf(customIdentifierFields, {
  type: [
    v.pipe(
      v.string(),
      v.regex(
        /^(?!(?:email|phone_number|user_id|username)$)[A-Za-z][A-Za-z0-9_]{0,63}$/,
        'must be letters, digits and underscores, at most 64, and none of the built-in types',
      ),
      v.toLowerCase(),
    ),
    doc(
      'Type of the identifier, whatever its case: a letter, then letters, digits and underscores, at most 64 in all. None of the built-in types email, phone_number, user_id and username.',
      'loyalty_card',
    ),
  ],
  value: [
    textUpTo(CUSTOM_IDENTIFIER_MAX),
    {
      ...doc(`Value, compared exactly. At most ${CUSTOM_IDENTIFIER_MAX} characters.`, 'A-7'),
      ...masked('address'),
    },
  ],
});

/** An account at a social provider. */
export const account = schemasOf(accountFields, {
  provider: [v.string(), words.provider],
  issuer: [
    v.string(),
    doc("Issuer that the application had set. Absent: the provider's own.", 'https://id.example.com'),
  ],
  subject: [v.string(), doc('ID of the account at the provider.', '110169484474386276334')],
});

const wait = schemasOf(waitFields, {
  since: doc('When it was asked for (RFC 3339, UTC).', TIME),
  effectiveAt: doc('From when what is lost is no longer asked for (RFC 3339, UTC).', TIME),
  endsAt: doc('Until when it can be ended (RFC 3339, UTC).', TIME),
});

/** The name of a person. */
export const name = schemasOf(nameFields, {
  firstName: [textUpTo(NAME_MAX), doc(`First name. At most ${NAME_MAX} characters.`, 'Ann')],
  lastName: [textUpTo(NAME_MAX), doc(`Last name. At most ${NAME_MAX} characters.`, 'Miller')],
});

/** The plain fields of a user. */
export const user = schemasOf(userFields, {
  userId,
  status: doc('Pending until the first login, then Active. Disabled cannot log in.', 'Active'),
  username: [
    textUpTo(USERNAME_MAX),
    {
      ...doc(
        `Username, unique in the tenant whatever its case. At most ${USERNAME_MAX} characters, without spaces and invisible characters.`,
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
    doc(
      `Further names that lead to the user, each unique in the tenant (default: none). At most ${CUSTOM_IDENTIFIERS_MAX}; a list replaces the former one.`,
    ),
  ],
  picture: [
    v.pipe(v.string(), maxCharacters(PICTURE_MAX), v.regex(/^https?:\/\/\S+$/, 'must be an http(s) address')),
    doc(
      `Address of a picture, \`http\` or \`https\`. At most ${PICTURE_MAX} characters.`,
      'https://shop.example.com/people/ann.png',
    ),
  ],
  language: [
    v.pipe(
      v.string(),
      maxCharacters(LANGUAGE_TAG_MAX),
      v.regex(/^[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8})*$/, 'must be a language tag (RFC 5646)'),
    ),
    doc(
      `Language as a tag of RFC 5646, such as fr or pt-BR. At most ${LANGUAGE_TAG_MAX} characters. Messages to the user are in it where the service has texts in it, else in the application's language.`,
      'fr',
    ),
  ],
  groups: [
    v.pipe(v.array(textUpTo(GROUP_MAX)), v.maxLength(GROUPS_MAX)),
    doc(
      `Groups of the user, shown in ID tokens (default: none). At most ${GROUPS_MAX} of ${GROUP_MAX} characters; a list replaces the former one.`,
      ['staff'],
    ),
  ],
  roles: [
    roleNames(ROLES_MAX),
    doc(
      `Roles of the user, as applications know them (default: none). At most ${ROLES_MAX}; a list replaces the former one. It takes an admin token to give them.`,
      ['support'],
    ),
  ],
  customAppData: [
    {
      // Read by the domain, for its size and depth; the metadata says to the API document what the domain checks.
      create: v.pipe(v.unknown(), v.metadata({ type: 'object' })),
      record: v.record(v.string(), v.unknown()),
    },
    {
      ...doc(
        `Free data: an object of at most ${CUSTOM_DATA_MAX_BYTES / 1024} KB as JSON, ${CUSTOM_DATA_MAX_DEPTH} levels deep.`,
        { plan: 'gold' },
      ),
      ...masked('left out'),
    },
  ],
  applications: doc(
    'Applications that made the user or got their tokens: two at most are noted. Clients of a single one may change what logs the user in; of several, those with `users:edit` written in their list or roles.',
    ['app-1'],
  ),
  wait: [wait, doc('The wait of a user who has lost a factor, or whose number is at risk. Absent: none.')],
  lastAuthAt: doc('When the user logged in last; absent before the first login (RFC 3339, UTC).', TIME),
  isTest: doc('Whether it is a test user, whose codes are read by API; absent for others.', false),
});
