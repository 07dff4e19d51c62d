import * as v from 'valibot';
import {
  ADDRESS_MAX,
  APPLICATIONS_NAMED_MAX,
  CUSTOM_DATA_MAX_BYTES,
  CUSTOM_DATA_MAX_DEPTH,
  CUSTOM_IDENTIFIER_MAX,
  CUSTOM_IDENTIFIERS_MAX,
  EXTERNAL_ID_MAX,
  GROUP_MAX,
  GROUPS_MAX,
  LANGUAGE_TAG_MAX,
  NAME_MAX,
  PICTURE_MAX,
  ROLES_MAX,
  SESSION_ID_MAX,
  SIGNAL_REASON_MAX,
  SIGNAL_SKEW_SECONDS,
  USERNAME_MAX,
} from '../domain/basis/limits.ts';
import { nameFields } from '../records/profile.ts';
import { accountFields, customIdentifierFields, userFields, waitFields } from '../records/user.ts';
import { described, doc, masked, operatorRole, sample } from './fields/described.ts';
import { maxCharacters } from './fields/max-characters.ts';
import { schemasOf, withFields } from './fields/of-record.ts';
import {
  date,
  field,
  id,
  listOf,
  PageQuery,
  resultOf,
  roleNames,
  shown,
  textUpTo,
  userId,
} from './fields/record.ts';

const TIME = '2026-01-31T12:00:00.000Z';

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

