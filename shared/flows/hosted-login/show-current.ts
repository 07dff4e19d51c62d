import { csrfToken } from '../../domain/basis/browser.ts';
import { findElsewhere } from '../../domain/hosted-login/elsewhere.ts';
import type { Using } from '../../ports/uses.ts';
import { connectPage } from '../../templates/pages/connect-page.ts';
import { lossPage } from '../../templates/pages/loss-page.ts';
import { elsewherePage } from '../../templates/pages/recovery-page.ts';
import type { BrowserAnswer } from '../browser/browser-answer.ts';
import type { LoginContext } from './login-context.ts';
import { currentState, type StatePorts } from './login-state.ts';
import { type Feedback, formAnswer, loginPath, noticeOf, showState } from './show-page.ts';

/** The page of the current state, whichever it is. */
export async function showCurrent(
  ports: StatePorts & Using<'applications'>,
  context: LoginContext,
  feedback: Feedback,
): Promise<BrowserAnswer> {
  const { state, binding } = await currentState(ports, context);
  const { language, brand, browser, login } = context;
  const { loginId } = login;
  const csrf = csrfToken(browser, loginId);
  const common = {
    language,
    brand,
    csrf,
    notice: noticeOf(context),
    cancelAction: loginPath(loginId, 'cancel'),
  };
  if (state.kind === 'connect') {
    const target = { ...feedback, action: loginPath(loginId, 'second') };
    return formAnswer(context, connectPage({ ...common, ...target, provider: state.provider }));
  }
  if (state.kind === 'loss') {
    const { kinds, since, effectiveAt } = state.wait;
    const ways = { action: loginPath(loginId, 'heard'), stopAction: loginPath(loginId, 'stop') };
    return formAnswer(context, lossPage({ ...common, ...ways, kinds, since, effectiveAt }));
  }
  if (state.kind !== 'denied' || !state.isTooFew || !binding) return showState(context, state, feedback);
  const place = (await findElsewhere(ports, binding))?.name;
  const action = loginPath(loginId, 'continue');
  return formAnswer(context, elsewherePage({ language, brand, csrf, action, place }));
}
