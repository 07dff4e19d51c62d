import { spawn } from 'node:child_process';
import { expect, jest, test } from '@jest/globals';
import { OPERATORS_TENANT_ID } from '../../shared/domain/basis/operators.ts';
import { otlAt, otlWith } from '../support/server/otl.ts';
import { useTestServer } from '../support/server/use-test-server.ts';

jest.setTimeout(120_000);

const server = useTestServer({ rateLimits: 'off' });

const { otl, json } = otlAt(server);

interface Listed {
  readonly result: readonly Readonly<Record<string, string>>[];
}

/** Removes the demo tenant. The environment is then in its state after a deployment. */
async function removeTenant(): Promise<void> {
  const [tenant] = (await json<Listed>('tenant', 'list')).result;
  for (const [noun, id] of [
    ['application', 'app_id'],
    ['user', 'user_id'],
    ['organization', 'org_id'],
  ] as const)
    for (const record of (await json<Listed>(noun, 'list')).result)
      expect(await otl(noun, 'delete', '--yes', '--', record[id] ?? '')).toMatchObject({ code: 0 });
  expect(await otl('tenant', 'delete', '--yes', '--', tenant?.tenant_id ?? '')).toMatchObject({ code: 0 });
}

/** Runs the printed script as if it were pasted into a shell. Types the mailed code when prompted. */
async function login(script: string, email: string): Promise<string> {
  const shell = spawn('sh', ['-c', script], { stdio: ['pipe', 'pipe', 'inherit'] });
  let printed = '';
  for await (const chunk of shell.stdout) {
    printed += String(chunk);
    if (!printed.endsWith('The code in the mail: ')) continue;
    shell.stdin.end(`${await server.codeTo(email)}\n`);
  }
  return printed;
}

test('otl first-tenant creates a tenant, an application and a client that can log users in', async () => {
  const email = "ann.o'neill@example.com";
  const make = (address = email) => otl('first-tenant', '--name', 'Example Ltd', '--email', address);
  // The demo tenant exists, so the command must not create a second tenant.
  expect(await make()).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('A tenant already exists'),
  });
  await removeTenant();

  expect(await make('ann')).toMatchObject({ code: 2, stdout: '' });
  // The operators' tenant does not count as the first tenant.
  const operators = { tenant_id: OPERATORS_TENANT_ID };
  expect((await json<Listed>('tenant', 'list')).result).toMatchObject([operators]);

  // Simulates a first run that stopped after it had created the tenant. The second run continues with this tenant.
  const { tenant_id } = await json<{ tenant_id: string }>('tenant', 'create', '--name', 'Example Ltd');
  const { code, stdout, stderr } = await make();
  const [, ...named] = /OTL_CLIENT_ID=(\S+) OTL_CLIENT_SECRET=(\S+)/.exec(stderr) ?? [];
  const [OTL_CLIENT_ID = '', OTL_CLIENT_SECRET = ''] = named;
  expect([code, stdout]).toEqual([0, expect.stringMatching(/client_secret {2}\S/)]);
  // Tenants created in the same second are ordered by their random IDs.
  const { result } = await json<Listed>('tenant', 'list');
  const isOwn = (one: Listed['result'][number]) => one.tenant_id === tenant_id;
  expect(result.filter(isOwn)).toMatchObject([{ name: 'Example Ltd' }]);
  expect(result.filter((one) => !isOwn(one))).toMatchObject([operators]);

  const script = /^\{\n.*^\}$/ms.exec(stderr)?.[0] ?? '';
  const answers = (await login(script, email)).trim().split('\n');
  expect(answers).toHaveLength(3);
  expect(JSON.parse(answers[0] ?? '')).toMatchObject({ result: { email: { value: email } } });
  expect(answers[2]).toContain('"access_token"');

  // Runs the next command of the runbook with the printed management client.
  const asClient = (...args: string[]) =>
    otlWith({ OTL_ENDPOINT: server.url, OTL_CLIENT_ID, OTL_CLIENT_SECRET }, [...args, '--json']);
  const listed = async () => JSON.parse((await asClient('application', 'list')).stdout) as Listed;
  const [one] = (await listed()).result;
  const uri = 'https://shop.example.com/complete';
  const added = await asClient('application', 'add-redirect-uri', one?.app_id ?? '', '--uri', uri);
  expect(JSON.parse(added.stdout)).toMatchObject({ redirect_uris: [uri] });
  const again = await make();
  expect([again.code, again.stdout]).toEqual([1, '']);
  expect(again.stderr).toMatch(`otl --tenant ${tenant_id} client create --management`);
  expect((await listed()).result).toMatchObject([{ app_id: one?.app_id }]);
});
