import * as v from 'valibot';
import {
  ADDRESS_MAX,
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
  SIGNAL_REASON_MAX,
  SIGNAL_SKEW_SECONDS,
  USERNAME_MAX,
} from '../domain/basis/limits.ts';
import { DeviceKeyRecord } from './approvals.ts';
import { described, doc, sample } from './fields/described.ts';
import { secret } from './fields/login.ts';
import { maxCharacters } from './fields/max-characters.ts';
import {
  applicationId,
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
import { MemberRecord } from './organizations.ts';
import { PasskeyRecord } from './passkeys.ts';

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
    `ID of the user in a system of yours. At most ${EXTERNAL_ID_MAX} characters.`,
    'crm-4711',
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

export const CreateUserBody = described(
  v.object({
    ...userFields,
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
    email_verified: shown(
      v.boolean(),
      doc(
        'True says that the caller has proven the address: its first login puts nothing to sleep. Takes an admin token or the permission `users:verify`. False changes nothing.',
        true,
      ),
    ),
    phone_number_verified: shown(
      v.boolean(),
      doc(
        'True says that the caller has proven the number: its first login puts nothing to sleep. Takes an admin token or the permission `users:verify`. False changes nothing.',
        true,
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
    external_user_id: shown(v.string(), words.externalUserId),
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
    last_auth: v.optional(
      described(
        date,
        doc('When the user logged in last; absent before the first login (RFC 3339, UTC).', TIME),
      ),
    ),
    test: shown(
      v.boolean(),
      doc('Whether it is a test user, whose codes are read by API; absent for others.', false),
    ),
    erasure_at: v.optional(
      described(
        date,
        doc(
          'When the user is erased, who has deleted their own account; until then they cannot log in. Absent for others.',
          TIME,
        ),
      ),
    ),
    recovery: shown(
      v.object({
        requested_at: described(date, doc('When it was asked for (RFC 3339, UTC).', TIME)),
        effective_at: described(
          date,
          doc('From when one kind of factor is enough to bind another (RFC 3339, UTC).', TIME),
        ),
        ends_at: described(date, doc('Until when (RFC 3339, UTC).', TIME)),
      }),
      doc('Recovery of a user who has lost a factor. Absent: none was asked for.'),
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
    doc(`Users with exactly this ID elsewhere. At most ${EXTERNAL_ID_MAX} characters.`, 'crm-4711'),
  ),
  q: shown(
    textUpTo(ADDRESS_MAX),
    doc(
      `A part of email address, phone number, username or name, whatever its case. At most ${ADDRESS_MAX} characters.`,
      'ann',
    ),
  ),
});

/** The secret of a link in a notice. */
export const NoticeLinkQuery = v.object({
  link: described(
    secret,
    doc(
      'Secret of a link in a notice, which is in its address.',
      'oX0z8m3qV5tWb7Rk1yN4hJc2sLdPf6gU9eAxTiBvMwQ',
    ),
  ),
});

export const UserExportResponse = v.object({
  result: described(
    v.object({
      user: UserRecord,
      former_addresses: described(
        v.array(
          v.object({
            value: described(v.string(), doc('The address or number.', 'ann@old.example')),
            changed_at: described(date, doc('When it was replaced or removed (RFC 3339, UTC).', TIME)),
            kept_until: described(date, doc('Until when it is kept (RFC 3339, UTC).', TIME)),
          }),
        ),
        doc('Proven addresses that the user had lately.'),
      ),
      proven_before: described(
        v.array(
          v.object({
            value: described(v.string(), doc('The address or number.', 'ann@old.example')),
            kept_until: described(
              date,
              doc(
                'Until when it is kept, longer where it is the address of the user again (RFC 3339, UTC).',
                TIME,
              ),
            ),
          }),
        ),
        doc(
          'The email address and the number that the user had last proven before a change. When one comes back, its proof is not taken for that of a new owner.',
        ),
      ),
      memberships: described(v.array(MemberRecord), doc('Organizations that the user is in.')),
      passkeys: described(v.array(PasskeyRecord), doc('Passkeys of the user.')),
      device_keys: described(v.array(DeviceKeyRecord), doc('Device keys of the user.')),
      sessions: described(
        v.array(
          v.object({
            session_id: described(
              v.string(),
              doc('ID of the session.', '2vd8nq4m1x0k7zt9w5chb3ryp.0wz4k8xq2m6v9t1d5r7hcb3np'),
            ),
            app_id: described(v.string(), applicationId),
            methods: described(
              v.array(
                v.object({
                  method: described(
                    v.string(),
                    doc(
                      'How the user logged in, as in `amr`: eml, eotp, sms, otp, social or webauthn.',
                      'eotp',
                    ),
                  ),
                  at: described(date, doc('When (RFC 3339, UTC).', TIME)),
                }),
              ),
              doc('The proofs that the session has.'),
            ),
            device_id: shown(v.string(), doc('Device, as the backend named it.', 'till-3')),
            user_agent: shown(
              v.string(),
              doc(
                'Browser or program of the user.',
                'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101',
              ),
            ),
            ip_address: shown(v.string(), doc('Network address of the user.', '203.0.113.7')),
            start_time: described(date, doc('When it began (RFC 3339, UTC).', TIME)),
            expiration_time: described(
              date,
              doc('When it ends, if it is not used before (RFC 3339, UTC).', TIME),
            ),
          }),
        ),
        doc('Living sessions of the user.'),
      ),
      timeline: described(
        v.array(
          v.looseObject({
            time: described(date, doc('When it happened (RFC 3339, UTC).', TIME)),
            type: described(v.string(), doc('Type of the event.', 'login.succeeded')),
          }),
        ),
        doc('What happened to the account, newest first, with the further facts of each event.'),
      ),
    }),
    doc('Everything that is kept about the user, without secrets and their hashes.'),
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
