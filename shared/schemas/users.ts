import * as v from 'valibot';
import {
  ADDRESS_MAX,
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
  USERNAME_MAX,
} from '../domain/basis/limits.ts';
import { roleNames } from './applications.ts';
import { secret } from './login-fields.ts';
import { maxCharacters } from './max-characters.ts';
import { MemberRecord } from './organizations.ts';
import { PageQuery } from './paging.ts';
import { DeviceKeyRecord, PasskeyRecord } from './signing.ts';

const ID_MAX = 64;

const text = (max: number) => v.pipe(v.string(), v.minLength(1), maxCharacters(max));
/** Null removes the field of an existing user; a new user does not have it anyway. */
const field = <const Schema extends v.GenericSchema>(schema: Schema) => v.optional(v.nullable(schema));

const CustomIdentifier = v.object({
  type: v.pipe(
    v.string(),
    v.regex(
      /^(?!(?:email|phone_number|user_id|username)$)[A-Za-z][A-Za-z0-9_]{0,63}$/,
      'must be letters, digits and underscores, at most 64, and none of the built-in types',
    ),
    v.toLowerCase(),
  ),
  value: text(CUSTOM_IDENTIFIER_MAX),
});

/** Read by the domain, for its size and depth; the metadata says to the API document what the domain checks. */
const CustomAppData = v.pipe(v.unknown(), v.metadata({ type: ['object', 'null'] }));

const userFields = {
  email: field(text(ADDRESS_MAX)),
  phone_number: field(text(ADDRESS_MAX)),
  username: field(text(USERNAME_MAX)),
  external_user_id: field(text(EXTERNAL_ID_MAX)),
  custom_identifiers: field(v.pipe(v.array(CustomIdentifier), v.maxLength(CUSTOM_IDENTIFIERS_MAX))),
  name: field(v.object({ first_name: field(text(NAME_MAX)), last_name: field(text(NAME_MAX)) })),
  picture: field(
    v.pipe(v.string(), maxCharacters(PICTURE_MAX), v.regex(/^https?:\/\/\S+$/, 'must be an http(s) address')),
  ),
  language: field(
    v.pipe(
      v.string(),
      maxCharacters(LANGUAGE_TAG_MAX),
      v.regex(/^[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8})*$/, 'must be a language tag (RFC 5646)'),
    ),
  ),
  groups: field(v.pipe(v.array(text(GROUP_MAX)), v.maxLength(GROUPS_MAX))),
  roles: field(roleNames(ROLES_MAX)),
  custom_app_data: v.optional(CustomAppData),
};

export const CreateUserBody = v.object(userFields);
export const UpdateUserBody = v.object({
  ...userFields,
  status: v.optional(v.picklist(['Active', 'Disabled'])),
  /** False: another address or number leaves the sessions of the user as they are. */
  end_sessions: v.optional(v.boolean()),
  /** True: the caller has proven the address, whose first login then puts nothing to sleep. */
  email_verified: v.optional(v.boolean()),
  phone_number_verified: v.optional(v.boolean()),
});
export type UserFields = v.InferOutput<typeof UpdateUserBody>;

const PhoneSignal = v.picklist(['sim_swap', 'number_ported', 'device_swap', 'other']);

/** A report on a user's number: which signal, when it was seen, and a code of the reporter. */
export const PhoneRiskBody = v.object({
  signal: PhoneSignal,
  observed_at: v.optional(v.pipe(v.string(), v.isoTimestamp('must be a date and time (RFC 3339)'))),
  reason: v.optional(
    v.pipe(
      v.string(),
      maxCharacters(SIGNAL_REASON_MAX),
      v.regex(/^[\w.:-]+$/, 'must be letters, digits, underscores, dots, colons and hyphens'),
    ),
  ),
});
export type PhoneRiskFields = v.InferOutput<typeof PhoneRiskBody>;

const UserRecord = v.object({
  user_id: v.string(),
  status: v.picklist(['Pending', 'Active', 'Disabled']),
  email: v.optional(
    v.object({
      value: v.string(),
      email_verified: v.boolean(),
      undeliverable: v.optional(v.object({ reason: v.picklist(['bounce', 'complaint']), since: v.string() })),
    }),
  ),
  phone_number: v.optional(
    v.object({
      value: v.string(),
      phone_number_verified: v.boolean(),
      risk: v.optional(
        v.object({
          signal: PhoneSignal,
          reason: v.optional(v.string()),
          observed_at: v.string(),
          reported_at: v.string(),
        }),
      ),
    }),
  ),
  username: v.optional(v.string()),
  external_user_id: v.optional(v.string()),
  custom_identifiers: v.array(v.object({ type: v.string(), value: v.string() })),
  name: v.optional(v.object({ first_name: v.optional(v.string()), last_name: v.optional(v.string()) })),
  picture: v.optional(v.string()),
  language: v.optional(v.string()),
  groups: v.array(v.string()),
  roles: v.array(v.string()),
  custom_app_data: v.optional(v.record(v.string(), v.unknown())),
  identities: v.array(
    v.object({ provider: v.string(), issuer: v.optional(v.string()), subject: v.string() }),
  ),
  created_at: v.pipe(v.string(), v.isoTimestamp()),
  updated_at: v.pipe(v.string(), v.isoTimestamp()),
  last_auth: v.optional(v.pipe(v.string(), v.isoTimestamp())),
  recovery: v.optional(
    v.object({
      requested_at: v.pipe(v.string(), v.isoTimestamp()),
      effective_at: v.pipe(v.string(), v.isoTimestamp()),
      ends_at: v.pipe(v.string(), v.isoTimestamp()),
    }),
  ),
});
export type UserRecord = v.InferOutput<typeof UserRecord>;

export const UserResponse = v.object({ result: UserRecord });
export const UserListResponse = v.object({
  result: v.array(UserRecord),
  next_cursor: v.optional(v.string()),
});

export const UserSearchQuery = v.object({
  ...PageQuery.entries,
  status: v.optional(v.picklist(['Pending', 'Active', 'Disabled'])),
  group: v.optional(text(GROUP_MAX)),
  external_user_id: v.optional(text(EXTERNAL_ID_MAX)),
  q: v.optional(text(ADDRESS_MAX)),
});

/** The secret of a link in a notice. */
export const NoticeLinkQuery = v.object({ link: secret });

const date = v.pipe(v.string(), v.isoTimestamp());
export const UserExportResponse = v.object({
  result: v.object({
    user: UserRecord,
    former_addresses: v.array(v.object({ value: v.string(), changed_at: date, kept_until: date })),
    memberships: v.array(MemberRecord),
    passkeys: v.array(PasskeyRecord),
    device_keys: v.array(DeviceKeyRecord),
    sessions: v.array(
      v.object({
        session_id: v.string(),
        app_id: v.string(),
        methods: v.array(v.object({ method: v.string(), at: date })),
        device_id: v.optional(v.string()),
        user_agent: v.optional(v.string()),
        ip_address: v.optional(v.string()),
        start_time: date,
        expiration_time: date,
      }),
    ),
    timeline: v.array(v.looseObject({ time: date, type: v.string() })),
  }),
});

export const UserIdPath = v.object({ userId: text(ID_MAX) });
export const UsernamePath = v.object({ username: text(ADDRESS_MAX) });
export const EmailPath = v.object({ email: text(ADDRESS_MAX) });
export const PhoneNumberPath = v.object({ phoneNumber: text(ADDRESS_MAX) });
