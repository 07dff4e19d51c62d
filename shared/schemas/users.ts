import * as v from 'valibot';
import {
  ADDRESS_MAX,
  APPLICATIONS_NAMED_MAX,
  EXTERNAL_ID_MAX,
  GROUP_MAX,
  SESSION_ID_MAX,
  SIGNAL_REASON_MAX,
  SIGNAL_SKEW_SECONDS,
} from '../domain/basis/limits.ts';
import { userFields } from '../records/user.ts';
import { described, doc, masked, operatorRole, sample, unguarded } from './fields/described.ts';
import { maxCharacters } from './fields/max-characters.ts';
import { withFields } from './fields/of-record.ts';
import {
  date,
  field,
  id,
  listOf,
  PageQuery,
  resultOf,
  shown,
  TIME,
  textUpTo,
  userId,
} from './fields/record.ts';
import { account, name, user } from './fields/user.ts';

const wordsOfName = doc('Name of the person.');

/** What is no plain field of a user. */
const ownFields = {
  email: field(
    textUpTo(ADDRESS_MAX),
    doc(
      `Email address, unique in the tenant whatever its case. At most ${ADDRESS_MAX} characters, with an ASCII domain. Another address is unverified.`,
      'ann@example.com',
    ),
    unguarded('withoutPower'),
  ),
  phone_number: field(
    textUpTo(ADDRESS_MAX),
    doc(
      'Phone number in international form (E.164), unique in the tenant. Another number is unverified.',
      '+12015550123',
    ),
    unguarded('withoutPower'),
  ),
  external_user_id: field(
    textUpTo(EXTERNAL_ID_MAX),
    doc(
      `ID of the user in a system of yours: each application has its own name space. At most ${EXTERNAL_ID_MAX} characters.`,
      'crm-4711',
    ),
    operatorRole('guarded'),
  ),
  external_application: shown(
    id,
    doc(
      'Application whose external ID is given. It is that of a client, and with the admin token the only one of the tenant or of the user; where there are several, name it.',
      'app-1',
    ),
    unguarded('qualifies'),
  ),
  name: field(name.create, wordsOfName, unguarded('describes')),
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
      unguarded('inert'),
    ),
    test: shown(
      v.boolean(),
      doc(
        'Whether it is a test user, for good: addresses are reserved ones, and codes are not sent but read by API. Takes the permission `users:test`, and an application and environment that allow it.',
        false,
      ),
      unguarded('inert'),
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
      unguarded('withoutPower'),
    ),
    end_sessions: shown(
      v.boolean(),
      doc('Whether another address or number, or none, ends the sessions of the user (default: true).', true),
      unguarded('qualifies'),
    ),
    ...stated,
    session_id: shown(
      textUpTo(SESSION_ID_MAX),
      doc(
        'Session of a fresh login of the person, by what binding asks: then another address shuts nothing out. A session that is not fresh, or lacks a factor, is 403.',
        'user-1.session-1',
      ),
      unguarded('qualifies'),
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

const opensAt = shown(
  date,
  doc(
    'An operator below admin has set it: before this time (RFC 3339, UTC) it logs in only together with another factor of the user. In the year 9999 where no address of the user could be notified. Absent for others, and once it is proven.',
    TIME,
  ),
);

const supersedesAccount = shown(
  v.boolean(),
  doc(
    'The address was set without a `session_id` of the user or a verification. Its first proof supersedes all that the user had before: other addresses, passkeys, accounts at providers and sessions. Absent: it does not.',
    true,
  ),
);

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
        opens_at: opensAt,
        supersedes_account: supersedesAccount,
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
        opens_at: opensAt,
        supersedes_account: supersedesAccount,
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
