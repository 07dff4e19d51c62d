import { execFileSync } from 'node:child_process';
import { generateKeyPairSync, sign } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import examples from 'libphonenumber-js/mobile/examples';
import * as phones from '../../shared/domain/identifiers/phone-number.ts';
import * as passkeys from '../../shared/domain/passkeys/passkey.ts';
import * as mails from '../../shared/templates/messages/email.ts';
import { claimed, computeSignature, type Sent } from '../aws/support/both-clients.ts';
import { createPasskey } from '../support/tools/software-authenticator.ts';
import type * as calls from './support/refused-calls.ts';
import { refusedCall, SECRET } from './support/refused-calls.ts';

// Bundles leave out parts of some libraries, which must not change results. The tests run the same module from source and from
// a bundle, and compare the results.

const PHONES = 'shared/domain/identifiers/phone-number';
const REFUSED_CALLS = 'test/stacks/support/refused-calls';
const MAILS = 'shared/templates/messages/email';
const PASSKEYS = 'shared/domain/passkeys/passkey';
const SIGNATURES = 'node_modules/@simplewebauthn/server/esm/helpers/iso/isoCrypto/unwrapEC2Signature';

const folder = mkdtempSync(join(tmpdir(), 'otl-left-out-'));
// Bundles in a separate process, because esbuild rejects regular expressions that were created in jest's VM context.
beforeAll(() => {
  const modules = [
    `${PHONES}.ts`,
    `${MAILS}.ts`,
    `${PASSKEYS}.ts`,
    `${REFUSED_CALLS}.ts`,
    `${SIGNATURES}.js`,
  ];
  execFileSync(process.execPath, ['test/stacks/support/bundle-modules.ts', folder, ...modules]);
});
afterAll(() => rmSync(folder, { recursive: true }));

const load = createRequire(import.meta.url);
const bundled = <Module>(module: string): Module => load(join(folder, `${module}.cjs`));

const findExample = (code: string): string => examples[code as keyof typeof examples];

/** Returns variants of a national number: unchanged, shortened, extended, and with domestic and international prefixes. */
const listVariants = (national: string): readonly string[] =>
  [national, ...[1, 3].map((fewer) => national.slice(0, -fewer)), `${national}0`, `${national}00`].flatMap(
    (each) => [each, `0${each}`, `1${each}`, `8${each}`, `15${each}`],
  );

test('the bundled subset of the phone number library accepts the same numbers as the complete library', () => {
  const lighter = bundled<typeof phones>(PHONES);
  const countries = phones.phoneCountries({ smsCountries: 'any' });
  expect(lighter.phoneCountries({ smsCountries: 'any' })).toEqual(countries);
  expect(countries.length).toBeGreaterThan(200);
  const numbers = countries.flatMap(({ code, callingCode }) =>
    listVariants(findExample(code)).map((national) => ({
      code,
      national,
      full: `+${callingCode}${national}`,
    })),
  );
  const shared = ['+80012345678', '+870773111632', '+88216543211', '+9791234567890', '+99912345'];
  const answers = (of: typeof phones) => [
    ...numbers.map(({ code, national, full }) => [
      full,
      of.normalisePhoneNumber(full),
      of.toE164InCountry(national, code),
      of.mayText({ smsCountries: [code] }, full),
    ]),
    ...shared.map((number) => [
      number,
      of.normalisePhoneNumber(number),
      of.mayText({ smsCountries: ['US'] }, number),
    ]),
  ];
  expect(answers(lighter)).toEqual(answers(phones));
  for (const { code, callingCode } of countries)
    expect(lighter.normalisePhoneNumber(`+${callingCode}${findExample(code)}`)).toBeDefined();
});

const REFUSALS: readonly calls.Refusal[] = [
  ...(['ConditionalCheckFailedException', 'ResourceNotFoundException', 'ThrottlingException'] as const).map(
    (error) => ['dynamodb', error, 400] as const,
  ),
  ['dynamodb', 'ReplicatedWriteConflictException', 400],
  ['dynamodb', 'InternalServerError', 500],
  ['kms', 'KMSInvalidStateException', 400],
  ['kms', 'ThrottlingException', 400],
  ['events', 'ThrottlingException', 400],
  ['secrets', 'ResourceNotFoundException', 400],
  ['sqs', 'RequestThrottled', 400],
  ['ses', 'MessageRejected', 400],
  ['ses', 'AccountSendingPausedException', 400],
  ['ses', 'Throttling', 400],
  ['sns', 'OptedOut', 400],
  ['sns', 'InvalidParameter', 400],
];

