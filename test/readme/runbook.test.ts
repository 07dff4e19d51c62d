import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { environmentNames } from '../../lib/stacks/environments/environments.ts';
import packageJson from '../../package.json' with { type: 'json' };
import { METRIC_NAMESPACE, metrics } from '../../shared/http/metrics.ts';
import { complaintAbout } from './support/otl-commands.ts';
import { anchorsOf, blocksOf, ROOT, readReadme, withoutBlocks } from './support/readme.ts';

const runbook = readFileSync(join(ROOT, 'lib/RUNBOOK.md'), 'utf8').replace(/^ +(?=```)/gm, '');
const prose = withoutBlocks(runbook);
const inline = [...prose.matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code);
const lines = [...blocksOf('bash', runbook).flatMap((block) => block.split('\n')), ...inline]
  .map((line) => line.trim())
  .filter((line) => line !== '' && !line.startsWith('#'));
const beginning = (program: string) => lines.filter((line) => line.startsWith(`${program} `));

/** Services of which no client is installed: their commands were looked up in the reference of the AWS CLI. */
const LOOKED_UP = [
  'aws apigatewayv2 get-integrations',
  'aws cloudformation update-termination-protection',
  'aws s3api list-objects-v2',
];
/** Where the client has another name than the service of the AWS CLI. */
const CLIENTS: Readonly<Record<string, string>> = { logs: 'cloudwatch-logs' };

describe('each command of the runbook exists:', () => {
  test('otl', () => {
    const commands = beginning('otl').filter((line) => !line.startsWith('otl keys prepare` '));
    expect(commands.length).toBeGreaterThan(30);
    expect(commands.map(complaintAbout).filter((complaint) => complaint !== undefined)).toEqual([]);
  });

  test('what does not exist is found', () => {
    for (const line of [
      'otl keys burn',
      'otl user unlock --loudly yes <user>',
      'otl restore check --of people',
      'otl --env moon keys list',
    ])
      expect(complaintAbout(line)).toContain(line);
  });

  test('npm and cdk', () => {
    const scripts = [...runbook.matchAll(/npm run (?:--silent )?([a-z:]+)/g)].map(([, name]) => name);
    expect(Object.keys(packageJson.scripts)).toEqual(expect.arrayContaining(scripts));
    const patterns = new RegExp(
      `^npx cdk (?:bootstrap aws://|(?:diff|deploy|destroy) 'otl-(?:${environmentNames.join('|')})-\\*'$)`,
    );
    expect(beginning('npx').length).toBeGreaterThan(4);
    expect(beginning('npx').filter((line) => line !== 'npx cdk deploy' && !patterns.test(line))).toEqual([]);
  });

  test('aws, by the commands of the SDK', async () => {
    const named = [...new Set(beginning('aws').map((line) => line.split(' ').slice(0, 3).join(' ')))];
    expect(named.length).toBeGreaterThan(12);
    const unknown = await Promise.all(
      named
        .filter((command) => !LOOKED_UP.includes(command))
        .map(async (command) => {
          const [, service = '', action = ''] = command.split(' ');
          const client = (await import(`@aws-sdk/client-${CLIENTS[service] ?? service}`)) as Record<
            string,
            unknown
          >;
          const wanted = `${action.replaceAll('-', '')}command`;
          return Object.keys(client).some((name) => name.toLowerCase() === wanted) ? [] : [command];
        }),
    );
    expect(unknown.flat()).toEqual([]);
  });
});

describe('what the runbook points to is there:', () => {
  test('anchors, of itself and of the README', () => {
    const targets = [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);
    const [own, readme] = [anchorsOf(runbook), anchorsOf(readReadme())];
    const lost = targets.filter((target) => {
      const [file = '', anchor = ''] = target.split('#');
      if (file === '') return !own.includes(anchor);
      return !existsSync(join(ROOT, 'lib', file)) || (anchor !== '' && !readme.includes(anchor));
    });
    expect(targets.length).toBeGreaterThan(15);
    expect(lost).toEqual([]);
  });

  test('files, settings and metrics', () => {
    const paths = inline.filter((code) => /^(?:lib|bin|shared)\/[\w./-]+$/.test(code));
    expect(paths.length).toBeGreaterThan(3);
    expect(paths.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
    const environments = readFileSync(join(ROOT, 'lib/stacks/environments/environments.ts'), 'utf8');
    for (const setting of ['signingModes', 'restoredTables', 'edgeSecret', 'countries', 'originationNumber'])
      expect([setting, runbook.includes(setting) && environments.includes(`readonly ${setting}`)]).toEqual([
        setting,
        true,
      ]);
    const known = Object.values(metrics).map(({ name }) => name as string);
    const named = inline.filter((code) => /^[A-Z][a-z]+(?:[A-Z][a-z]+)*$/.test(code));
    const theirs = ['ProductionAccessEnabled', 'ThrottlingException', 'SpendLimit', METRIC_NAMESPACE];
    const ours = named.filter(
      (name) => !theirs.includes(name) && !name.startsWith('CryptographicOperations'),
    );
    expect(ours.length).toBeGreaterThan(5);
    expect(ours.filter((name) => !known.includes(name))).toEqual([]);
  });

  test('and the README leads to it', () => {
    expect(readReadme()).toContain('](lib/RUNBOOK.md)');
  });
});
