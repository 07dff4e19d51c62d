import type { DeviceKey, Passkey } from '../../shared/ports/people.ts';
import type { Approval, WebauthnChallenge } from '../../shared/ports/signing.ts';
import { T, unique } from './records.ts';

/** Records of passkeys and approvals for store tests. */

export const somePasskey = (change: Partial<Passkey> = {}): Passkey => ({
  credentialId: unique('credential'),
  userId: unique('user'),
  tenantId: unique('tenant'),
  applicationId: unique('app'),
  rpId: 'example.com',
  publicKey: 'key',
  signCount: 0,
  backupEligible: true,
  backedUp: false,
  transports: ['internal'],
  aaguid: '00000000-0000-0000-0000-000000000000',
  createdAt: T,
  ...change,
});

export const someDeviceKey = (change: Partial<DeviceKey> = {}): DeviceKey => ({
  keyId: unique('key'),
  userId: unique('user'),
  tenantId: unique('tenant'),
  name: 'Phone',
  algorithm: 'ecdsa',
  publicKey: 'key',
  createdAt: T,
  ...change,
});

export const someChallenge = (change: Partial<WebauthnChallenge> = {}): WebauthnChallenge => ({
  hash: unique('hash'),
  purpose: 'authenticate',
  tenantId: unique('tenant'),
  applicationId: unique('app'),
  rpId: 'example.com',
  challenge: 'challenge',
  rawChallenge: 'raw.challenge',
  approvalData: { amount: '5', __dirname: 'x' },
  identifierHashes: ['hash'],
  expiresAt: T + 300,
  ...change,
});

export const someApproval = (change: Partial<Approval> = {}): Approval => ({
  hash: unique('hash'),
  tenantId: unique('tenant'),
  applicationId: unique('app'),
  userId: unique('user'),
  keyId: unique('key'),
  challenge: 'raw.challenge',
  approvalData: {},
  expiresAt: T + 300,
  ...change,
});
