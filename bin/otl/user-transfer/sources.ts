import * as convert from './conversions.ts';

/** `json` is a document with a list of users. */
export const FORMATS = ['jsonl', 'csv', 'json'] as const;
export type Format = (typeof FORMATS)[number];

/** The field of ours for each field of an export (a dot names a field within another), with the conversion of its value. */
export type Columns = Readonly<
  Record<string, string | readonly [to: string, conversion: convert.Conversion]>
>;

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

/** Claims of OpenID Connect, which Cognito and Auth0 have under the same names. */
const CLAIMS: Columns = {
  email: 'email',
  email_verified: ['email_verified', convert.isTrue],
  phone_number: 'phone_number',
  given_name: 'name.first_name',
  family_name: 'name.last_name',
  picture: 'picture',
};

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
    Username: ['username', convert.readUsername],
    Enabled: ['status', convert.readEnabled],
    UserCreateDate: ['created_at', convert.readDate],
    ...CLAIMS,
    phone_number_verified: ['phone_number_verified', convert.isTrue],
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
    ...CLAIMS,
    phone_verified: ['phone_number_verified', convert.isTrue],
    blocked: ['status', convert.readBlocked],
    created_at: ['created_at', convert.readDate],
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
        created_at: ['created_at', convert.readDate],
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
    emailVerified: ['email_verified', convert.isTrue],
    // Firebase keeps no number that has not been proven.
    phoneNumber: ['phone_number', convert.proven],
    photoUrl: 'picture',
    createdAt: ['created_at', convert.readDate],
    disabled: ['status', convert.readBlocked],
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
    verified_email_addresses: ['email_verified', convert.among('primary_email_address')],
    unverified_email_addresses: ['email_verified', convert.notAmong('primary_email_address')],
    primary_phone_number: 'phone_number',
    verified_phone_numbers: ['phone_number_verified', convert.among('primary_phone_number')],
    unverified_phone_numbers: ['phone_number_verified', convert.notAmong('primary_phone_number')],
    banned: ['status', convert.readBlocked],
    created_at: ['created_at', convert.readDate],
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
    email_confirmed_at: ['email_verified', convert.isThere],
    phone: ['phone_number', convert.readDigits],
    phone_confirmed_at: ['phone_number_verified', convert.isThere],
    banned_until: ['status', convert.readBlockedUntil],
    created_at: ['created_at', convert.readDate],
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
    emailVerified: ['email_verified', convert.isTrue],
    firstName: 'name.first_name',
    lastName: 'name.last_name',
    enabled: ['status', convert.readEnabled],
    createdTimestamp: ['created_at', convert.readDate],
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
        createdDate: ['created_at', convert.readDate],
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
