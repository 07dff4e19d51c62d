import { awaitAll } from '../../shared/domain/basis/await-all.ts';
import { newSecret } from '../../shared/domain/basis/random.ts';
import {
  type CheckedCode,
  checkPasscode,
  listClientSlots,
  requireTrustedNumber,
  usePasscode,
} from '../../shared/domain/credentials/one-time-code.ts';
import { hasIdentifier } from '../../shared/domain/identifiers/identifier.ts';
import { identifierHash } from '../../shared/domain/identifiers/identifier-hash.ts';
import { isStillReachable } from '../../shared/domain/identifiers/proven-address.ts';
import { createAuthorizationCode } from '../../shared/domain/oauth/authorization-code.ts';
import { creditRange } from '../../shared/domain/rate-limits/sms-prefix-window.ts';
import {
  type CodeBasedRequest,
  readAddress,
  resumeUrl,
} from '../../shared/domain/sending/code-based-login.ts';
import { currentGeneration, FIRST_GENERATION } from '../../shared/domain/trust/generations.ts';
import { requireLoginUser } from '../../shared/domain/users/login-user.ts';
import { requirePublicSignup, sealSignUp } from '../../shared/domain/users/sign-up.ts';
import { ServiceError } from '../../shared/errors/service-error.ts';
import type { ClientCaller, OperationRequest, UseCase } from '../../shared/operation.ts';
import type { Identifier, User } from '../../shared/ports/people.ts';
import type { PortsWith } from '../../shared/ports/uses.ts';
import type { AddressType } from '../../shared/records/channels.ts';
import { codeBasedFacts, createCodeProof, requiresSecondFactor } from './login-code.ts';
import type * as rows from './rows.ts';

type Input = OperationRequest<typeof rows.validateEmailOtp> | OperationRequest<typeof rows.validateSmsOtp>;
type ValidatePorts = PortsWith<
  | 'otps.consume'
  | 'otps.countAttempt'
  | 'otps.undoConsume'
  | 'otps.refundAttempt'
  | 'guesses.clearBelow'
  | 'guesses.count'
  | 'codeMac'
  | 'users.find'
  | 'passkeys.listOf'
  | 'users.noteWrongGuess'
  | 'codes.put'
  | 'windows.confirm'
>;

/**
 * Returns the user who has the identifier, or undefined for a sign-up.
 * @throws `login_user_gone`, `auth_invalid_credentials`, `user_not_active`, `public_signup_off`
 */
async function requireIdentifierHolder(
  ports: ValidatePorts,
  { tenant, application }: ClientCaller,
  identifier: Identifier,
  checked: CheckedCode,
): Promise<{ readonly user: User } | undefined> {
  const { code } = checked;
  if (code.kind === 'signUp') {
    requirePublicSignup(application);
    return undefined;
  }
  const user = await requireLoginUser(ports, tenant.tenantId, code.userId);
  requireTrustedNumber(tenant, user, checked);
  if (!hasIdentifier(user, identifier) || !isStillReachable(tenant, user, code.deliveredToHash))
    throw new ServiceError('login_user_gone');
  return { user };
}

/** Validates a passcode and returns the URL that takes the browser back to the caller, with a code for the caller's backend. */
async function validatePasscode(
  ports: ValidatePorts,
  { json, caller, request, settings, audit }: Input,
  { type, value }: { readonly type: AddressType; readonly value: string },
): Promise<string> {
  const { application, tenant, client } = caller;
  const { identifier, address } = readAddress(type, value);
  const checked = await checkPasscode(ports, {
    applicationId: application.applicationId,
    identifierHash: identifierHash(tenant, identifier),
    slots: listClientSlots(application, client.clientId, undefined),
    clientId: client.clientId,
    acrossClients: application.passcodesAcrossClients === true,
    purpose: 'code-based',
    passcode: json.passcode,
    at: request.now,
  });
  const { kind, userId, channel } = checked.code;
  audit({ userId, channel });
  const requiring = requireIdentifierHolder(ports, caller, identifier, checked);
  const code = newSecret();
  await usePasscode(ports, { tenant, checked }, requiring, async (proof, found) => {
    const { method, at, approvalData, deliveredToHash } = proof;
    audit({ method, verified: channel });
    const wanted = JSON.parse(checked.code.request ?? '') as CodeBasedRequest;
    // A superseded address needs a second factor, whatever the application requests.
    const needsSecondFactor =
      found && (await requiresSecondFactor(ports, caller, found.user, { deliveredToHash, at }));
    const asked = needsSecondFactor ? { ...wanted, requireMfa: true as const } : wanted;
    const facts = codeBasedFacts(caller, asked, {
      userId,
      generation: found ? currentGeneration(found.user) : FIRST_GENERATION,
      methods: [createCodeProof(application, kind, type, { method, at })],
      deliveredToHash,
      sealedSignUp: kind === 'signUp' ? sealSignUp(code, { type, value: address }) : undefined,
      approvalData,
      nonce: json.nonce ?? wanted.nonce,
    });
    await awaitAll(
      ports.codes.put(createAuthorizationCode(facts, request.now, undefined, code).record),
      creditRange(ports, { application, settings, now: request.now }, checked.code),
    );
  });
  return resumeUrl(settings.browserOrigin, code);
}

/** Validates a passcode that was sent by email and returns the URL where the browser continues (SPEC C). */
export const validateEmailOtp: UseCase<typeof rows.validateEmailOtp> = async (input, ports) => {
  const result = await validatePasscode(ports, input, { type: 'email', value: input.json.email });
  return { json: { result } };
};

/** Validates a passcode that was sent by SMS and returns the URL where the browser continues (SPEC C). */
export const validateSmsOtp: UseCase<typeof rows.validateSmsOtp> = async (input, ports) => {
  const result = await validatePasscode(ports, input, {
    type: 'phone_number',
    value: input.json.phone_number,
  });
  return { json: { result } };
};
