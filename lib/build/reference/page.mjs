/** The API reference; made one document with Swagger UI by api-reference.ts. */

const { document: api, clients } = JSON.parse(document.getElementById('data').textContent);

/** A token of each client, so that every operation can be tried at once. */
async function signIn(ui) {
  for (const [scheme, { client_id, client_secret }] of Object.entries(clients)) {
    const schema = api.components.securitySchemes[scheme];
    const answer = await fetch(schema.flows.clientCredentials.tokenUrl, {
      method: 'POST',
      body: new URLSearchParams({ grant_type: 'client_credentials', client_id, client_secret }),
    });
    if (!answer.ok) continue;
    ui.authActions.authorizeOauth2({ auth: { name: scheme, schema }, token: await answer.json() });
  }
}

/** A button holds its path as text: a link in it would be a second control. The address changes all the same. */
const plainPaths = () => ({
  wrapComponents: {
    DeepLink:
      (_original, { React }) =>
      ({ text }) =>
        React.createElement('span', null, text),
  },
});

const NAMES = [
  ['#servers', 'Server'],
  ['.examples-select-element', 'Example'],
  ['.content-type', 'Media type'],
  ['select', 'Value'],
];

const REGIONS = [
  ['.information-container', 'About this API'],
  ['.schemes-server-container', 'Server and tokens'],
  ['.filter-container', 'Filter'],
];

/** Says to assistive technology what the renderer leaves out, as it appears: names, landmarks, and the level below the title. */
function describe() {
  for (const select of document.querySelectorAll('select:not([aria-label])'))
    select.setAttribute('aria-label', NAMES.find(([selector]) => select.matches(selector))[1]);
  // What scrolls is reached by keyboard.
  for (const example of document.querySelectorAll('pre:not([tabindex])')) example.tabIndex = 0;
  for (const [selector, name] of REGIONS)
    for (const region of document.querySelectorAll(`${selector}:not([role])`)) {
      region.setAttribute('role', 'region');
      region.setAttribute('aria-label', name);
    }
  for (const heading of document.querySelectorAll(':is(h3, h4, h5, h6):not([aria-level])'))
    heading.setAttribute('aria-level', Number(heading.localName[1]) - 1);
}
new MutationObserver(describe).observe(document.body, { childList: true, subtree: true });

const ui = globalThis.SwaggerUIBundle({
  spec: api,
  dom_id: '#reference',
  deepLinking: true,
  docExpansion: 'none',
  filter: true,
  plugins: [plainPaths],
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  // A file on a team's own site has no service behind it.
  supportedSubmitMethods: Object.keys(clients).length > 0 ? undefined : [],
  onComplete: () => void signIn(ui),
});
