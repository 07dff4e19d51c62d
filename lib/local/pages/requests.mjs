import { button, byId, createFactList, make, prettyJson } from './elements.mjs';
import { ask, requests } from './service.mjs';

// View of the playground with the last requests, their responses, log lines, events and AWS calls.

/** Descriptions of the local KMS keys, by key ID. */
const KEYS = {
  '5167a000-0000-4000-8000-000000000001': 'the signing key',
  '3ac00000-0000-4000-8000-000000000001': 'the key of MACs of passcodes',
  '3eb00c00-0000-4000-8000-000000000001': 'the key of webhook secrets',
};

function readable(text) {
  try {
    return prettyJson(JSON.parse(text));
  } catch {
    const isForm = /^[\w.-]+=[^\s]*$/.test(text);
    return isForm ? createFactList(new URLSearchParams(text)) : make('pre', { tabIndex: 0 }, text);
  }
}

function showExchange(title, headers, body) {
  const part = make('div.half', make('h3', title));
  part.append(createFactList(headers));
  if (body) part.append(readable(body));
  return part;
}

const createCallRow = ({ step, action, resource, leadingKey, milliseconds, status = 'none' }) =>
  make(
    'tr',
    { className: status === 200 ? '' : 'bad' },
    make('td', step),
    make('td', make('code', action)),
    make('td', [KEYS[resource] ?? resource, leadingKey].filter(Boolean).join(' · ')),
    make('td', status === 200 ? `${milliseconds} ms` : `${status}, ${milliseconds} ms`),
  );

function showCalls(calls) {
  if (calls.length === 0) return [make('p.soft', 'No call to AWS.')];
  const heads = ['Step', 'Call', 'On', 'Took'].map((textContent) =>
    make('th', { scope: 'col' }, textContent),
  );
  return [
    make('table.calls', make('thead', make('tr', ...heads)), make('tbody', ...calls.map(createCallRow))),
    make('p.soft', 'Calls of one step run beside each other.'),
  ];
}

/** Formats a log line without the metadata of the CloudWatch embedded metric format. */
const formatLogLine = ({ _aws, ...line }) => prettyJson(line);

const statusClass = (status) => (status >= 500 ? 'bad' : status >= 400 ? 'warn' : 'good');

function describeCost({ calls, milliseconds }) {
  const steps = Math.max(0, ...calls.map(({ step }) => step));
  const told =
    calls.length === 0
      ? 'no calls'
      : `${calls.length} call${calls.length === 1 ? '' : 's'} in ${steps} step${steps === 1 ? '' : 's'}`;
  return `${milliseconds} ms · ${told}`;
}

function showDetails(entry) {
  const { method, target, headers, body, answer, log, calls } = entry;
  return [
    make(
      'div.halves',
      showExchange('Request', [[method, target], ...headers], body),
      showExchange('Answer', [['status', answer.status], ...answer.headers], answer.body),
    ),
    make('h3', 'Calls to AWS'),
    ...showCalls(calls),
    make('h3', log.length === 1 ? 'Log line' : 'Log lines'),
    ...log.map(formatLogLine),
  ];
}

function createItem(entry) {
  const { method, path, summary, answer, events } = entry;
  const { status } = answer;
  const head = make(
    'summary',
    make('span', { className: `status ${statusClass(status)}` }, status),
    make('span.what', make('b', summary), make('code', `${method} ${path}`)),
    make('span.cost', describeCost(entry)),
    ...events.map((event) => make('span.event', event)),
  );
  const details = make('details', head);
  const inside = make('div.inside');
  details.ontoggle = () => {
    if (details.open && inside.childElementCount === 0) inside.append(...showDetails(entry));
  };
  details.append(inside);
  return make('li.request', details);
}

/**
 * Creates a list of the requests for which `fits` returns true. The list updates itself when further requests arrive.
 * @param newestFirst True if new requests are added at the top.
 */
export function createRequestList(fits, newestFirst = false) {
  const list = make('ol.trace');
  const items = new Map();
  const follow = () => {
    const shown = requests.all().filter(fits);
    for (const entry of shown) if (!items.has(entry.id)) items.set(entry.id, createItem(entry));
    const wanted = shown.map(({ id }) => items.get(id));
    if (newestFirst) wanted.reverse();
    // Items at the right position are not moved, because moving an element would remove the focus from it.
    for (const [index, item] of wanted.entries())
      if (list.children[index] !== item) list.insertBefore(item, list.children[index] ?? null);
    while (list.children.length > wanted.length) list.lastChild.remove();
    list.dispatchEvent(new Event('followed'));
  };
  follow();
  requests.onChange(follow, () => list.isConnected);
  return { list, follow };
}

export function showRequests() {
  const view = byId('view-requests');
  if (view.childElementCount > 0) return;
  const { list } = createRequestList(() => true, true);
  const empty = make('p.soft', 'No request yet. Log in, and come back.');
  const tell = () => {
    empty.hidden = list.childElementCount > 0;
  };
  list.addEventListener('followed', tell);
  tell();
  const clear = button('Clear', async () => {
    await ask('requests', { method: 'DELETE' });
    requests.clear();
  });
  view.append(
    make(
      'div.column.wide',
      make('div.headline', make('h1', 'What just happened'), make('div.grow'), clear),
      make(
        'p.soft',
        'The last 200 requests to the service, newest first, each with its answer, its calls to AWS, its log line and its security events. Codes and tokens are shown here alone: no log has them.',
      ),
      empty,
      make('h2.unseen', 'Requests'),
      list,
    ),
  );
}
