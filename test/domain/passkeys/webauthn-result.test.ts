import { expect, test } from '@jest/globals';
import { readAuthentication } from '../../../shared/domain/passkeys/webauthn-result.ts';

const bytes = (text: string) => Buffer.from(text).toString('base64url');
const response = {
  clientDataJSON: bytes('client data'),
  authenticatorData: bytes('authenticator data'),
  signature: bytes('signature'),
};
const encoded = (credential: object) =>
  Buffer.from(
    JSON.stringify({
      webauthnSessionId: 'session',
      publicKeyCredential: { type: 'public-key', response, ...credential },
    }),
  ).toString('base64');

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
