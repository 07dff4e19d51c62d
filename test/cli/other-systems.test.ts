import { readFileSync } from 'node:fs';
import { describe, expect, jest, test } from '@jest/globals';
import { fromSource } from '../../bin/otl/user-transfer/source-row.ts';
import { SOURCES, type Source } from '../../bin/otl/user-transfer/sources.ts';
import { useMoving } from './support/moving.ts';

jest.setTimeout(120_000);

type Json = Readonly<Record<string, unknown>>;

const { server, otl, json, exportUsers, rpId, ...moving } = useMoving();

async function newTenant(): Promise<readonly string[]> {
  const tenant = await moving.newTenant();
  await json(['application', 'create', '--name', 'Shop', ...tenant]);
  return tenant;
}

describe('importing users who were exported from other identity providers', () => {
  const google = (subject: string) => [{ provider: 'google', subject }];
  const email = (value: string, email_verified = true) => ({ value, email_verified });
  const phone = (value: string) => ({ value, phone_number_verified: true });
  const KEYCLOAK = ['--rp-id', 'localhost'];

  test.each([
    {
      file: 'cognito.json',
      left: 'MFAOptions,UserLastModifiedDate,UserStatus,custom:plan,identities.dateCreated,identities.primary,identities.providerName,identities@SAML',
      users: [
        {
          external_user_id: '4f0e6a52-3d0f-4a8f-9c3a-0c6a5f0f1a01',
          email: email('ann@cognito.example.com'),
          name: { first_name: 'Ann "A, {[" Miller' },
          identities: google('g-1'),
          created_at: '2023-07-21T23:07:37.000Z',
        },
        {
          external_user_id: '4f0e6a52-3d0f-4a8f-9c3a-0c6a5f0f1a02',
          username: 'ben',
          phone_number: phone('+12015550143'),
          status: 'Disabled',
          created_at: '2023-07-21T23:07:37.000Z',
        },
        {
          external_user_id: '4f0e6a52-3d0f-4a8f-9c3a-0c6a5f0f1a03',
          email: email('cleo@cognito.example.com', false),
          identities: google('g-5'),
        },
      ],
    },
    {
      file: 'auth0.jsonl',
      left: [
        'authentication_methods.confirmed,authentication_methods.credential_device_type',
        'authentication_methods.id,authentication_methods.identity_user_id,authentication_methods.last_auth_at',
        'authentication_methods.user_agent,authentication_methods@totp',
        'identities.connection,identities.isSocial,identities.profileData,identities@github',
        'last_ip,last_login,logins_count,name,nickname,passkeys@old.example.com,updated_at,user_metadata',
      ].join(),
      users: [
        {
          external_user_id: 'auth0|ann',
          email: email('ann@auth0.example.com'),
          name: { first_name: 'Ann', last_name: 'Miller' },
          identities: google('g-2'),
          created_at: '2021-01-02T03:04:05.000Z',
        },
        {
          external_user_id: 'auth0|ben',
          email: email('ben@auth0.example.com', false),
          phone_number: phone('+12015550147'),
          status: 'Disabled',
        },
      ],
    },
    {
      file: 'firebase.json',
      left: [
        'customAttributes,displayName,lastSignedInAt,passwordHash,providerUserInfo.displayName',
        'providerUserInfo.email,providerUserInfo.photoUrl,providerUserInfo@github.com,salt',
      ].join(),
      users: [
        {
          external_user_id: 'fbAnn',
          email: email('ann@firebase.example.com'),
          picture: 'https://example.com/ann.png',
          identities: google('g-3'),
          created_at: '2020-09-13T12:26:40.000Z',
        },
        { external_user_id: 'fbBen', phone_number: phone('+12015550144'), status: 'Disabled' },
      ],
    },
    {
      file: 'clerk.csv',
      left: 'password_digest,password_hasher,totp_secret,verified_email_addresses',
      users: [
        { external_user_id: 'user_ann', username: 'ann-clerk', email: email('ann@clerk.example.com') },
        {
          external_user_id: 'user_ben',
          email: email('ben@clerk.example.com', false),
          phone_number: phone('+12015550145'),
        },
      ],
    },
    {
      file: 'supabase.csv',
      left: [
        'aud,confirmed_at,email_change_confirm_status,encrypted_password',
        'identities.created_at,identities.email,identities.id,identities.identity_data',
        'identities.last_sign_in_at,identities.updated_at,identities.user_id,identities@github',
        'instance_id,is_anonymous,is_sso_user,raw_app_meta_data,role,updated_at',
      ].join(),
      users: [
        {
          external_user_id: '7d1c0a8e-1111-4222-8333-444455556666',
          email: email('ann@supabase.example.com'),
          identities: google('g-6'),
          created_at: '2024-06-29T20:24:06.000Z',
        },
        {
          external_user_id: '7d1c0a8e-1111-4222-8333-444455556667',
          email: email('ben@supabase.example.com', false),
          phone_number: phone('+12015550146'),
          status: 'Disabled',
        },
      ],
    },
    {
      file: 'keycloak.json',
      more: KEYCLOAK,
      left: [
        'attributes,clientRoles,credentials.attestationStatement,credentials.attestationStatementFormat',
        'credentials.id,credentials@otp,credentials@password,credentials@webauthn',
        'federatedIdentities.userName,groups,notBefore,realmRoles,requiredActions,totp',
      ].join(),
      users: [
        {
          external_user_id: 'c43add41-7fe0-4821-bc25-ef503abb9008',
          username: 'ann',
          email: email('ann@keycloak.example.com', false),
          identities: google('g-4'),
          created_at: '2022-04-15T05:20:00.000Z',
        },
        {
          external_user_id: 'c43add41-7fe0-4821-bc25-ef503abb9009',
          email: email('ben@keycloak.example.com'),
          status: 'Disabled',
        },
      ],
    },
  ])(
    'otl user import creates users from the export $file and reports unknown fields',
    async ({ file, left, users, more = [] }) => {
      const tenant = await newTenant();
      const [system = ''] = file.split('.');
      const rp = more.map((each) => (each === 'localhost' ? rpId() : each));
      const args = [
        'user',
        'import',
        `test/cli/exports/${file}`,
        '--from',
        system,
        '--trust-verified',
        ...rp,
      ];
      const refused = await otl([...args, ...tenant]);
      const named = /--ignore (\S+)/.exec(refused.stderr)?.[1]?.split(',').toSorted();
      expect(named).toEqual(left.split(',').toSorted());
      expect(await exportUsers(tenant)).toEqual([]);
      expect(await json([...args, '--ignore', left, ...tenant])).toMatchObject({
        created: users.length,
        failed: 0,
      });
      const made = await exportUsers(tenant);
      for (const user of users) expect(made).toContainEqual(expect.objectContaining(user));
      expect(await json([...args, '--ignore', left, ...tenant])).toMatchObject({
        created: 0,
        existing: users.length,
      });
    },
  );

  test('a passkey imported from Keycloak keeps its user handle and signature counter', async () => {
    const tenant = await newTenant();
    const text = readFileSync('test/cli/exports/keycloak.json', 'utf8').replace(
      'a2V5LW9mLWFubg==',
      'b3RoZXI=',
    );
    const first = [
      'user',
      'import',
      '-',
      '--from',
      'keycloak',
      '--trust-verified',
      '--rp-id',
      rpId(),
      ...tenant,
    ];
    const names = /--ignore (\S+)/.exec((await otl(first, text)).stderr)?.[1] ?? '';
    expect((await otl([...first, '--ignore', names], text)).code).toBe(0);
    const { passkeys } = await server.ports(['passkeys']);
    const userId = (await passkeys.findOwner('b3RoZXI')) ?? '';
    expect(await passkeys.listOf(userId)).toMatchObject([
      {
        userHandle: Buffer.from('c43add41-7fe0-4821-bc25-ef503abb9008').toString('base64url'),
        signCount: 4,
        name: 'Telephone',
        standing: 'proven',
      },
    ]);
  });

  test.each([
    ['CONFIRMED', 'ann', 'ann'],
    ['CONFIRMED', 'id-of-ann', undefined],
    ['EXTERNAL_PROVIDER', 'Google_1', undefined],
  ])(
    'an imported Cognito user with the status %s and the name %s gets the username %s',
    (UserStatus, Username, username) => {
      const Attributes = [{ Name: 'sub', Value: 'id-of-ann' }];
      const { body } = fromSource(SOURCES.cognito as Source, { Username, UserStatus, Attributes });
      expect((body as Json).username).toBe(username);
    },
  );

  test.each([
    ['{"other": []}', 'There is no list "users" in the file.'],
    ['{"users": [{"localId": "a"', 'The file ends in the middle of a user.'],
  ])('otl user import rejects a malformed export: %s', async (input, message) => {
    const refused = await otl(['user', 'import', '-', '--from', 'firebase'], '');
    expect(refused.code).toBe(2);
    expect((await otl(['user', 'import', '-', '--from', 'firebase'], input)).stderr).toContain(message);
  });
});
