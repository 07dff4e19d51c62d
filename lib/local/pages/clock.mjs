import { button, byId, createField, createForm, make, runDisabled } from './elements.mjs';
import { rereadInbox } from './inbox.mjs';
import { ask, requests } from './service.mjs';

// View of the playground that moves the clock, injects faults and resets the server.

const STEPS = [
  ['1 minute', 60],
  ['15 minutes', 15 * 60],
  ['1 hour', 3600],
  ['1 day', 86_400],
  ['30 days', 30 * 86_400],
];

const PRESETS = [
  ['The next mail is refused', { service: 'ses', effect: 'error', code: 'MessageRejected', times: 1 }],
  ['The next SMS is throttled', { service: 'sns', effect: 'error', code: 'Throttling', times: 1 }],
  ['DynamoDB throttles 3 calls', { service: 'dynamodb', effect: 'error', code: 'Throttling', times: 3 }],
  ['Answers of DynamoDB get lost', { service: 'dynamodb', effect: 'lost-answer', times: 2 }],
  ['KMS takes 2 s', { service: 'kms', effect: 'latency', latency_ms: 2000, times: 5 }],
];
const SERVICES = ['dynamodb', 'kms', 'ses', 'sns', 'secretsmanager', 'eventbridge', 'sqs'];
const EFFECTS = ['error', 'latency', 'lost-request', 'lost-answer'];

/** Function that reloads all views of the playground page. The page sets this function by calling `startClock`. */
let refresh = async () => undefined;
export const startClock = (poll) => {
  refresh = poll;
};

const say = (text) => {
  byId('announcer').textContent = text;
};

async function showTime() {
  const { now, offset_seconds: offset } = await ask('clock');
  byId('now').textContent = `${now.slice(0, 10)} ${now.slice(11, 19)} UTC`;
  byId('ahead').textContent = offset === 0 ? 'the real time' : `${offset} s ahead of the real time`;
}

async function move(seconds) {
  await ask('clock', { method: 'POST', body: { advance_seconds: seconds } });
  await Promise.all([showTime(), refresh()]);
  say(`The clock moved ${seconds} seconds ahead.`);
}

async function goBack() {
  await ask('clock', { method: 'DELETE' });
  await Promise.all([showTime(), refresh()]);
  say('The clock is back at the real time.');
}

/** Creates a button that is disabled while its work is running. */
const workButton = (text, work, className) =>
  button(text, (event) => void runDisabled(event.currentTarget, work), className);

function clockCard() {
  const seconds = make('input', { type: 'number', min: 0, value: 90, required: true });
  const custom = createForm(
    'form.ask',
    () => move(Number(seconds.value)),
    createField('Seconds', seconds),
    make('button.button', { type: 'submit' }, 'Move'),
  );
  return make(
    'section.card.part',
    make('h2', 'Clock'),
    make('p.time', make('span', { id: 'now' }), make('small.soft', { id: 'ahead' })),
    make(
      'p.soft',
      'Move it to see codes, links, tokens, sessions and locks end. Functions, stores and signatures follow.',
    ),
    make('div.actions', ...STEPS.map(([text, step]) => workButton(`+ ${text}`, () => move(step)))),
    custom,
    make('div.actions', workButton('Back to the real time', goBack, 'button main')),
    make(
      'small.soft',
      'Sessions, codes, counters and messages from the future are deleted then; users and settings stay.',
    ),
  );
}

const showFact = ([name, value]) => make('span', `${name} `, make('b', value));

async function showFaults() {
  const { faults } = await ask('faults');
  const items = faults.map((fault) => make('li', ...Object.entries(fault).map(showFact)));
  if (items.length === 0) items.push(make('li.soft', 'No fault: all is well.'));
  byId('faults').replaceChildren(...items);
}

async function inject(fault) {
  await ask('faults', { method: 'POST', body: fault });
  await showFaults();
  say('The fault is set. Log in to see its effect.');
}

const picked = (...options) =>
  make('select', ...options.map((text) => make('option', { value: text }, text)));

function ownFault() {
  const service = picked(...SERVICES);
  const effect = picked(...EFFECTS);
  const action = make('input', { placeholder: 'any', autocomplete: 'off', spellcheck: false });
  const times = make('input', { type: 'number', min: 1, value: 1, required: true });
  const latency = make('input', { type: 'number', min: 0, value: 1000, required: true });
  const set = () =>
    inject({
      service: service.value,
      effect: effect.value,
      times: Number(times.value),
      ...(action.value && { action: action.value }),
      ...(effect.value === 'latency' && { latency_ms: Number(latency.value) }),
    });
  return createForm(
    'form.ask.many',
    set,
    createField('Service', service),
    createField('Call', action),
    createField('Effect', effect),
    createField('Times', times),
    createField('Latency, ms', latency),
    make('button.button', { type: 'submit' }, 'Set'),
  );
}

const faultsCard = () =>
  make(
    'section.card.part',
    make('h2', 'Faults'),
    make(
      'p.soft',
      'Let a service of AWS fail, and log in: what the user sees, what the backend gets, what the log says.',
    ),
    make('div.actions', ...PRESETS.map(([text, fault]) => workButton(text, () => inject(fault)))),
    make('details', make('summary', 'Another one'), ownFault()),
    make('ul.faults', { id: 'faults', 'aria-label': 'Faults that are set' }),
    make(
      'div.actions',
      workButton('End all faults', async () => {
        await ask('faults', { method: 'DELETE' });
        await showFaults();
      }),
    ),
  );

/** Creates the button that resets the server. The user must press it twice, because a reset cannot be undone. */
function resetButton() {
  const reset = button('Forget everything', async () => {
    if (reset.textContent === 'Forget everything') {
      reset.textContent = 'Sure? Press again';
      return;
    }
    await runDisabled(reset, () => ask('reset', { method: 'POST' }));
    requests.clear();
    await Promise.all([rereadInbox(), showTime(), showFaults(), refresh()]);
    reset.textContent = 'Forget everything';
    say('All is as after a fresh start.');
  });
  reset.onblur = () => {
    reset.textContent = 'Forget everything';
  };
  return reset;
}

export async function showClock() {
  const view = byId('view-clock');
  if (view.childElementCount === 0)
    view.append(
      make(
        'div.column.wide',
        make('h1', 'Clock and faults'),
        make(
          'div.pair',
          clockCard(),
          faultsCard(),
          make(
            'section.card.part',
            make('h2', 'Start over'),
            make(
              'p.soft',
              'Users, messages, settings, faults and the clock become those of a fresh start. Your tokens end.',
            ),
            make('div.actions', resetButton()),
          ),
        ),
      ),
    );
  await Promise.all([showTime(), showFaults()]);
}

setInterval(() => {
  if (!byId('view-clock').hidden) void showTime();
}, 1000);
