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
import { PASSCODE_CHANNELS } from '../records/channels.ts';
import { userFields } from '../records/user.ts';
import { describe, described, masked, operatorRole, sample, unguarded } from './fields/described.ts';
import { maxCharacters } from './fields/max-characters.ts';
import { withFields } from './fields/of-record.ts';
import {
  date,
  id,
  nullableField,
  optionalField,
  PageQuery,
  TIME,
  textUpTo,
  toPage,
  toResult,
  userId,
} from './fields/record.ts';
import { account, name, user } from './fields/user.ts';

const wordsOfName = describe('Name of the user.');

/** Fields of a user in requests that have no entry in the field table of user records. */
const ownFields = {
  email: nullableField(
    textUpTo(ADDRESS_MAX),
    describe(
      `Email address, case-insensitive and unique in the tenant. At most ${ADDRESS_MAX} characters, with an ASCII domain. A new address is unverified.`,
      'ann@example.com',
    ),
    unguarded('withoutPower'),
  ),
  phone_number: nullableField(
    textUpTo(ADDRESS_MAX),
    describe(
      'Phone number in international form (E.164), unique in the tenant. A new number is unverified.',
      '+12015550123',
    ),
    unguarded('withoutPower'),
  ),
  external_user_id: nullableField(
    textUpTo(EXTERNAL_ID_MAX),
    describe(
      `ID of the user in your own system. Each application has its own name space. At most ${EXTERNAL_ID_MAX} characters.`,
      'crm-4711',
    ),
    operatorRole('guarded'),
  ),
  external_application: optionalField(
    id,
    describe(
      "Application that the external ID belongs to. Default: the client's application or, with the admin token, the only one of the tenant or user. Required if there are several.",
      'app-1',
    ),
    unguarded('qualifies'),
  ),
  name: nullableField(name.create, wordsOfName, unguarded('describes')),
};

const statedFlag = (what: string) =>
  optionalField(
    v.boolean(),
    describe(
      `True states that the caller has proven the ${what}, so that its first login supersedes nothing. Requires an admin token or the permission \`users:verify\`. False changes nothing.`,
      true,
    ),
    operatorRole('guarded'),
  );

/** Fields with which a caller states that it has verified the user's email address or phone number itself. */
const stated = { email_verified: statedFlag('address'), phone_number_verified: statedFlag('number') };

