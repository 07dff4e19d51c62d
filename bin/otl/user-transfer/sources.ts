/** `json` is a document with a list of users. */
export const FORMATS = ['jsonl', 'csv', 'json'] as const;
export type Format = (typeof FORMATS)[number];

/** How a value is read: source-row.ts. */
export type Reading =
  | 'flag'
  | 'isThere'
  | 'date'
  | 'enabled'
  | 'blocked'
  | 'blockedUntil'
  | 'digits'
  | 'proven'
  | 'chosen'
  | 'hasEmail'
  | 'lacksEmail'
  | 'hasPhone'
  | 'lacksPhone';

/** Which field of an export is which of ours, in dots where it is within another; how its value is read, else as it stands. */
export type Columns = Readonly<Record<string, string | readonly [to: string, how: Reading]>>;

/** A list within the user of an export. */
export interface Items {
  readonly from: string;
  readonly to: 'identities' | 'passkeys';
  /** The key that tells kinds apart. */
  readonly kind: string;
  /** The provider of each kind, or `passkey`; null: it says nothing that other fields do not. Others are not taken. */
  readonly kinds: Readonly<Record<string, string | null>>;
  readonly columns: Columns;
  /** A key with more fields, as JSON. */
  readonly inner?: string;
  /** The user's handle is the bytes of the user's ID. */
  readonly handleIsId?: true;
}

export interface Source {
  readonly format: Format;
  /** In a JSON document: the list of users. */
  readonly list?: string;
  readonly id: string;
  /** A list of `Name` and `Value`, whose names are fields like the others. */
  readonly attributes?: string;
  readonly columns: Columns;
  readonly items: readonly Items[];
}

/**
 * Read on 2026-11-28: docs.aws.amazon.com/cli/latest/reference/cognito-idp/list-users.html and
 * docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_UserType.html
 */
const cognito: Source = {
  format: 'json',
  list: 'Users',
  id: 'sub',
  attributes: 'Attributes',
  columns: {
    sub: 'user_id',
    Username: ['username', 'chosen'],
    Enabled: ['status', 'enabled'],
    UserCreateDate: ['created_at', 'date'],
    email: 'email',
    email_verified: ['email_verified', 'flag'],
    phone_number: 'phone_number',
    phone_number_verified: ['phone_number_verified', 'flag'],
    given_name: 'name.first_name',
    family_name: 'name.last_name',
    picture: 'picture',
    locale: 'language',
  },
  items: [
    {
      from: 'identities',
      to: 'identities',
      kind: 'providerType',
      kinds: { Google: 'google', Facebook: 'facebook', SignInWithApple: 'apple' },
      columns: { userId: 'subject' },
    },
  ],
};

/**
 * Read on 2026-11-28: auth0.com/docs/manage-users/user-migration/bulk-user-exports, its fields in
 * auth0.com/docs/manage-users/user-accounts/user-profiles/user-profile-structure and, for passkeys, which an operator adds to
 * each line as `authentication_methods`,
 * auth0.com/docs/api/management/v2/users/get-authentication-methods-by-authentication-method-id
 */
const auth0: Source = {
  format: 'jsonl',
  id: 'user_id',
  columns: {
    user_id: 'user_id',
    username: 'username',
    email: 'email',
    email_verified: ['email_verified', 'flag'],
    phone_number: 'phone_number',
    phone_verified: ['phone_number_verified', 'flag'],
    given_name: 'name.first_name',
    family_name: 'name.last_name',
    picture: 'picture',
    blocked: ['status', 'blocked'],
    created_at: ['created_at', 'date'],
  },
  items: [
    {
      from: 'identities',
      to: 'identities',
      kind: 'provider',
      kinds: {
        ...{ 'google-oauth2': 'google', apple: 'apple', facebook: 'facebook', line: 'line' },
        ...{ auth0: null, email: null, sms: null },
      },
      columns: { user_id: 'subject' },
    },
    {
      from: 'authentication_methods',
      to: 'passkeys',
      kind: 'type',
      kinds: { passkey: 'passkey' },
      columns: {
        key_id: 'credential_id',
        public_key: 'public_key',
        user_handle: 'user_handle',
        transports: 'transports',
        relying_party_identifier: 'rp_id',
        credential_backed_up: 'backed_up',
        aaguid: 'aaguid',
        name: 'name',
        created_at: ['created_at', 'date'],
      },
    },
  ],
};

