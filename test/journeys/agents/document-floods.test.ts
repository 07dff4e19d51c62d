// Floods of client metadata documents: anyone who sends a new client ID makes the service call the host of its document.
import { describe, expect, test } from '@jest/globals';
import {
  DOCUMENTS_PER_APPLICATION,
  DOCUMENTS_PER_HOST,
  DOCUMENTS_PER_NETWORK,
} from '../../../shared/domain/basis/limits.ts';
import { countNewDocument } from '../../../shared/domain/rate-limits/document-window.ts';
import { useAgents } from '../../support/providers/agents.ts';

const agents = useAgents({});
const { server, login } = agents;

const asks = async (from: string, clientId = agents.documents.publish()) =>
  (await agents.ask(login.browser(from), clientId)).status;

describe('limits on new client ID metadata documents', () => {
  test('after too many new client ID metadata documents, other networks and known documents are not affected', async () => {
    await server.nextMinute();
    const known = agents.documents.publish();
    expect(await asks('127.0.0.2', known)).toBe(200);
    // Sends requests sequentially, because a dozen concurrent fetches could exceed the time limit of a fetch.
    const statuses: number[] = [];
    while (statuses.length < DOCUMENTS_PER_NETWORK + 3) statuses.push(await asks('127.0.0.2'));
    expect(statuses.filter((status) => status === 200)).toHaveLength(DOCUMENTS_PER_NETWORK - 1);
    expect(new Set(statuses)).toEqual(new Set([200, 400]));
    expect(await asks('127.0.0.2', known)).toBe(200);
    expect(await asks('127.0.0.3')).toBe(200);
  });

  test('the number of new client ID metadata documents is limited per host and per application', async () => {
    await server.nextMinute();
    const ports = await server.ports(['windows', 'tenants', 'applications']);
    const tenant = await ports.tenants.find(server.environment.tenant_id);
    const application = await ports.applications.find(server.environment.app_id);
    if (!tenant || !application) throw new Error('the demo is there');
    const now = Math.floor(Date.now() / 1000);
    const settings = { rateLimits: 'on' } as const;
    let networks = 0;
    const admitted = async (host: string) => {
      networks += 1;
      const sourceAddress = `10.${networks >> 8}.${networks & 255}.1`;
      const asking = { tenant, application, settings, now, sourceAddress };
      return countNewDocument(ports, asking, host).then(
        () => true,
        () => false,
      );
    };
    const outcomes = async (count: number, hostOf: (index: number) => string) =>
      (await Promise.all(Array.from({ length: count }, (_, index) => admitted(hostOf(index))))).filter(
        Boolean,
      ).length;
    expect(await outcomes(DOCUMENTS_PER_HOST + 5, () => 'one.example.com')).toBe(DOCUMENTS_PER_HOST);
    const left = DOCUMENTS_PER_APPLICATION - DOCUMENTS_PER_HOST;
    expect(await outcomes(left + 5, (index) => `${index}.example.com`)).toBe(left);
  });
});
