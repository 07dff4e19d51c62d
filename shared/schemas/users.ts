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
import { described, doc, sample } from './fields/described.ts';
import { maxCharacters } from './fields/max-characters.ts';
import {
  date,
  dates,
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

const words = {
  email: doc(
    `Email address, unique in the tenant whatever its case. At most ${ADDRESS_MAX} characters, with an ASCII domain. Another address is unverified.`,
    'ann@example.com',
  ),
  phoneNumber: doc(
    'Phone number in international form (E.164), unique in the tenant. Another number is unverified.',
    '+12015550123',
  ),
  username: doc(
    `Username, unique in the tenant whatever its case. At most ${USERNAME_MAX} characters, without spaces and invisible characters.`,
    'ann',
  ),
  externalUserId: doc(
    `ID of the user in a system of yours: each application has its own name space. At most ${EXTERNAL_ID_MAX} characters.`,
    'crm-4711',
  ),
  externalApplication: doc(
    'Application whose external ID is given. It is that of a client, and with the admin token the only one of the tenant or of the user; where there are several, name it.',
    'app-1',
  ),
  customIdentifiers: doc(
    `Further names that lead to the user, each unique in the tenant (default: none). At most ${CUSTOM_IDENTIFIERS_MAX}; a list replaces the former one.`,
  ),
  identifierType: doc(
    'Type of the identifier, whatever its case: a letter, then letters, digits and underscores, at most 64 in all. None of the built-in types email, phone_number, user_id and username.',
    'loyalty_card',
  ),
  identifierValue: doc(`Value, compared exactly. At most ${CUSTOM_IDENTIFIER_MAX} characters.`, 'A-7'),
  name: doc('Name of the person.'),
  firstName: doc(`First name. At most ${NAME_MAX} characters.`, 'Ann'),
  lastName: doc(`Last name. At most ${NAME_MAX} characters.`, 'Miller'),
  picture: doc(
    `Address of a picture, \`http\` or \`https\`. At most ${PICTURE_MAX} characters.`,
    'https://shop.example.com/people/ann.png',
  ),
  language: doc(
    `Language as a tag of RFC 5646, such as fr or pt-BR. At most ${LANGUAGE_TAG_MAX} characters. Notices are in it where the service has it, else in the application's.`,
    'fr',
  ),
  groups: doc(
    `Groups of the user, shown in ID tokens (default: none). At most ${GROUPS_MAX} of ${GROUP_MAX} characters; a list replaces the former one.`,
    ['staff'],
  ),
  roles: doc(
    `Roles of the user, as applications know them (default: none). At most ${ROLES_MAX}; a list replaces the former one. It takes an admin token to give them.`,
    ['support'],
  ),
  customAppData: doc(
    `Free data: an object of at most ${CUSTOM_DATA_MAX_BYTES / 1024} KB as JSON, ${CUSTOM_DATA_MAX_DEPTH} levels deep.`,
    { plan: 'gold' },
  ),
};

const CustomIdentifier = v.object({
  type: described(
    v.pipe(
      v.string(),
      v.regex(
        /^(?!(?:email|phone_number|user_id|username)$)[A-Za-z][A-Za-z0-9_]{0,63}$/,
        'must be letters, digits and underscores, at most 64, and none of the built-in types',
      ),
      v.toLowerCase(),
    ),
    words.identifierType,
  ),
  value: described(textUpTo(CUSTOM_IDENTIFIER_MAX), words.identifierValue),
});

/** Read by the domain, for its size and depth; the metadata says to the API document what the domain checks. */
const CustomAppData = v.pipe(v.unknown(), v.metadata({ type: ['object', 'null'] }));

const userFields = {
  email: field(textUpTo(ADDRESS_MAX), words.email),
  phone_number: field(textUpTo(ADDRESS_MAX), words.phoneNumber),
  username: field(textUpTo(USERNAME_MAX), words.username),
  external_user_id: field(textUpTo(EXTERNAL_ID_MAX), words.externalUserId),
  external_application: shown(id, words.externalApplication),
  custom_identifiers: field(
    v.pipe(v.array(CustomIdentifier), v.maxLength(CUSTOM_IDENTIFIERS_MAX)),
    words.customIdentifiers,
  ),
  name: field(
    v.object({
      first_name: field(textUpTo(NAME_MAX), words.firstName),
      last_name: field(textUpTo(NAME_MAX), words.lastName),
    }),
    words.name,
  ),
  picture: field(
    v.pipe(v.string(), maxCharacters(PICTURE_MAX), v.regex(/^https?:\/\/\S+$/, 'must be an http(s) address')),
    words.picture,
  ),
  language: field(
    v.pipe(
      v.string(),
      maxCharacters(LANGUAGE_TAG_MAX),
      v.regex(/^[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8})*$/, 'must be a language tag (RFC 5646)'),
    ),
    words.language,
  ),
  groups: field(v.pipe(v.array(textUpTo(GROUP_MAX)), v.maxLength(GROUPS_MAX)), words.groups),
  roles: field(roleNames(ROLES_MAX), words.roles),
  custom_app_data: shown(CustomAppData, words.customAppData),
};

