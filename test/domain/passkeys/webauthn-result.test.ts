import { expect, test } from '@jest/globals';
import { readAuthentication, readRegistration } from '../../../shared/domain/passkeys/webauthn-result.ts';

const bytes = (text: string) => Buffer.from(text).toString('base64url');
const response = {
  clientDataJSON: bytes('client data'),
  authenticatorData: bytes('authenticator data'),
  signature: bytes('signature'),
};
const base64 = (text: string) => Buffer.from(text).toString('base64');
const encoded = (credential: object, rest: object = {}) =>
  base64(
    JSON.stringify({
      webauthnSessionId: 'session',
      publicKeyCredential: { type: 'public-key', response, ...credential },
      ...rest,
    }),
  );
const id = bytes('credential');

test.each([
  ['id and rawId', { id: bytes('credential'), rawId: bytes('credential') }],
  ['rawId in standard base64', { id: bytes('cred?>~'), rawId: Buffer.from('cred?>~').toString('base64') }],
  ['rawId only', { rawId: bytes('credential') }],
  ['id only', { id: bytes('credential') }],
])('the credential ID of a WebAuthn result is read from %s', (_, credential) => {
  const expected = Object.values(credential)[0];
  expect(readAuthentication(encoded(credential)).credentialId).toBe(expected);
});

test('a WebAuthn result is rejected if its id and its rawId differ', () => {
  const credential = { id: bytes('one credential'), rawId: bytes('another credential') };
  expect(() => readAuthentication(encoded(credential))).toThrow('id and rawId must be the same');
});

test.each([
  ['%%%', 'must be base64'],
  [base64('no JSON'), 'must be JSON in base64'],
  [base64('null'), 'its JSON must be an object'],
  [base64('[]'), 'its JSON must be an object'],
  [base64('"text"'), 'its JSON must be an object'],
  [encoded({ id }, { webauthnSessionId: 7 }), 'webauthnSessionId must be a string'],
  [encoded({ id }, { webauthnSessionId: '' }), 'webauthnSessionId must be a string'],
  [encoded({}, { publicKeyCredential: [] }), 'publicKeyCredential must be an object'],
  [encoded({}), 'id must be base64'],
  [encoded({ id, response: null }), 'response must be an object'],
  [encoded({ id, response: { ...response, signature: '%' } }), 'signature must be base64'],
])('the malformed WebAuthn result %s is rejected with the reason "%s"', (result, reason) => {
  expect(() => readAuthentication(result)).toThrow(`webauthn_encoded_result: ${reason}`);
});

test('the user handle of a WebAuthn result is optional', () => {
  for (const userHandle of [undefined, null])
    expect(readAuthentication(encoded({ id, response: { ...response, userHandle } })).response).toEqual(
      response,
    );
  const handle = { ...response, userHandle: bytes('handle') };
  expect(readAuthentication(encoded({ id, response: handle })).response).toEqual(handle);
});

test('the user agent of a WebAuthn result is cut after 2048 characters', () => {
  const read = (userAgent: unknown) => readAuthentication(encoded({ id }, { userAgent })).userAgent;
  expect([read(7), read(`A${'b'.repeat(2048)}`)]).toEqual([undefined, `A${'b'.repeat(2047)}`]);
});

test('at most ten different transports of a new passkey are read', () => {
  const read = (transports: unknown) =>
    readRegistration(encoded({ id, response: { ...response, attestationObject: id, transports } })).response
      .transports;
  const many = [...'abcdefghijk'];
  expect(read(['usb', 'usb', 7, 'NFC', 'x'.repeat(33), ...many])).toEqual(['usb', ...many.slice(0, 9)]);
  expect(read('usb')).toEqual([]);
});
