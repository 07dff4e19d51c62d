import type { ApprovedTexts } from '../../ports/signing.ts';
import { toApprovalFields } from '../credentials/approval-data.ts';
import { toPublicKeyInfo } from './passkey.ts';
import type { CheckedPasskey } from './passkey-login.ts';

/** Artifacts that prove to third parties what a passkey has approved (SPEC "Passkey signing artifacts"). */
export interface PasskeyArtifacts {
  readonly approval_data: ApprovedTexts;
  readonly approval_type?: string;
  readonly public_key: string;
  readonly signature: string;
  readonly credential_id: string;
  readonly webauthn_session_id: string;
  readonly authenticator_data: string;
  readonly client_data_json: string;
  readonly raw_challenge: string;
}

/** Returns the signing artifacts of an approval. Returns undefined if the login contains no approval. */
export function passkeyArtifacts(checked: CheckedPasskey): PasskeyArtifacts | undefined {
  const { approvalData, rawChallenge } = checked.challenge;
  if (!approvalData || rawChallenge === undefined) return undefined;
  const { response, credentialId } = checked.result;
  return {
    ...toApprovalFields(approvalData),
    public_key: toPublicKeyInfo(checked.passkey.publicKey),
    signature: response.signature,
    credential_id: credentialId,
    webauthn_session_id: checked.sessionId,
    authenticator_data: response.authenticatorData,
    client_data_json: response.clientDataJSON,
    raw_challenge: rawChallenge,
  };
}
