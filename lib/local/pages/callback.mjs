import { byId, factsOf, make } from './elements.mjs';

const parameters = new URLSearchParams(location.search);

function partOf(title, value, badge) {
  const heading = make('h2', { textContent: title });
  if (badge)
    heading.append(make('span', { className: badge.good ? 'badge' : 'badge bad', textContent: badge.text }));
  return make(
    'section',
    { className: 'card part' },
    heading,
    make('pre', { textContent: JSON.stringify(value, null, 2) }),
  );
}

async function exchange() {
  const button = byId('exchange');
  button.disabled = true;
  const response = await fetch('/_local/callback', {
    method: 'POST',
    body: JSON.stringify({ code: parameters.get('code') }),
  });
  const { status, answer, tokens } = await response.json();
  const parts = Object.entries(tokens ?? {}).map(([name, { claims, verified }]) =>
    partOf(name === 'id_token' ? 'ID token' : 'Access token', claims, {
      good: verified,
      text: verified ? 'signature verified' : 'signature not verified',
    }),
  );
  const good = status === 200;
  parts.push(partOf('Answer', answer, { good, text: String(status) }));
  byId('result').replaceChildren(...parts);
  if (good) {
    byId('act').hidden = true;
    byId('headline').textContent = 'Logged in';
    byId('explanation').textContent = 'The code was exchanged with the demo client. It cannot be used again.';
  }
}

byId('parameters').append(factsOf(parameters));
if (parameters.has('code')) {
  byId('act').hidden = false;
  byId('exchange').onclick = exchange;
} else if (parameters.has('error')) {
  byId('headline').textContent = 'The login did not succeed';
  byId('explanation').textContent = 'The service sent the browser back with an error instead of a code.';
} else {
  byId('explanation').textContent =
    'Use this address as redirect_uri: it shows what it gets and exchanges the code on a click.';
}