/**
 * Read on 2026-11-28: firebase.google.com/docs/cli/auth, of `auth:export users.json`, as
 * github.com/firebase/firebase-tools/blob/main/src/accountExporter.ts writes it: of accounts at providers without those at Apple
 */
const firebase: Source = {
  format: 'json',
  list: 'users',
  id: 'localId',
  columns: {
    localId: 'user_id',
    email: 'email',
    emailVerified: ['email_verified', 'flag'],
    // Firebase keeps no number that has not been proven.
    phoneNumber: ['phone_number', 'proven'],
    photoUrl: 'picture',
    createdAt: ['created_at', 'date'],
    disabled: ['status', 'blocked'],
  },
  items: [
    {
      from: 'providerUserInfo',
      to: 'identities',
      kind: 'providerId',
      kinds: {
        ...{ 'google.com': 'google', 'apple.com': 'apple', 'facebook.com': 'facebook' },
        ...{ password: null, phone: null },
      },
      columns: { rawId: 'subject' },
    },
  ],
};

/** Read on 2026-11-28: clerk.com/docs/guides/development/migrating/export-from-clerk, of the CSV of the dashboard */
const clerk: Source = {
  format: 'csv',
  id: 'id',
  columns: {
    id: 'user_id',
    username: 'username',
    first_name: 'name.first_name',
    last_name: 'name.last_name',
    primary_email_address: 'email',
    verified_email_addresses: ['email_verified', 'hasEmail'],
    unverified_email_addresses: ['email_verified', 'lacksEmail'],
    primary_phone_number: 'phone_number',
    verified_phone_numbers: ['phone_number_verified', 'hasPhone'],
    unverified_phone_numbers: ['phone_number_verified', 'lacksPhone'],
    banned: ['status', 'blocked'],
    created_at: ['created_at', 'date'],
  },
  items: [],
};

/**
 * Read on 2026-11-28: supabase.com/docs/guides/auth/managing-user-data and the models in
 * github.com/supabase/auth/tree/master/internal/models, of `auth.users` as CSV, with the rows of `auth.identities` as JSON in one
 * more column; or of users of the admin API, where the `id` of an identity is what the table calls `provider_id`
 */
const supabase: Source = {
  format: 'csv',
  list: 'users',
  id: 'id',
  columns: {
    id: 'user_id',
    email: 'email',
    email_confirmed_at: ['email_verified', 'isThere'],
    phone: ['phone_number', 'digits'],
    phone_confirmed_at: ['phone_number_verified', 'isThere'],
    banned_until: ['status', 'blockedUntil'],
    created_at: ['created_at', 'date'],
  },
  items: [
    {
      from: 'identities',
      to: 'identities',
      kind: 'provider',
      kinds: { google: 'google', apple: 'apple', facebook: 'facebook', email: null, phone: null },
      columns: { id: 'subject', provider_id: 'subject' },
    },
  ],
};

/**
 * Read on 2026-11-28: keycloak.org/server/importExport, of a realm with its users, or of a file of users, as ExportUtils.java of
 * github.com/keycloak/keycloak writes them
 */
const keycloak: Source = {
  format: 'json',
  list: 'users',
  id: 'id',
  columns: {
    id: 'user_id',
    username: 'username',
    email: 'email',
    emailVerified: ['email_verified', 'flag'],
    firstName: 'name.first_name',
    lastName: 'name.last_name',
    enabled: ['status', 'enabled'],
    createdTimestamp: ['created_at', 'date'],
  },
  items: [
    {
      from: 'federatedIdentities',
      to: 'identities',
      kind: 'identityProvider',
      kinds: { google: 'google', apple: 'apple', facebook: 'facebook', line: 'line' },
      columns: { userId: 'subject' },
    },
    {
      from: 'credentials',
      to: 'passkeys',
      kind: 'type',
      kinds: { 'webauthn-passwordless': 'passkey' },
      inner: 'credentialData',
      handleIsId: true,
      columns: {
        userLabel: 'name',
        createdDate: ['created_at', 'date'],
        credentialId: 'credential_id',
        credentialPublicKey: 'public_key',
        counter: 'sign_count',
        transports: 'transports',
        aaguid: 'aaguid',
      },
    },
  ],
};

export const SOURCES: Readonly<Record<string, Source>> = {
  cognito,
  auth0,
  firebase,
  clerk,
  supabase,
  keycloak,
};
