// Approvals by a key on the user's device: start, check the signature, consume.
import { ServiceError } from '../../errors/service-error.ts';
import type { ApplicationOfTenant } from '../../ports/directory.ts';
import type { DeviceKey, User } from '../../ports/people.ts';
import type { Approval, ApprovalData, ApprovedTexts } from '../../ports/signing.ts';
import type { PortsWith } from '../../ports/uses.ts';
import { toBase64url } from '../basis/base64.ts';
import { APPROVAL_SECONDS } from '../basis/limits.ts';
import { omitUndefined } from '../basis/omit-undefined.ts';
import { hashSecret, newSecret } from '../basis/random.ts';
import { isValidIn } from '../trust/factor-types.ts';
import { newRawChallenge } from './approval-challenge.ts';
import { toApprovalFields } from './approval-data.ts';
import {
  type AuthenticationProof,
  createConsumption,
  provenBy,
  restoreOnFailure,
} from './authentication-proof.ts';
import { type AlgorithmObject, algorithmObject, isSignedBy } from './crypto-key.ts';

/**
 * Starts an approval by a device key. `expires_in` is in seconds. Errors: `device_key_not_found` if the user does not have the
 * key.
 */
export async function beginApproval(
  ports: PortsWith<'approvals.put' | 'deviceKeys.find'>,
  { tenant, application, user: { userId } }: ApplicationOfTenant & { readonly user: User },
  { approvalData, keyId }: { readonly approvalData: ApprovalData; readonly keyId?: string | undefined },
  now: number,
) {
  const key = keyId === undefined ? undefined : await ports.deviceKeys.find(userId, keyId);
  const counts = key && isValidIn(key.scope, application.applicationId);
  if (keyId !== undefined && !counts) throw new ServiceError('device_key_not_found');
  const approvalId = newSecret();
  const challenge = newRawChallenge(approvalData);
  await ports.approvals.put(
    omitUndefined<Approval>({
      hash: hashSecret(approvalId),
      tenantId: tenant.tenantId,
      applicationId: application.applicationId,
      userId,
      keyId,
      challenge,
      approvalData,
      expiresAt: now + APPROVAL_SECONDS,
    }),
  );
  return { approval_id: approvalId, challenge, expires_in: APPROVAL_SECONDS };
}

/** Finds an approval of the application that is valid at `now` (epoch seconds). Errors: `approval_invalid`. */
export async function findApproval(
  ports: PortsWith<'approvals.find'>,
  { tenant, application }: ApplicationOfTenant,
  approvalId: string,
  now: number,
): Promise<Approval> {
  const approval = await ports.approvals.find(hashSecret(approvalId), now);
  const own = approval?.tenantId === tenant.tenantId && approval.applicationId === application.applicationId;
  if (!own) throw new ServiceError('approval_invalid');
  return approval;
}

/** Approval whose signature is correct. The approval is not consumed yet. */
export interface CheckedApproval {
  readonly approval: Approval;
  readonly key: DeviceKey;
  /** Signature of the challenge in base64url. */
  readonly signature: string;
}

/** Verifies the signature of an approval with a device key of its user. Errors: `approval_invalid`. */
export async function checkApproval(
  ports: PortsWith<'deviceKeys.find'>,
  { application }: Pick<ApplicationOfTenant, 'application'>,
  approval: Approval,
  given: { readonly keyId: string; readonly signature: string },
): Promise<CheckedApproval> {
  const { userId, keyId, challenge } = approval;
  const audit = { userId };
  if (keyId !== undefined && keyId !== given.keyId) throw new ServiceError('approval_invalid', { audit });
  const key = await ports.deviceKeys.find(userId, given.keyId);
  const signature = toBase64url(given.signature);
  const counts = key && isValidIn(key.scope, application.applicationId);
  if (!counts || signature === undefined || !isSignedBy(key, challenge, signature))
    throw new ServiceError('approval_invalid', { audit });
  return { approval, key, signature };
}

async function consumeApproval(
  ports: PortsWith<'approvals.consume'>,
  { hash, userId, approvalData }: Approval,
  at: number,
  holder: string,
): Promise<AuthenticationProof> {
  if (!(await ports.approvals.consume(hash, at, holder)))
    throw new ServiceError('approval_invalid', { audit: { userId } });
  return provenBy({ method: 'webauthn', at, approvalData });
}

/**
 * Consumes an approval at `at` (epoch seconds) and logs in. If the service fails, the approval is restored. Exactly one of
 * several concurrent callers succeeds. Errors: `approval_invalid`.
 */
export function useApproval<Answer>(
  ports: PortsWith<'approvals.consume' | 'approvals.undoConsume'>,
  { approval }: CheckedApproval,
  at: number,
  logIn: (proof: AuthenticationProof) => Promise<Answer>,
): Promise<Answer> {
  const consumption = createConsumption((holder) => ports.approvals.undoConsume(approval.hash, holder));
  return restoreOnFailure(consumption, async () =>
    logIn(await consumeApproval(ports, approval, at, consumption.holder)),
  );
}

/** Artifacts that prove to third parties what a device key has approved (SPEC "Crypto-key signing artifacts"). */
export interface CryptoKeyArtifacts {
  readonly approval_data: ApprovedTexts;
  readonly approval_type?: string;
  readonly public_key: string;
  readonly signature: string;
  readonly challenge: string;
  readonly algorithm: AlgorithmObject;
}

export function cryptoKeyArtifacts({ approval, key, signature }: CheckedApproval): CryptoKeyArtifacts {
  return {
    ...toApprovalFields(approval.approvalData),
    public_key: key.publicKey,
    signature,
    challenge: approval.challenge,
    algorithm: algorithmObject(key.algorithm),
  };
}
