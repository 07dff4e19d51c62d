// An MCP server. An agent acts on behalf of a user, within the scopes that the user has granted.
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import express from 'express';
import { protectResource } from 'one-time-login-client';

const { PORT = '8080', BASE_URL: baseUrl = 'http://localhost:3000/cis' } = process.env;
const { TENANT_ID: tenantId = 'demo-tenant', APP_ID = 'demo-app' } = process.env;
// The public URL of the MCP server, which is also the audience of its access tokens.
const { RESOURCE: resource = `http://localhost:${PORT}/mcp` } = process.env;
const scopes = ['notes:read', 'notes:burn'];
const api = protectResource({ baseUrl, tenantId, appIds: [APP_ID], resource, scopes });

// Scopes that tools require in addition to `notes:read`. The resource defines `acr: "mfa"` for this scope.
const NEEDS = new Map([['burn_notes', 'notes:burn']]);

const notes = new Map();
const text = (words) => ({ content: [{ type: 'text', text: words }] });

// The server is stateless: each request gets its own McpServer for the user of its access token.
function createServer({ authInfo }) {
  const person = authInfo.extra.sub;
  const server = new McpServer({ name: 'notes', version: '1.0.0' });
  server.registerTool('read_notes', { description: 'Reads the notes of the person' }, () =>
    text((notes.get(person) ?? ['Buy milk']).join('\n') || 'No notes'),
  );
  server.registerTool('burn_notes', { description: 'Burns all notes of the person' }, () => {
    notes.set(person, []);
    return text('Burnt');
  });
  return server;
}

const handle = toNodeHandler(createMcpHandler(createServer));

const app = express();
// Clients read here where to get an access token (RFC 9728).
app.get(api.metadataPath, (_request, response) => response.json(api.metadata));
app.post('/mcp', express.json(), async (request, response) => {
  const calls = [request.body].flat();
  const more = calls.flatMap((call) => NEEDS.get(call?.params?.name) ?? []);
  const { claims, refusal } = await api.check(request, { scopes: ['notes:read', ...more] });
  if (refusal) return response.status(refusal.status).set(refusal.headers).json(refusal.body);
  request.auth = { extra: claims };
  await handle(request, response, request.body);
});
app.all('/mcp', (_request, response) => response.status(405).set('allow', 'POST').end());

const server = app.listen(Number(PORT), () => console.log(`http://localhost:${server.address().port}`));