export const CreateUserBody = described(
  withFields(user.create, {
    ...ownFields,
    ...stated,
    applications: optionalField(
      v.pipe(v.array(id), v.maxLength(APPLICATIONS_NAMED_MAX)),
      describe(
        `Applications of the user, given with the admin token (default: the only one of the tenant). A client creates users only in its own application. At most ${APPLICATIONS_NAMED_MAX}.`,
        ['app-1'],
      ),
      unguarded('inert'),
    ),
    test: optionalField(
      v.boolean(),
      describe(
        'Whether the user is a test user, which cannot be changed later. Test users have reserved addresses, and their codes are not sent but read with the API. Requires the permission `users:test`, and an application and environment that allow it.',
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
    status: optionalField(
      v.picklist(['Active', 'Disabled']),
      describe(
        'Whether the user may log in. Disabled ends all sessions, and prevents sends and logins until the user is Active again.',
        'Active',
      ),
      unguarded('withoutPower'),
    ),
    end_sessions: optionalField(
      v.boolean(),
      describe(
        'Whether changing or removing an address or number ends the sessions of the user (default: true).',
        true,
      ),
      unguarded('qualifies'),
    ),
    ...stated,
    session_id: optionalField(
      textUpTo(SESSION_ID_MAX),
      describe(
        'Session of a recent login of the user with the factors that adding a credential requires. A new address then supersedes nothing. A session that is too old, or lacks a factor, is answered with 403.',
        'user-1.session-1',
      ),
      unguarded('qualifies'),
    ),
  }),
  sample('email', 'name', 'groups', 'status', 'end_sessions'),
);

const PhoneSignal = described(
  v.picklist(['sim_swap', 'number_ported', 'device_swap', 'other']),
  describe('Observed change of the number.', 'sim_swap'),
);
const reason = describe(
  `Reason code of the reporter: letters, digits, underscores, dots, colons and hyphens. At most ${SIGNAL_REASON_MAX} characters.`,
  'carrier-feed',
);

/** Report that a phone number is at risk: the signal, the time at which it was observed, and a reason code of the reporter. */
export const PhoneRiskBody = v.object({
  signal: PhoneSignal,
  observed_at: optionalField(
    v.pipe(v.string(), v.isoTimestamp('must be a date and time (RFC 3339)')),
    describe(
      `Time of the observation (RFC 3339), at most ${SIGNAL_SKEW_SECONDS} seconds in the future (default: now).`,
      '2026-01-31T12:00:00Z',
    ),
  ),
  reason: optionalField(
    v.pipe(
      v.string(),
      maxCharacters(SIGNAL_REASON_MAX),
      v.regex(/^[\w.:-]+$/, 'must be letters, digits, underscores, dots, colons and hyphens'),
    ),
    reason,
  ),
});

const opensAt = optionalField(
  date,
  describe(
    'Time (RFC 3339, UTC) before which this address, set by an operator below admin, logs in only together with another factor of the user. In the year 9999 if no address of the user could be notified. Absent for other addresses, and once it is proven.',
    TIME,
  ),
);

const supersedesAccount = optionalField(
  v.boolean(),
  describe(
    'Whether the first proof of the address supersedes everything that the user had before: other addresses, passkeys, provider accounts and sessions. True for an address that was set without a `session_id` of the user or a verification. Absent: no.',
    true,
  ),
);

export const UserRecord = described(
  withFields(user.record, {
    email: optionalField(
      v.object({
        value: described(
          v.string(),
          describe('Address as it was given.', 'ann@example.com'),
          masked('address'),
        ),
        email_verified: described(
          v.boolean(),
          describe('Whether a login, a trusted provider or the backend has proven this address.', true),
        ),
        opens_at: opensAt,
        supersedes_account: supersedesAccount,
        undeliverable: optionalField(
          v.object({
            reason: described(
              v.picklist(['bounce', 'complaint']),
              describe('Reason: a mail bounced permanently, or was reported as spam.', 'bounce'),
            ),
            since: described(v.string(), describe('Time of the first failure (RFC 3339, UTC).', TIME)),
          }),
          describe(
            'Set if nothing is sent to the address until it is set again or proven. Absent: mail is sent.',
          ),
        ),
      }),
      describe('Email address of the user.'),
    ),
    phone_number: optionalField(
      v.object({
        value: described(v.string(), describe('Phone number in E.164.', '+12015550123'), masked('address')),
        phone_number_verified: described(
          v.boolean(),
          describe('Whether a login or the backend has proven the phone number.', true),
        ),
        opens_at: opensAt,
        supersedes_account: supersedesAccount,
        risk: optionalField(
          v.object({
            signal: PhoneSignal,
            reason: optionalField(v.string(), reason),
            observed_at: described(v.string(), describe('Time of the observation (RFC 3339, UTC).', TIME)),
            reported_at: described(v.string(), describe('Time of the report (RFC 3339, UTC).', TIME)),
          }),
          describe('Reported risk of the number. Codes by SMS are not accepted until it is cleared.'),
        ),
      }),
      describe('Phone number of the user.'),
    ),
    external_user_id: optionalField(
      v.string(),
      describe(
        "ID of the user in the application's own system. With the admin token: the ID, if the user has only one.",
        'crm-4711',
      ),
      masked('address'),
    ),
    external_ids: optionalField(
      v.array(
        v.object({
          application: described(v.string(), describe('Application that the ID belongs to.', 'app-1')),
          value: described(v.string(), describe('ID as it was given.', 'crm-4711'), masked('address')),
        }),
      ),
      describe(
        'IDs of the user in the systems of all applications, with the admin token. Absent: none, or another token.',
      ),
    ),
    name: optionalField(name.record, wordsOfName),
    identities: described(v.array(account.record), describe('Social accounts with which the user logs in.')),
    erasure_at: optionalField(
      date,
      describe(
        'Time at which a user who has deleted their own account is erased. Until then the user cannot log in. Absent for others.',
        TIME,
      ),
    ),
  }),
  describe('A user who logs in to applications.'),
);

export const TestCodeResponse = toResult(
  described(
    v.object({
      code: described(v.string(), describe('Passcode that would have been sent.', '123456')),
      channel: described(
        v.picklist([...PASSCODE_CHANNELS, 'direct']),
        describe('Channel by which it would have been sent.', 'email'),
      ),
      sent_at: described(v.string(), describe('Time of creation (RFC 3339, UTC).', TIME)),
      expires_at: described(v.string(), describe('Time of expiry (RFC 3339, UTC).', TIME)),
    }),
    describe('Last passcode of a test user.'),
  ),
);

export const UserResponse = toResult(UserRecord);
export const UserListResponse = toPage(UserRecord);

export const UserSearchQuery = v.object({
  ...PageQuery.entries,
  status: optionalField(v.picklist(userFields.status.of), describe('Users with this status.', 'Active')),
  group: optionalField(
    textUpTo(GROUP_MAX),
    describe(`Users in this group. At most ${GROUP_MAX} characters.`, 'staff'),
  ),
  external_user_id: optionalField(
    textUpTo(EXTERNAL_ID_MAX),
    describe(
      `Users with exactly this ID in the application's own system; with the admin token, in any system. At most ${EXTERNAL_ID_MAX} characters.`,
      'crm-4711',
    ),
  ),
  q: optionalField(
    textUpTo(ADDRESS_MAX),
    describe(
      `Part of an email address, phone number, username or name, case-insensitive. At most ${ADDRESS_MAX} characters.`,
      'ann',
    ),
  ),
});

const FoundUserRecord = v.object({
  ...UserRecord.entries,
  found_by: optionalField(
    v.picklist([
      ...['user_id', 'session_id', 'request_id', 'email', 'phone_number', 'username'],
      ...['external_user_id', 'name'],
    ] as const),
    describe('Attribute of the user that matches the text or begins with it.', 'email'),
  ),
  problems: described(
    v.array(v.picklist(['user_disabled', 'mail_bounced', 'mail_complaint', 'number_at_risk', 'wrong_codes'])),
    describe(
      'Problems of the user. `wrong_codes`: wrong codes were entered since the last login, which may have locked the codes.',
      ['mail_bounced'],
    ),
  ),
  locked_until: optionalField(
    date,
    describe('End of the lock of the codes. Only with `has_problem=locked`.', '2026-01-31T12:15:00Z'),
  ),
});
export const FoundUsersResponse = toPage(FoundUserRecord);

export const FindUsersQuery = v.object({
  ...PageQuery.entries,
  beginning: optionalField(
    textUpTo(ADDRESS_MAX),
    describe(
      `Known attribute of the user, or its beginning. At most ${ADDRESS_MAX} characters. Absent: all users, newest first.`,
      'ann',
    ),
  ),
  status: optionalField(v.picklist(userFields.status.of), describe('Only users with this status.', 'Active')),
  app_id: optionalField(id, describe('Only users of this application.', '1c7r5zk0v3x9qmd2w8htb4nyp')),
  has_problem: optionalField(
    v.picklist(['true', 'locked', 'failed_login']),
    describe(
      '`true`: only users who have a problem. Without `beginning`, wrong codes count for 24 hours and come last. `locked`: users whose codes are locked now. `failed_login`: users whose login failed in the last 24 hours. The last two list the latest event first, and not together with `beginning`.',
      'true',
    ),
  ),
});

export const UserIdPath = v.object({ userId: described(id, userId) });
export const UsernamePath = v.object({
  username: described(
    textUpTo(ADDRESS_MAX),
    describe(`Username, case-insensitive. At most ${ADDRESS_MAX} characters.`, 'ann'),
  ),
});
export const EmailPath = v.object({
  email: described(
    textUpTo(ADDRESS_MAX),
    describe(`Email address, case-insensitive. At most ${ADDRESS_MAX} characters.`, 'ann@example.com'),
  ),
});
export const PhoneNumberPath = v.object({
  phoneNumber: described(
    textUpTo(ADDRESS_MAX),
    describe('Phone number in international form, with the plus sign as %2B.', '+12015550123'),
  ),
});
