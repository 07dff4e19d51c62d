import { newSecret } from '../../shared/domain/basis/random.ts';
import { nowSeconds } from '../../shared/domain/basis/time.ts';
import { createAuthorizationCode } from '../../shared/domain/oauth/authorization-code.ts';
import type { AuthorizationRequest } from '../../shared/domain/oauth/authorization-request.ts';
import { buildCodeFacts, type CodeFacts, readRequestFacts } from '../../shared/domain/oauth/code-facts.ts';
import { requireMembership } from '../../shared/domain/organizations/membership.ts';
import { currentGeneration, FIRST_GENERATION } from '../../shared/domain/trust/generations.ts';
import { sealSignUp } from '../../shared/domain/users/sign-up.ts';
import { ServiceError } from '../../shared/errors/service-error.ts';
import type { BrowserContext } from '../../shared/flows/browser/browser-context.ts';
import { returnToCaller } from '../../shared/flows/redirect-login/return-to-caller.ts';
import type { User } from '../../shared/ports/people.ts';
import {
  type AuthenticatedUser,
  authenticateAtProvider,
  type Callback,
  type CallbackPorts,
  createSocialProof,
  linkByMailbox,
} from './authenticate.ts';
import { isBusy, returnProviderError } from './redirect-error.ts';

function buildFacts(
  context: BrowserContext,
  login: AuthorizationRequest,
  found: AuthenticatedUser,
  code: string,
): CodeFacts {
  const { state, requireMfa } = login;
  const use = createSocialProof(found, context.application, context.now);
  // A superseded account at the provider needs a second factor, whatever the application requests.
  const needsMore = requireMfa || use.worth === 'quarantined' || undefined;
  const asked = { ...readRequestFacts(context.tenant, login), state, requireMfa: needsMore };
  return buildCodeFacts(context, asked, {
    userId: found.userId,
    methods: [use],
    generation: 'user' in found ? currentGeneration(found.user) : FIRST_GENERATION,
    sealedSignUp: 'signUp' in found ? sealSignUp(code, found.signUp) : undefined,
  });
}

/** Ends a login at the redirect URI, with a code, `mfa_required` or another error (SPEC B). */
export async function finishRedirectLogin(
  ports: CallbackPorts,
  context: BrowserContext,
  login: AuthorizationRequest,
  callback: Callback,
) {
  const { audit } = callback.input;
  try {
    const { createNewUser } = login;
    const findLinking = (user: User) => linkByMailbox(ports, context, user);
    const found = await authenticateAtProvider(ports, context, callback, {
      createNewUser,
      findLinking,
    });
    // This login has no page that could ask for another factor.
    if ('toLink' in found) throw new ServiceError('provider_address_taken');
    // The provider may have taken seconds to respond, so the code's lifetime starts now.
    const answered = { ...context, now: nowSeconds() };
    await requireMembership(ports, context.tenant.tenantId, found.userId, login.organizationId);
    const code = newSecret();
    const { record } = createAuthorizationCode(
      buildFacts(answered, login, found, code),
      answered.now,
      undefined,
      code,
    );
    await ports.codes.put(record);
    // The login began in this browser, so it may replace another user's login without asking.
    const returned = await returnToCaller(ports, { code, record }, callback.input, () => true);
    if (!returned || 'replaces' in returned) throw new ServiceError('upstream_login_over');
    return returned;
  } catch (error) {
    if (isBusy(error)) throw error;
    return returnProviderError(login, error, context, audit);
  }
}
