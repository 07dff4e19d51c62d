import { expect, test } from '@jest/globals';
import {
  buildBoundSessionId,
  isLiveChallenge,
  newBoundCookie,
  newChallenge,
  newDeviceBinding,
  readBoundSessionId,
} from '../../../shared/domain/basis/device-binding.ts';

const AT = 1000;
const binding = { secret: 'secret', proofs: 1, provenAt: AT };

test('a new session can be bound to a device only over HTTPS and unless device binding is off', () => {
  const bind = (deviceBinding: string, scheme: string) =>
    newDeviceBinding({ deviceBinding, browserOrigin: `${scheme}://login.example.com` }, AT);
  expect(bind('offered', 'https')).toEqual({
    binding: { secret: expect.stringMatching(/^[\w-]{43}$/), proofs: 0, provenAt: AT },
  });
  expect([bind('off', 'https'), bind('offered', 'http')]).toEqual([{}, {}]);
});

test('a challenge is valid for five minutes, for one purpose, and until a proof was accepted', () => {
  const challenge = newChallenge(binding, 'proof', AT);
  const isLive = (at: number, change = {}) =>
    isLiveChallenge({ ...binding, ...change }, 'proof', challenge, at);
  expect([isLive(AT + 299), isLive(AT + 300)]).toEqual([true, false]);
  expect([isLive(AT, { proofs: 2 }), isLive(AT, { secret: 'other' })]).toEqual([false, false]);
  expect(isLiveChallenge(binding, 'registration', challenge, AT)).toBe(false);
  expect(isLiveChallenge(binding, 'proof', newBoundCookie(binding, AT + 300), AT)).toBe(false);
});

test('the ID of a device-bound session contains the session ID', () => {
  expect(readBoundSessionId(buildBoundSessionId('user.session', 'key'))).toBe('user.session');
  expect(readBoundSessionId('session')).toBe('');
});
