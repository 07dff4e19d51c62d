import { byId, createFactList, make, prettyJson, runDisabled } from './elements.mjs';
import { arrivals, ask, callback, journeys } from './service.mjs';
import { explained } from './tokens.mjs';

const parameters = new URLSearchParams(location.search);
const state = parameters.get('state');
/** Data of the login if the playground started the login. Only the client that started a login knows its PKCE verifier. */
const journey = state && journeys.take(state);

async function exchange() {
  const { status, answer } = await ask('callback', {
    method: 'POST',
    body: {
      code: parameters.get('code'),
      ...(journey?.isLink && { is_link: true }),
      ...(journey?.verifier && { code_verifier: journey.verifier }),
      redirect_uri: callback,
    },
  });
  if (status !== 200) {
    byId('result').replaceChildren(
      make('section.card.part', make('h2', 'Answer', make('span.badge.bad', status)), prettyJson(answer)),
    );
    return;
  }
  byId('act').hidden = true;
  byId('headline').textContent = 'Logged in';
  byId('explanation').textContent = journey
    ? 'The code was exchanged with the demo client. The playground has the tokens too: you may close this tab.'
    : 'The code was exchanged with the demo client. It cannot be used again.';
  byId('result').replaceChildren(await explained(answer, journey?.nonce));
  if (!journey) return;
  journeys.end(state);
  arrivals.postMessage({ state, answer, nonce: journey.nonce });
}

byId('parameters').append(createFactList(parameters));
if (parameters.has('code')) {
  byId('act').hidden = false;
  byId('exchange').onclick = (event) => void runDisabled(event.currentTarget, exchange);
} else if (parameters.has('error')) {
  byId('headline').textContent = 'The login did not succeed';
  byId('explanation').textContent = 'The service sent the browser back with an error instead of a code.';
} else {
  byId('explanation').textContent =
    'Use this address as redirect_uri: it shows what it gets and exchanges the code on a click.';
}
