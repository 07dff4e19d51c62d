import { copyButton, createFactList, make, prettyJson, withCode } from './elements.mjs';
import { ask } from './service.mjs';

// Explanation of tokens: their checks, and the meaning of each claim.

const TITLES = {
  id_token: ['ID token', 'Tells your application who logged in, and how. It is for the client alone.'],
  access_token: ['Access token', 'Your application sends it to an API, which checks it before it answers.'],
};

const showCheck = ({ name, passed, says }) =>
  make(
    'li',
    { className: passed ? 'check' : 'check bad' },
    make('span.mark', { role: 'img', 'aria-label': passed ? 'Passed' : 'Failed' }, passed ? '✓' : '✗'),
    make('code', name),
    make('span', says),
  );

function showClaim({ name, value, says = 'A field of the user, which the login asked for.' }) {
  const shown = typeof value === 'string' ? value : JSON.stringify(value);
  return make(
    'div',
    make('dt', make('code', name)),
    make('dd', make('span.value.mono', shown), make('p', ...withCode(says))),
  );
}

function showToken(kind, token, { header, checks, claims }) {
  const [title, about] = TITLES[kind];
  const verified = checks.every(({ passed }) => passed);
  return make(
    'section.card.part.token',
    make(
      'h2',
      title,
      make('span', { className: verified ? 'badge' : 'badge bad' }, verified ? 'verified' : 'not valid'),
    ),
    make('p.soft', about),
    make('h3', 'Checked'),
    make('ul.checks', ...checks.map(showCheck)),
    make('h3', 'Claims'),
    make('dl.claims', ...claims.map(showClaim)),
    make(
      'details',
      make('summary', 'The token itself'),
      prettyJson(header),
      make('pre.raw', token),
      copyButton('button', token, 'Copy token'),
    ),
  );
}

/** Lists the fields of a token response that are not the ID token or the access token. */
function showOtherFields({ id_token: _, access_token: __, ...rest }) {
  const facts = Object.entries(rest).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ]);
  return make('section.card.part', make('h2', 'The rest of the answer'), createFactList(facts));
}

/** Shows the explained tokens and the other fields of the response to a login. */
export async function explained(answer, nonce) {
  const { id_token, access_token } = answer;
  const tokens = await ask('tokens', { method: 'POST', body: { id_token, access_token, nonce } });
  return make(
    'div.tokens',
    ...Object.entries(tokens).map(([kind, token]) => showToken(kind, answer[kind], token)),
    showOtherFields(answer),
  );
}
