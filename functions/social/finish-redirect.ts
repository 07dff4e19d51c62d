import { newSecret } from '../../shared/domain/basis/random.ts';
import { nowSeconds } from '../../shared/domain/basis/time.ts';
import { makeCode } from '../../shared/domain/oauth/authorization-code.ts';
import type { AuthorizationRequest } from '../../shared/domain/oauth/authorization-request.ts';
import { type CodeFacts, codeFacts, requestFacts } from '../../shared/domain/oauth/code-facts.ts';
import { requireMembership } from '../../shared/domain/organizations/membership.ts';
import { sealSignUp } from '../../shared/domain/users/sign-up.ts';
import type { UpstreamPerson } from '../../shared/domain/users/upstream-identity.ts';
import { ServiceError } from '../../shared/errors/service-error.ts';
import type { BrowserContext } from '../../shared/flows/browser/browser-context.ts';
import { returnToCaller } from '../../shared/flows/redirect-login/return-to-caller.ts';
import { type Arrival, type CallbackPorts, identify } from './identify.ts';
import { refusal } from './refusal.ts';

function factsOf(
  context: BrowserContext,
  login: AuthorizationRequest,
  person: UpstreamPerson,
  code: string,
): CodeFacts {
  const { state, requireMfa } = login;
  const asked = { ...requestFacts(context.tenant, login), state, requireMfa: requireMfa || undefined };
  return codeFacts(context, asked, {
    userId: person.userId,
    methods: [{ method: 'social', at: nowSeconds() }],
    sealedSignUp: 'signUp' in person ? sealSignUp(code, person.signUp) : undefined,
  });
}

/** B. Ends at the redirect URI with a code, with the news that a second factor is needed, or with an error. */
export async function finishRedirect(
  ports: CallbackPorts,
  context: BrowserContext,
  login: AuthorizationRequest,
  arrival: Arrival,
) {
  const { audit } = arrival.input;
  try {
    const person = await identify(ports, context, arrival, login.createNewUser);
    await requireMembership(ports, context.tenant.tenantId, person.userId, login.organizationId);
    const code = newSecret();
    const { record } = makeCode(factsOf(context, login, person, code), undefined, code);
    await ports.codes.put(record);
    // The login began in this browser: it may replace another without a question.
    const returned = await returnToCaller(ports, code, record, arrival.input, () => true);
    if (!returned || 'replaces' in returned) throw new ServiceError('upstream_login_over');
    return returned;
  } catch (error) {
    return refusal(login, error, context, audit);
  }
}