const account = schemasOf(accountFields, {
  provider: [v.string(), doc('The provider: google, apple, facebook or line.', 'google')],
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

const name = schemasOf(nameFields, {
  firstName: [textUpTo(NAME_MAX), doc(`First name. At most ${NAME_MAX} characters.`, 'Ann')],
  lastName: [textUpTo(NAME_MAX), doc(`Last name. At most ${NAME_MAX} characters.`, 'Miller')],
});
const wordsOfName = doc('Name of the person.');

const user = schemasOf(userFields, {
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
      `Language as a tag of RFC 5646, such as fr or pt-BR. At most ${LANGUAGE_TAG_MAX} characters. Notices are in it where the service has it, else in the application's.`,
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
    doc(
      `Free data: an object of at most ${CUSTOM_DATA_MAX_BYTES / 1024} KB as JSON, ${CUSTOM_DATA_MAX_DEPTH} levels deep.`,
      { plan: 'gold' },
    ),
  ],
  applications: doc(
    'Applications that made the user or got their tokens: two at most are noted. Clients of a single one may change what logs the user in; of several, those with `users:edit` written in their list or roles.',
    ['app-1'],
  ),
  wait: [wait, doc('The wait of a user who has lost a factor, or whose number is at risk. Absent: none.')],
  lastAuthAt: doc('When the user logged in last; absent before the first login (RFC 3339, UTC).', TIME),
  isTest: doc('Whether it is a test user, whose codes are read by API; absent for others.', false),
});

/** What is no plain field of a user. */
const ownFields = {
  email: field(
    textUpTo(ADDRESS_MAX),
    doc(
      `Email address, unique in the tenant whatever its case. At most ${ADDRESS_MAX} characters, with an ASCII domain. Another address is unverified.`,
      'ann@example.com',
    ),
  ),
  phone_number: field(
    textUpTo(ADDRESS_MAX),
    doc(
      'Phone number in international form (E.164), unique in the tenant. Another number is unverified.',
      '+12015550123',
    ),
  ),
  external_user_id: field(
    textUpTo(EXTERNAL_ID_MAX),
    doc(
      `ID of the user in a system of yours: each application has its own name space. At most ${EXTERNAL_ID_MAX} characters.`,
      'crm-4711',
    ),
    operatorRole('admin'),
  ),
  external_application: shown(
    id,
    doc(
      'Application whose external ID is given. It is that of a client, and with the admin token the only one of the tenant or of the user; where there are several, name it.',
      'app-1',
    ),
  ),
  name: field(name.create, wordsOfName),
};

const statedOf = (what: string) =>
  shown(
    v.boolean(),
    doc(
      `True says that the caller has proven the ${what}: its first login shuts nothing out. Takes an admin token or the permission \`users:verify\`. False changes nothing.`,
      true,
    ),
    operatorRole('guarded'),
  );

/** What a caller says of addresses that it has proven itself. */
const stated = { email_verified: statedOf('address'), phone_number_verified: statedOf('number') };

export const CreateUserBody = described(
  withFields(user.create, {
    ...ownFields,
    ...stated,
    applications: shown(
      v.pipe(v.array(id), v.maxLength(APPLICATIONS_NAMED_MAX)),
      doc(
        `Applications of the user, named with the admin token (default: the only one of the tenant); a client makes users of its own alone. At most ${APPLICATIONS_NAMED_MAX}.`,
        ['app-1'],
      ),
    ),
    test: shown(
      v.boolean(),
      doc(
        'Whether it is a test user, for good: addresses are reserved ones, and codes are not sent but read by API. Takes the permission `users:test`, and an application and environment that allow it.',
        false,
      ),
    ),
  }),
  sample('email', 'phone_number', 'name', 'language', 'groups', 'custom_app_data'),
);
export const UpdateUserBody = described(
  withFields(user.update, {
    ...ownFields,
    status: shown(
      v.picklist(['Active', 'Disabled']),
      doc(
        'Whether the user may log in: Disabled ends all sessions, and allows neither sends nor logins until it is Active again.',
        'Active',
      ),
    ),
    end_sessions: shown(
      v.boolean(),
      doc('Whether another address or number, or none, ends the sessions of the user (default: true).', true),
    ),
    ...stated,
    session_id: shown(
      textUpTo(SESSION_ID_MAX),
      doc(
        'Session of a fresh login of the person, by what binding asks: then another address shuts nothing out. A session that is not fresh, or lacks a factor, is 403.',
        'user-1.session-1',
      ),
    ),
  }),
  sample('email', 'name', 'groups', 'status', 'end_sessions'),
);

const PhoneSignal = described(
  v.picklist(['sim_swap', 'number_ported', 'device_swap', 'other']),
  doc('What was observed of the number.', 'sim_swap'),
);
const reason = doc(
  `A code of the reporter: letters, digits, underscores, dots, colons and hyphens. At most ${SIGNAL_REASON_MAX} characters.`,
  'carrier-feed',
);

/** A report on a user's number: which signal, when it was seen, and a code of the reporter. */
export const PhoneRiskBody = v.object({
  signal: PhoneSignal,
  observed_at: shown(
    v.pipe(v.string(), v.isoTimestamp('must be a date and time (RFC 3339)')),
    doc(
      `When it was observed (RFC 3339), at most ${SIGNAL_SKEW_SECONDS} seconds ahead (default: now).`,
      '2026-01-31T12:00:00Z',
    ),
  ),
  reason: shown(
    v.pipe(
      v.string(),
      maxCharacters(SIGNAL_REASON_MAX),
      v.regex(/^[\w.:-]+$/, 'must be letters, digits, underscores, dots, colons and hyphens'),
    ),
    reason,
  ),
});

export const UserRecord = described(
  withFields(user.record, {
    email: shown(
      v.object({
        value: described(
          v.string(),
          doc('The address, as it was given.', 'ann@example.com'),
          masked('address'),
        ),
        email_verified: described(
          v.boolean(),
          doc('Whether a login, a trusted provider or the backend has proven exactly this address.', true),
        ),
        undeliverable: shown(
          v.object({
            reason: described(
              v.picklist(['bounce', 'complaint']),
              doc('Mail came back for good, or its reader called it spam.', 'bounce'),
            ),
            since: described(v.string(), doc('Since when (RFC 3339, UTC).', TIME)),
          }),
          doc('Nothing is sent there until the address is given again or proven. Absent: mail goes there.'),
        ),
      }),
      doc('Email address of the user.'),
    ),
    phone_number: shown(
      v.object({
        value: described(v.string(), doc('The number in E.164 form.', '+12015550123'), masked('address')),
        phone_number_verified: described(
          v.boolean(),
          doc('Whether a login or the backend has proven the number.', true),
        ),
        risk: shown(
          v.object({
            signal: PhoneSignal,
            reason: shown(v.string(), reason),
            observed_at: described(v.string(), doc('When it was observed (RFC 3339, UTC).', TIME)),
            reported_at: described(v.string(), doc('When it was reported here (RFC 3339, UTC).', TIME)),
          }),
          doc('The number may be in other hands: no code by text counts until this is cleared.'),
        ),
      }),
      doc('Phone number of the user.'),
    ),
    external_user_id: shown(
      v.string(),
      doc(
        'ID of the user in the system of the application. With the admin token: the only one that the user has.',
        'crm-4711',
      ),
      masked('address'),
    ),
    external_ids: shown(
      v.array(
        v.object({
          application: described(v.string(), doc('Whose ID it is.', 'app-1')),
          value: described(v.string(), doc('The ID, as it was given.', 'crm-4711'), masked('address')),
        }),
      ),
      doc('IDs of the user at all applications, with the admin token. Absent: none, or another token.'),
    ),
    name: shown(name.record, wordsOfName),
    identities: described(
      v.array(account.record),
      doc('Accounts at social providers that the user logs in by.'),
    ),
    erasure_at: shown(
      date,
      doc(
        'When the user is erased, who has deleted their own account; until then they cannot log in. Absent for others.',
        TIME,
      ),
    ),
  }),
  doc('A person who logs in.'),
);

export const TestCodeResponse = resultOf(
  described(
    v.object({
      code: described(v.string(), doc('The passcode that would have been sent.', '123456')),
      channel: described(
        v.picklist(['email', 'sms', 'direct']),
        doc('How it would have been sent.', 'email'),
      ),
      sent_at: described(v.string(), doc('When it was made (RFC 3339, UTC).', TIME)),
      expires_at: described(v.string(), doc('When it ends (RFC 3339, UTC).', TIME)),
    }),
    doc('The last passcode of a test user.'),
  ),
);

export const UserResponse = resultOf(UserRecord);
export const UserListResponse = listOf(UserRecord);

export const UserSearchQuery = v.object({
  ...PageQuery.entries,
  status: shown(v.picklist(userFields.status.of), doc('Users with this status.', 'Active')),
  group: shown(textUpTo(GROUP_MAX), doc(`Users in this group. At most ${GROUP_MAX} characters.`, 'staff')),
  external_user_id: shown(
    textUpTo(EXTERNAL_ID_MAX),
    doc(
      `Users with exactly this ID in the system of the application; with the admin token, of any. At most ${EXTERNAL_ID_MAX} characters.`,
      'crm-4711',
    ),
  ),
  q: shown(
    textUpTo(ADDRESS_MAX),
    doc(
      `A part of email address, phone number, username or name, whatever its case. At most ${ADDRESS_MAX} characters.`,
      'ann',
    ),
  ),
});

const FoundUserRecord = v.object({
  ...UserRecord.entries,
  found_by: described(
    v.picklist(['user_id', 'session_id', 'email', 'phone_number', 'username', 'external_user_id', 'name']),
    doc('What the text is of the user, or begins.', 'email'),
  ),
});
export const FoundUsersResponse = listOf(FoundUserRecord);

export const FindUsersQuery = v.object({
  ...PageQuery.entries,
  beginning: described(
    textUpTo(ADDRESS_MAX),
    doc(`What the caller knows of the user, or its beginning. At most ${ADDRESS_MAX} characters.`, 'ann'),
  ),
});

export const UserIdPath = v.object({ userId: described(id, userId) });
export const UsernamePath = v.object({
  username: described(
    textUpTo(ADDRESS_MAX),
    doc(`Username, whatever its case. At most ${ADDRESS_MAX} characters.`, 'ann'),
  ),
});
export const EmailPath = v.object({
  email: described(
    textUpTo(ADDRESS_MAX),
    doc(`Email address, whatever its case. At most ${ADDRESS_MAX} characters.`, 'ann@example.com'),
  ),
});
export const PhoneNumberPath = v.object({
  phoneNumber: described(
    textUpTo(ADDRESS_MAX),
    doc('Phone number in international form, the plus sign as %2B.', '+12015550123'),
  ),
});
