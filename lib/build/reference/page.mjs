// Script of the API reference. api-reference.ts combines it with Swagger UI in one page.

const { document: api, clients } = JSON.parse(document.getElementById('data').textContent);

/** Requests a token for each client, so that readers can try every operation immediately. */
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

/**
 * Shows the path in the button of an operation as text instead of a link. A link inside a button would be a second control for
 * assistive technology. The URL of the page still changes when the button is pressed.
 */
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

/** Adds the names, landmarks and heading levels that assistive technology needs and Swagger UI does not provide. */
function describe() {
  for (const select of document.querySelectorAll('select:not([aria-label])'))
    select.setAttribute('aria-label', NAMES.find(([selector]) => select.matches(selector))[1]);
  // Scrollable elements must be reachable by keyboard.
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
  // A reference that is published as a file has no service to which it could send requests.
  supportedSubmitMethods: Object.keys(clients).length > 0 ? undefined : [],
  onComplete: () => void signIn(ui),
});
