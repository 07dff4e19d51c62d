import { omitUndefined } from '../../shared/domain/basis/omit-undefined.ts';
import { nowSeconds } from '../../shared/domain/basis/time.ts';
import {
  type LoginProgress,
  saveProgress,
  sealAddress,
} from '../../shared/domain/hosted-login/login-transaction.ts';
import type { UpstreamPerson } from '../../shared/domain/users/upstream-identity.ts';
import { ServiceError } from '../../shared/errors/service-error.ts';
import type { BrowserAnswer } from '../../shared/flows/browser/browser-answer.ts';
import { abortLogin, advance } from '../../shared/flows/hosted-login/advance.ts';
import type { LoginContext } from '../../shared/flows/hosted-login/login-context.ts';
import { redirectToPage, showPage } from '../../shared/flows/hosted-login/show-page.ts';
import type { PageError } from '../../shared/templates/parts/form.ts';
import { type Arrival, type CallbackPorts, identify } from './identify.ts';
import { asRedirectError } from './refusal.ts';

/** What the page says, of all that can go wrong on the way to a provider and back. */
function providerPageError(error: ServiceError): PageError {
  switch (error.key) {
    case 'provider_address_taken':
      return { key: 'account_exists' };
    case 'user_not_found':
    case 'public_signup_off':
      return { key: 'account_unknown' };
    default:
      return { key: 'provider_failed' };
  }
}

/** The first factor of the login; whoever is still to be made is kept under the browser's cookie. */
function withPerson({ browser, login }: LoginContext, person: UpstreamPerson): LoginProgress {
  const { pending: _, ...before } = login.progress;
  return omitUndefined<LoginProgress>({
    ...before,
    proven: [...before.proven, { method: 'social', at: nowSeconds() }],
    userId: person.userId,
    sealedSignUp: 'signUp' in person ? sealAddress(browser, JSON.stringify(person.signUp)) : undefined,
  });
}

/** After a failure: back to the application where no page of ours was seen, else to the page, to choose another way. */
async function failed(
  ports: CallbackPorts,
  context: LoginContext,
  error: unknown,
  direct: boolean,
  { audit }: Arrival['input'],
): Promise<BrowserAnswer> {
  if (!(error instanceof ServiceError)) throw error;
  audit({ ...error.detail.about, result: error.key });
  if (direct) {
    const answer = await abortLogin(ports, context, asRedirectError(error), audit);
    audit({ result: error.key });
    return answer;
  }
  return showPage(ports, context, { error: providerPageError(error) });
}

/** Goes on with a login of the hosted pages, with the account at the provider as its first factor. */
export async function finishHosted(
  ports: CallbackPorts,
  context: LoginContext,
  arrival: Arrival,
  direct: boolean,
): Promise<BrowserAnswer> {
  const { login } = context;
  let person: UpstreamPerson;
  try {
    person = await identify(ports, context, arrival, login.request.createNewUser);
  } catch (error) {
    return failed(ports, context, error, direct, arrival.input);
  }
  // Another tab has logged somebody in meanwhile: one login is one person's.
  if (login.progress.userId !== undefined) return redirectToPage(context);
  const advanced = await saveProgress(ports, login, withPerson(context, person));
  return advanced
    ? advance(ports, { ...context, login: advanced }, arrival.input.audit)
    : redirectToPage(context);
}
