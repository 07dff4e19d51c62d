import { constants, generateKeyPairSync, sign } from 'node:crypto';
import type { Person, SignedTokens } from './passkeys.ts';
import type { World } from './world.ts';

/** Approvals by a key on a person's device, through the HTTP API alone. */

type Texts = Readonly<Record<string, string>>;

export interface DeviceApproval {
  readonly approval_id: string;
  readonly key_id: string;
  readonly signature: string;
}

/** An approval that the device has signed; still to be handed in. */
export async function signByDeviceKey(
  world: World,
  { user, tokens }: Person,
  kind: 'EC' | 'RSA',
  approval_data: Texts,
): Promise<DeviceApproval> {
  const { publicKey, privateKey: key } =
    kind === 'EC'
      ? generateKeyPairSync('ec', { namedCurve: 'P-256' })
      : generateKeyPairSync('rsa', { modulusLength: 2048 });
  const json = { public_key: publicKey.export({ format: 'jwk' }), name: 'Phone' };
  const own = { token: tokens.access_token };
  const made = await world.post<{ result: { key_id: string } }>('/v1/auth/device-keys', json, own);
  const request = { user_id: user.user_id, approval_data };
  const token = await world.clientToken();
  const { body } = await world.post<{ approval_id: string; challenge: string }>(
    '/v1/auth/approvals/start',
    request,
    { token },
  );
  const options =
    kind === 'EC'
      ? ({ key, dsaEncoding: 'ieee-p1363' } as const)
      : { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 };
  const signature = sign('sha256', Buffer.from(body.challenge), options).toString('base64url');
  return { approval_id: body.approval_id, key_id: made.body.result.key_id, signature };
}

/** The artifacts of an approval from start to end. */
export async function approveByDeviceKey(
  world: World,
  person: Person,
  kind: 'EC' | 'RSA',
  approvalData: Texts,
): Promise<NonNullable<SignedTokens['signing_artifacts']>> {
  const signed = await signByDeviceKey(world, person, kind, approvalData);
  const token = await world.clientToken();
  const answer = await world.post<SignedTokens>('/v1/auth/approvals/authenticate', signed, { token });
  if (!answer.body.signing_artifacts) throw new Error(`not approved: ${JSON.stringify(answer.body)}`);
  return answer.body.signing_artifacts;
}
