import { expect, test } from '@jest/globals';
import { hashSecret } from '../../../shared/domain/basis/random.ts';
import { checkCodeVerifier, readCodeChallenge } from '../../../shared/domain/oauth/pkce.ts';

const challenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';

test.each([
  ['a challenge with the method S256', challenge, 'S256', true, challenge],
  ['no challenge, which is optional', undefined, undefined, false, undefined],
  ['no challenge, which is required', undefined, undefined, true, 'is required for this client'],
  ['a method without a challenge', undefined, 'S256', false, 'is required with code_challenge_method'],
  ['a challenge without a method, which means plain', challenge, undefined, false, 'must be S256'],
  [
    'a challenge that is no digest',
    `${challenge}x`,
    'S256',
    false,
    'must be the base64url of a SHA-256 digest',
  ],
])(
  'a code challenge is accepted only with the method S256: %s',
  (_title, given, method, required, expected) => {
    const read = () => readCodeChallenge(given, method, required);
    if (expected === given) expect(read()).toBe(expected);
    else expect(read).toThrow(expected);
  },
);

const verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';

test.each([
  ['neither challenge nor verifier', undefined, undefined, true],
  ['the verifier of the challenge', challenge, verifier, true],
  ['another verifier', challenge, verifier.toLowerCase(), false],
  ['no verifier', challenge, undefined, false],
  ['a verifier without a challenge', undefined, verifier, false],
  ['a verifier that is too short', hashSecret('short'), 'short', false],
])('a code verifier is accepted only for its challenge: %s', (_title, given, presented, isGood) => {
  const check = () => checkCodeVerifier(given, presented);
  if (isGood) expect(check).not.toThrow();
  else expect(check).toThrow('code_verifier: does not match');
});
