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

const ui = globalThis.SwaggerUIBundle({
  spec: api,
  dom_id: '#reference',
  deepLinking: true,
  docExpansion: 'none',
  filter: true,
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  // A file on a team's own site has no service behind it.
  supportedSubmitMethods: Object.keys(clients).length > 0 ? undefined : [],
  onComplete: () => void signIn(ui),
});
