import { expect, test } from '@jest/globals';
import { useAgents } from '../../support/providers/agents.ts';

const agents = useAgents({ rateLimits: 'off', events: true });

test("the notice about a newly connected agent links to the account page with the agent's client ID", async () => {
  const clientId = agents.documents.publish();
  const { email } = await agents.connected(clientId);
  await agents.server.settleEvents();
  const mails = await agents.server.messages({ to: email });
  const notice = mails.find(({ subject }) => subject === 'An app was connected at Demo');
  const link = new URL(notice?.links[0] ?? '');
  expect([link.pathname, link.searchParams.get('client_id')]).toEqual(['/account', clientId]);
});
