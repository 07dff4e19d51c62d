import { byId, make, withCode } from './elements.mjs';
import { refreshInbox } from './inbox.mjs';
import { methods } from './methods.mjs';
import { createRequestList } from './requests.mjs';
import { arrivals, ask, environment, lastLogin, requests, toConsoleUrl } from './service.mjs';
import { explained } from './tokens.mjs';

// View of the playground that logs in by each method. It shows what the backend does, what the user sees and the requests.

/** Login that the page currently shows. */
let journey;

function showRefusal({ status, body }) {
  const { error, error_code, message, error_description, error_uri } = body ?? {};
  const told = [message ?? error_description].flat().join(' ');
  return make(
    'p.refusal',
    { role: 'alert' },
    make('b', status),
    make('code', error ?? error_code ?? ''),
    make('span', told),
    ...(error_uri ? [make('a', { href: error_uri, target: '_blank' }, 'Read about it')] : []),
  );
}

/** Creates the object through which a login method shows its steps, the requests of each step, and finally the tokens. */
function createJourney(steps, happened, result) {
  let mark = Number.POSITIVE_INFINITY;
  const { list, follow } = createRequestList((entry) => entry.id > mark);
  const hint = make('p.soft', 'Requests appear here as the login goes on.');
  list.addEventListener('followed', () => {
    hint.hidden = list.childElementCount > 0;
  });
  happened.replaceChildren(make('h2', 'What just happened'), hint, list);
  result.replaceChildren();
  return {
    since: '',
    async begin() {
      await requests.refresh();
      mark = requests.last();
      this.since = (await ask('clock')).now;
      result.replaceChildren();
      follow();
    },
    step(title, about, ...children) {
      const heading = make('h2', make('span.nth', steps.childElementCount + 1), title);
      const step = make('li.card.part.step', heading, make('p.soft', ...withCode(about)), ...children);
      steps.append(step);
      return step;
    },
    /** Returns the body of a successful response. Otherwise shows the error in the step and returns undefined. */
    async expect(step, answering) {
      step.querySelector('.refusal')?.remove();
      const answer = await answering;
      await Promise.all([requests.refresh(), refreshInbox()]);
      this.onMessages();
      if (answer.status < 300) return answer.body;
      step.append(showRefusal(answer));
      return undefined;
    },
    async done(answer, nonce) {
      lastLogin.tokens = answer;
      const shown = await explained(answer, nonce);
      const heading = make('h2.arrived', { tabIndex: -1 }, 'Logged in');
      result.replaceChildren(heading, shown);
      await requests.refresh();
      heading.focus({ preventScroll: true });
      heading.scrollIntoView({ behavior: 'smooth', block: 'start' });
    },
    onMessages: () => undefined,
    state: undefined,
  };
}

export function onMessages() {
  journey?.onMessages();
}

const isOn = (preferences, { id, preference = id }) =>
  preference === 'hosted' ||
  (preferences[preference] !== undefined && preferences[preference].enabled !== false);

function createMethodLink(method, isCurrent, preferences) {
  const link = make('a', { href: `#login/${method.id}` }, make('span', method.title));
  if (isCurrent) link.setAttribute('aria-current', 'page');
  if (!isOn(preferences, method)) link.append(make('small', 'off'));
  return make('li', link);
}

const offNotice = ({ note }) =>
  make(
    'p.notice',
    ...(note
      ? withCode(note)
      : [
          'The demo application does not have this method. ',
          make('a', { href: toConsoleUrl(environment.app_id) }, 'Switch it on'),
          ' in the operator console, or see what a refusal looks like.',
        ]),
  );

export async function showLogin(place) {
  const method = methods.find(({ id }) => id === place) ?? methods[0];
  const preferences = await ask('login-preferences');
  const steps = make('ol.steps');
  const happened = make('aside.happened', { 'aria-label': 'What just happened' });
  const result = make('div.result', { 'aria-live': 'polite' });
  journey = createJourney(steps, happened, result);
  byId('view-login').replaceChildren(
    make(
      'div.bench',
      make(
        'nav.methods',
        { 'aria-label': 'Methods' },
        make('ul', ...methods.map((each) => createMethodLink(each, each === method, preferences))),
      ),
      make(
        'div.desk',
        make('h1', method.title),
        make('p.soft.lead', ...withCode(method.about)),
        ...(isOn(preferences, method) ? [] : [offNotice(method)]),
        steps,
        result,
      ),
      happened,
    ),
  );
  await method.render(journey, environment);
}

export function startLogin() {
  arrivals.onmessage = async ({ data: { state, answer, nonce } }) => {
    if (journey?.state === state) await journey.done(answer, nonce);
    else lastLogin.tokens = answer;
  };
}