test('the bundled subset of the AWS client produces the same errors and signatures as the complete client', async () => {
  const lighter = bundled<typeof calls>(REFUSED_CALLS);
  let next: calls.Refusal = ['kms', '', 400];
  const sent: Sent[] = [];
  const server = createServer(async (request, response) => {
    const headers = request.headers as Record<string, string>;
    sent.push({ headers, path: request.url ?? '', body: await text(request) });
    const [service, error, status] = next;
    const isXml = service === 'ses' || service === 'sns';
    const json = { __type: `com.amazonaws#${error}`, message: 'Refused.', Item: { id: { S: 'kept' } } };
    const xml = `<ErrorResponse><Error><Type>Sender</Type><Code>${error}</Code><Message>Refused.</Message></Error></ErrorResponse>`;
    response.writeHead(status, { 'content-type': isXml ? 'text/xml' : 'application/x-amz-json-1.0' });
    response.end(isXml ? xml : JSON.stringify(json));
  }).listen(0);
  try {
    const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    for (const refusal of REFUSALS) {
      next = refusal;
      const whole = await refusedCall(endpoint, refusal);
      expect([refusal, await lighter.refusedCall(endpoint, refusal)]).toEqual([refusal, whole]);
    }
    expect(sent).toHaveLength(2 * REFUSALS.length);
    for (const request of sent) expect(claimed(request)).toBe(computeSignature(request, SECRET));
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

test('the bundled subset of the mail library composes an email with a logo like the complete library', async () => {
  const input = {
    ...{ tenantId: 'tenant', applicationName: 'Shöp', expiresMinutes: 15, language: 'de' as const },
    ...{ from: 'no-reply@example.com', to: 'ä@example.com', reference: 'a1b2c3', sentAt: 1_800_000_000 },
    url: 'https://login.example.com/l/abc',
    content: {
      subject: 'Anmelden bei Shöp',
      senderName: 'Shöp, Berlin',
      logo: { contentType: 'image/png', bytes: Buffer.from('iVBORw0KGgo=', 'base64') },
    },
  } as const;
  const readRawMail = async ({ linkMail }: Pick<typeof mails, 'linkMail'>) =>
    Buffer.from((await linkMail(input)).raw).toString();
  const whole = await readRawMail(mails);
  expect(whole).toContain('Content-Type: image/png');
  expect(await readRawMail(bundled<typeof mails>(MAILS))).toBe(whole);
});

test.each([-7, -8, -257] as const)(
  'the bundled subset of the WebAuthn library registers a passkey with the algorithm %d like the complete library',
  async (alg) => {
    const [origin, challenge] = ['https://login.example.com', Buffer.alloc(32, 7).toString('base64url')];
    const options = { rp: { id: 'login.example.com' }, user: { id: 'dXNlcg' }, challenge };
    const { passkey, result } = createPasskey(
      { webauthn_session_id: 'id', credential_creation_options: options },
      origin,
      { alg },
    );
    const { publicKeyCredential } = JSON.parse(Buffer.from(result, 'base64').toString());
    const { id: credentialId, type, response } = publicKeyCredential;
    const created = { sessionId: 'id', credentialId, type, response };
    const expected = { challenge, relyingParty: { rpId: options.rp.id, origins: [origin] } };
    const facts = await passkeys.verifyRegistration(created, expected);
    expect(facts.credentialId).toBe(passkey.id.toString('base64url'));
    const { verifyRegistration } = bundled<typeof passkeys>(PASSKEYS);
    expect(await verifyRegistration(created, expected)).toEqual(facts);
    const other = { ...expected, challenge: Buffer.alloc(32).toString('base64url') };
    await expect(verifyRegistration(created, other)).rejects.toThrow();
  },
);

test('the bundled subset of the WebAuthn library reads only DER passkey signatures, like the complete library', async () => {
  type Module = { unwrapEC2Signature(signature: Uint8Array, crv: number): Uint8Array };
  const whole: Module = await import(join(import.meta.dirname, '../..', `${SIGNATURES}.js`));
  const lighter = bundled<Module>(SIGNATURES);
  const outcome = (of: Module, signature: Uint8Array) => {
    try {
      return Buffer.from(of.unwrapEC2Signature(signature, 1)).toString('hex');
    } catch {
      return 'refused';
    }
  };
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const pair = (r: readonly number[], s: readonly number[]) =>
    Buffer.from([0x30, r.length + s.length + 4, 0x02, r.length, ...r, 0x02, s.length, ...s]);
  const full = Array.from({ length: 32 }, () => 0x7f);
  const taken = [
    ...Array.from({ length: 100 }, (_, index) => sign('sha256', Buffer.from([index]), privateKey)),
    // Integers that are shorter, that have or lack a sign byte, or that are padded as by some authenticators.
    ...[pair([1], full), pair(full, [0, 0x80]), pair([0, ...full.slice(1)], [0xff, ...full.slice(1)])],
    pair([0, 0xff, ...full.slice(1)], full),
  ];
  for (const signature of taken) {
    expect(outcome(lighter, signature)).not.toBe('refused');
    expect(outcome(lighter, signature)).toBe(outcome(whole, signature));
  }
  const [good = Buffer.alloc(0)] = taken;
  const refusedOnes = [
    ...[0, 1, 2, 8, good.length - 1].map((length) => good.subarray(0, length)),
    ...[Buffer.concat([good, Buffer.from([0])]), pair([0, ...full], full), pair(full, [...full, 1, 1])],
    ...[pair([], full), pair(full, []), Buffer.from([0x30, 0x80, ...pair(full, full).subarray(2), 0, 0])],
    ...[0, 2].map((at) => Buffer.from(pair(full, full).map((byte, index) => (index === at ? 0x04 : byte)))),
    Buffer.concat([Buffer.from([0x30, 4 + 64 + 1]), pair(full, full).subarray(2), Buffer.from([0])]),
  ];
  for (const signature of refusedOnes)
    expect([signature, outcome(lighter, signature)]).toEqual([signature, 'refused']);
});
