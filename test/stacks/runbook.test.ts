import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { readPage, section } from '../pages/support/markdown.ts';
import { Cloud } from './support/cloud.ts';
import { switchedTemplates, synthesized } from './support/synthesized.ts';

const runbook = ['RUNBOOK.md', 'INCIDENTS.md', 'README.md']
  .map((page) => readFileSync(join(import.meta.dirname, '../../lib', page), 'utf8'))
  .join('\n');

test('each alarm, table, function, log group and stack that the runbook names exists', () => {
  const withCopies = synthesized('eu with a zone, and copies in another region under a compliance lock');
  const templates = { ...withCopies.templates, ...synthesized('eu').templates };
  const cloud = new Cloud(templates);
  const withLogin = new Cloud(switchedTemplates('OTL_SYNTHETIC_LOGIN'));
  const named = (type: string, property: string, of = cloud) =>
    of.resources(type).map(({ properties }) => String(properties[property]));
  const known = [
    ...Object.keys(templates),
    ...named('AWS::CloudWatch::Alarm', 'AlarmName'),
    ...named('AWS::CloudWatch::Alarm', 'AlarmName', withLogin),
    ...named('AWS::DynamoDB::GlobalTable', 'TableName'),
    ...named('AWS::Lambda::Function', 'FunctionName'),
    ...named('AWS::Backup::BackupVault', 'BackupVaultName'),
    ...named('AWS::Logs::LogGroup', 'LogGroupName'),
  ];
  /** Pattern of names without a deployed resource: the common name prefix, and the restored tables that the runbook creates. */
  const others = /^otl-eu-(?:(?:people|directory)-restored)?$/;
  const inline = [...runbook.matchAll(/`(otl-eu[\w-]*)`/g)].map(([, name = '']) => name);
  expect(inline.length).toBeGreaterThan(8);
  expect(inline.filter((name) => !known.includes(name) && !others.test(name))).toEqual([]);
});

test('the runbook disables the termination protection of every stack before it deletes an environment', () => {
  const steps = section(readPage('lib/RUNBOOK.md'), 'Removing an environment');
  const at = steps.indexOf("npx cdk destroy '**/otl-eu-*'");
  const lifted = [...steps.matchAll(/--no-enable-termination-protection --stack-name (otl-eu-\w+)/g)];
  expect(lifted.map(([, stack]) => stack).toSorted()).toEqual(
    synthesized('eu with its protection, in the SES sandbox').protected.toSorted(),
  );
  for (const { index } of lifted) expect(index).toBeLessThan(at);
});
