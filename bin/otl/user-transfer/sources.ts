import * as convert from './conversions.ts';

/** File formats of imports. `json` is a document that contains a list of users. */
export const FORMATS = ['jsonl', 'csv', 'json'] as const;
export type Format = (typeof FORMATS)[number];

/** Map from each field of an export to our field, with an optional conversion of the value. A dot names a nested field. */
export type Columns = Readonly<
  Record<string, string | readonly [to: string, conversion: convert.Conversion]>
>;

/** Description of a list within an exported user, such as the user's identities or passkeys. */
export interface Items {
  readonly from: string;
  readonly to: 'identities' | 'passkeys';
  /** Key of the list item's field that contains the item's type. */
  readonly kind: string;
  /**
   * Login provider for each item type, or `passkey`. Null means that items of the type only repeat other fields of the user.
   * Items of types that are not listed here are not imported.
   */
  readonly kinds: Readonly<Record<string, string | null>>;
  readonly columns: Columns;
  /** Key of the list item's field that contains further fields as JSON text. */
  readonly inner?: string;
  /** True if the WebAuthn user handle consists of the bytes of the user ID. */
  readonly handleIsId?: true;
}

export interface Source {
  readonly format: Format;
  /** Key of the user list in a JSON document. */
  readonly list?: string;
  readonly id: string;
  /** Key of a list of `Name` and `Value` pairs, which are read as further fields of the user. */
  readonly attributes?: string;
  readonly columns: Columns;
  readonly items: readonly Items[];
}

/** OpenID Connect claims, which Cognito and Auth0 export under the same names. */
const CLAIMS: Columns = {
  email: 'email',
  email_verified: ['email_verified', convert.isTrue],
  phone_number: 'phone_number',
  given_name: 'name.first_name',
  family_name: 'name.last_name',
  picture: 'picture',
};

/**
 * Export of Amazon Cognito, as documented on 2026-11-28 at docs.aws.amazon.com/cli/latest/reference/cognito-idp/list-users.html
 * and docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_UserType.html
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
 * Export of Auth0, as documented on 2026-11-28 at auth0.com/docs/manage-users/user-migration/bulk-user-exports. The fields are
 * described at auth0.com/docs/manage-users/user-accounts/user-profiles/user-profile-structure. An operator adds passkeys to
 * each line as `authentication_methods`:
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
 * Export of Firebase by `auth:export users.json`, as documented on 2026-11-28 at firebase.google.com/docs/cli/auth and written
 * by github.com/firebase/firebase-tools/blob/main/src/accountExporter.ts, which leaves out accounts at Apple.
 */
const firebase: Source = {
  format: 'json',
  list: 'users',
  id: 'localId',
  columns: {
    localId: 'user_id',
    email: 'email',
    emailVerified: ['email_verified', convert.isTrue],
    // Firebase stores only verified phone numbers.
    phoneNumber: ['phone_number', convert.markVerified],
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

/**
 * CSV export of the Clerk dashboard, as documented on 2026-11-28 at
 * clerk.com/docs/guides/development/migrating/export-from-clerk.
 */
const clerk: Source = {
  format: 'csv',
  id: 'id',
  columns: {
    id: 'user_id',
    username: 'username',
    first_name: 'name.first_name',
    last_name: 'name.last_name',
    primary_email_address: 'email',
    verified_email_addresses: ['email_verified', convert.isAmong('primary_email_address')],
    unverified_email_addresses: ['email_verified', convert.reportOthers('primary_email_address')],
    primary_phone_number: 'phone_number',
    verified_phone_numbers: ['phone_number_verified', convert.isAmong('primary_phone_number')],
    unverified_phone_numbers: ['phone_number_verified', convert.reportOthers('primary_phone_number')],
    banned: ['status', convert.readBlocked],
    created_at: ['created_at', convert.readDate],
  },
  items: [],
};

/**
 * Export of Supabase, as documented on 2026-11-28 at supabase.com/docs/guides/auth/managing-user-data and in the models of
 * github.com/supabase/auth/tree/master/internal/models. The export is either `auth.users` as CSV, with the rows of
 * `auth.identities` as JSON in one more column, or the users of the admin API, where the `id` of an identity is the table's
 * `provider_id`.
 */
const supabase: Source = {
  format: 'csv',
  list: 'users',
  id: 'id',
  columns: {
    id: 'user_id',
    email: 'email',
    email_confirmed_at: ['email_verified', convert.isPresent],
    phone: ['phone_number', convert.readDigits],
    phone_confirmed_at: ['phone_number_verified', convert.isPresent],
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
 * Export of Keycloak: a realm with its users, or a file of users, as documented on 2026-11-28 at
 * keycloak.org/server/importExport and written by ExportUtils.java of github.com/keycloak/keycloak.
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
