import { showClock, startClock } from './clock.mjs';
import { byId, createFactList } from './elements.mjs';
import { refreshInbox, rereadInbox, showInbox, startInbox, takeUnsent } from './inbox.mjs';
import { onMessages, showLogin, startLogin } from './login.mjs';
import { showOwn } from './own.mjs';
import { showRequests } from './requests.mjs';
import { ask, environment, requests } from './service.mjs';

// Entry point of the playground page. It opens views and polls the server for news.

const POLL_MS = 1000;
const views = {
  inbox: showInbox,
  login: showLogin,
  own: showOwn,
  requests: showRequests,
  clock: showClock,
};

/**
 * Opens the view that the fragment of the URL names. For example, `#login/email` opens the view `login` with the method
 * `email`.
 */
function openView() {
  const [name, place] = location.hash.slice(1).split('/');
  const view = Object.hasOwn(views, name) ? name : 'inbox';
  for (const link of document.querySelectorAll('.views a')) {
    const isOpen = link.hash === `#${view}`;
    link.toggleAttribute('aria-current', isOpen);
    if (isOpen) link.setAttribute('aria-current', 'page');
    if (isOpen) document.title = `${link.textContent} · One-Time Login`;
    if (isOpen) link.scrollIntoView({ block: 'nearest', inline: 'center' });
  }
  for (const each of Object.keys(views)) byId(`view-${each}`).hidden = each !== view;
  views[view](place);
}

let offset = 0;

async function poll() {
  if (document.hidden) return;
  const live = byId('live');
  try {
    const clock = await ask('clock');
    // The clock was moved back, which deletes messages with a later time.
    if (clock.offset_seconds < offset) await rereadInbox();
    offset = clock.offset_seconds;
    await Promise.all([refreshInbox(), requests.refresh()]);
    takeUnsent();
    onMessages();
    byId('offset').hidden = offset === 0;
    byId('offset').textContent = `Clock +${offset} s`;
    live.classList.remove('lost');
    live.lastChild.textContent = 'Live';
  } catch {
    live.classList.add('lost');
    live.lastChild.textContent = 'Server is down';
  }
}

function showEnvironment() {
  const { base_url, issuer, tenant_id, app_id, client_id, client_secret, management } = environment;
  const facts = { base_url, issuer, tenant_id, app_id, client_id, client_secret };
  facts['management client_id'] = management.client_id;
  facts['management client_secret'] = management.client_secret;
  byId('environment').append(...createFactList(Object.entries(facts)).children);
}

showEnvironment();
startInbox();
startLogin();
startClock(poll);
addEventListener('hashchange', openView);
document.addEventListener('visibilitychange', poll);
openView();
await poll();
setInterval(poll, POLL_MS);