const statedOf = (what: string) =>
  shown(
    v.boolean(),
    doc(
      `True says that the caller has proven the ${what}: its first login shuts nothing out. Takes an admin token or the permission \`users:verify\`. False changes nothing.`,
      true,
    ),
  );

/** What a caller says of addresses that it has proven itself. */
const stated = { email_verified: statedOf('address'), phone_number_verified: statedOf('number') };

export const CreateUserBody = described(
  v.object({
    ...userFields,
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
  v.object({
    ...userFields,
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
export type UserFields = v.InferOutput<typeof UpdateUserBody>;

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
export type PhoneRiskFields = v.InferOutput<typeof PhoneRiskBody>;

const status = v.picklist(['Pending', 'Active', 'Disabled']);
const TIME = '2026-01-31T12:00:00.000Z';

export const UserRecord = described(
  v.object({
    user_id: described(v.string(), userId),
    status: described(
      status,
      doc('Pending until the first login, then Active. Disabled cannot log in.', 'Active'),
    ),
    email: shown(
      v.object({
        value: described(v.string(), doc('The address, as it was given.', 'ann@example.com')),
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
        value: described(v.string(), doc('The number in E.164 form.', '+12015550123')),
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
    username: shown(v.string(), words.username),
    external_user_id: shown(
      v.string(),
      doc(
        'ID of the user in the system of the application. With the admin token: the only one that the user has.',
        'crm-4711',
      ),
    ),
    external_ids: shown(
      v.array(
        v.object({
          application: described(v.string(), doc('Whose ID it is.', 'app-1')),
          value: described(v.string(), doc('The ID, as it was given.', 'crm-4711')),
        }),
      ),
      doc('IDs of the user at all applications, with the admin token. Absent: none, or another token.'),
    ),
    custom_identifiers: described(
      v.array(
        v.object({
          type: described(v.string(), words.identifierType),
          value: described(v.string(), words.identifierValue),
        }),
      ),
      words.customIdentifiers,
    ),
    name: shown(
      v.object({
        first_name: shown(v.string(), words.firstName),
        last_name: shown(v.string(), words.lastName),
      }),
      words.name,
    ),
    picture: shown(v.string(), words.picture),
    language: shown(v.string(), words.language),
    groups: described(v.array(v.string()), words.groups),
    roles: described(v.array(v.string()), words.roles),
    custom_app_data: shown(v.record(v.string(), v.unknown()), words.customAppData),
    identities: described(
      v.array(
        v.object({
          provider: described(v.string(), doc('The provider: google, apple, facebook or line.', 'google')),
          issuer: shown(
            v.string(),
            doc("Issuer that the application had set. Absent: the provider's own.", 'https://id.example.com'),
          ),
          subject: described(v.string(), doc('ID of the account at the provider.', '110169484474386276334')),
        }),
      ),
      doc('Accounts at social providers that the user logs in by.'),
    ),
    ...dates,
    last_auth: shown(
      date,
      doc('When the user logged in last; absent before the first login (RFC 3339, UTC).', TIME),
    ),
    test: shown(
      v.boolean(),
      doc('Whether it is a test user, whose codes are read by API; absent for others.', false),
    ),
    erasure_at: shown(
      date,
      doc(
        'When the user is erased, who has deleted their own account; until then they cannot log in. Absent for others.',
        TIME,
      ),
    ),
    applications: described(
      v.array(v.string()),
      doc(
        'Applications that made the user or got their tokens: two at most are noted. Clients of a single one may change what logs the user in; of several, those with `users:edit` written in their list or roles.',
        ['app-1'],
      ),
    ),
    recovery: shown(
      v.object({
        requested_at: described(date, doc('When it was asked for (RFC 3339, UTC).', TIME)),
        effective_at: described(
          date,
          doc('From when what is lost is no longer asked for (RFC 3339, UTC).', TIME),
        ),
        ends_at: described(date, doc('Until when it can be ended (RFC 3339, UTC).', TIME)),
      }),
      doc('The wait of a user who has lost a factor, or whose number is at risk. Absent: none.'),
    ),
  }),
  doc('A person who logs in.'),
);
export type UserRecord = v.InferOutput<typeof UserRecord>;

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
  status: shown(status, doc('Users with this status.', 'Active')),
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
