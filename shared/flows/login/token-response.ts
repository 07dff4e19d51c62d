import { dropBeforeFirstProof, type FirstProofPorts } from '../../domain/users/first-proof.ts';
import { answerLogin, type BackendLogin } from './backend-login.ts';
import type { LoginPorts } from './complete-login.ts';

/** Ends A2 and A4: the first proof of an address drops what was there before it. */
export async function answerSentLogin(ports: LoginPorts & FirstProofPorts, login: BackendLogin) {
  const { proof, caller, joined, audit } = login;
  const user = joined
    ? login.user
    : await dropBeforeFirstProof(ports, caller.tenant, login.user, proof.deliveredToHash, proof.at, audit);
  return answerLogin(ports, { ...login, user });
}
