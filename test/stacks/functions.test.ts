import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { backgroundNames } from '../../functions/background.ts';
import { consoleOperations, operations } from '../../functions/operations.ts';

import { hasFunctionUrl } from '../../lib/stacks/functions/routes.ts';
import { effectivePorts } from '../../shared/http/effective-ports.ts';
import { listAnsweredMethods, listNamedMethods, listPaths } from '../../shared/http/path.ts';
import type { Operation } from '../../shared/operation.ts';
import { sourceFiles } from '../support/tools/source.ts';
import { added, extendedTable } from './support/added-row.ts';
import { Cloud } from './support/cloud.ts';
import { synthesized } from './support/synthesized.ts';

const { templates } = synthesized('eu with an added row');
const cloud = new Cloud(templates);
const functions = cloud.functions();
const routes = cloud.routes();
const rows = Object.values<Operation>(extendedTable);
const everyRow = [...rows, ...Object.values(consoleOperations)];
const toFunctionName = (row: Operation) => `otl-eu-${row.event.replaceAll('/', '-')}`;
const findFunction = (row: Operation) => {
  const found = functions.find(({ name }) => name === toFunctionName(row));
  if (!found) throw new Error(`no function of ${row.event}`);
  return found;
};

describe('Lambda functions for operations and background tasks', () => {
  test('each operation and each background task has exactly one Lambda function', () => {
    const expected = [...everyRow.map(toFunctionName), ...backgroundNames.map((name) => `otl-eu-${name}`)];
    expect(functions.map(({ name }) => name).toSorted()).toEqual(expected.toSorted());
  });

  test.each(everyRow.map((row) => [row.event, row] as const))(
    'the function of %s has the expected stack, name and runtime settings',
    (_entry, row) => {
      const deployed = findFunction(row);
      expect(deployed.stack).toBe(`otl-eu-api-${row.event.split('/')[0]}`);
      // Lambda function names have at most 64 characters, and the longest environment name is `sandbox`.
      expect(deployed.name.replace('otl-eu-', 'otl-sandbox-').length).toBeLessThanOrEqual(64);
      expect(deployed.properties).toMatchObject({
        Runtime: 'nodejs24.x',
        Architectures: ['arm64'],
        Handler: 'index.handler',
        Timeout: 15,
        MemorySize: 1024,
        LoggingConfig: { LogFormat: 'JSON', ApplicationLogLevel: 'TRACE' },
      });
    },
  );

  test('a Lambda function has only those environment variables that its ports need', () => {
    const settings = [
      'BASE_URL',
      'BROWSER_ORIGIN',
      'CONSOLE_ORIGIN',
      'EDGE_SECRET_HASHES',
      'ENVIRONMENT',
      'LOG_LEVEL',
      'VENDOR',
    ];
    expect(Object.keys(findFunction(operations.sendOtp as Operation).variables).toSorted()).toEqual(
      [
        ...settings,
        ...[
          'DIRECTORY_TABLE',
          'FLOWS_TABLE',
          'MAC_KEY_ID',
          'MAC_KEY_NUMBER',
          'MAIL_FROM',
          'PEOPLE_TABLE',
          'SES_CONFIGURATION_SET',
          'SMS_COUNTRIES',
        ],
      ].toSorted(),
    );
    expect(Object.keys(findFunction(operations.health as Operation).variables).toSorted()).toEqual([
      ...settings,
      'VERSION',
    ]);
    expect(findFunction(added).variables).toMatchObject({
      BASE_URL: 'https://login.eu.example.com/cis',
      BROWSER_ORIGIN: 'https://login.eu.example.com',
      FLOWS_TABLE: 'otl-eu-flows',
    });
  });

  test('a new version number of the service changes only the function that reports the version', () => {
    const withVersion = functions.filter(({ variables }) => 'VERSION' in variables);
    expect(withVersion.map(({ name }) => name)).toEqual(['otl-eu-meta-health']);
    const readers = sourceFiles.filter(({ text }) => /\bsettings\.version\b/.test(text));
    expect(readers.map(({ path }) => path).filter((path) => !path.startsWith('test/'))).toEqual([
      'functions/meta/meta.ts',
    ]);
  });

  test('no Lambda function has environment variables that disable rate limits or set Node.js options', () => {
    for (const { variables } of functions) {
      for (const name of ['RATE_LIMITS', 'DATABASE_PATIENCE', 'JOB_CALL_SECONDS'])
        expect(variables).not.toHaveProperty(name);
      expect(variables).not.toHaveProperty('NODE_OPTIONS');
    }
  });
});

describe('routes of the HTTP API', () => {
  const listRouteKeys = (row: Operation) =>
    routes
      .filter(({ target }) => target === toFunctionName(row))
      .map(({ key }) => key)
      .toSorted();

  test.each(rows.map((row) => [row.event, row] as const))(
    'the HTTP API has the routes that the operation table lists for the operation %s',
    (_entry, row) => {
      const paths = typeof row.path === 'string' ? [row.path] : row.path;
      const own = paths.flatMap((path) => {
        if (path === '$default') return ['$default'];
        const head = listNamedMethods(row).includes('GET') ? [`HEAD ${path}`] : [];
        return [...listNamedMethods(row).map((verb) => `${verb} ${path}`), ...head];
      });
      expect(listRouteKeys(row).filter((key) => !key.startsWith('OPTIONS '))).toEqual(own.toSorted());
    },
  );

  test('only paths that support CORS have OPTIONS routes', () => {
    const expected = new Set(
      rows
        .filter(({ cors }) => cors !== 'none')
        .flatMap(({ path }) => path)
        .map((path) => `OPTIONS ${path}`),
    );
    const preflights = routes.map(({ key }) => key).filter((key) => key.startsWith('OPTIONS '));
    expect(preflights.toSorted()).toEqual([...expected].toSorted());
  });

  test('an OPTIONS route calls a function that handles every method of the path', () => {
    for (const { key, target } of routes.filter((route) => route.key.startsWith('OPTIONS '))) {
      const path = key.slice('OPTIONS '.length);
      const there = rows.filter((row) => listPaths(row).includes(path));
      const [answering] = there.filter((row) => toFunctionName(row) === target);
      expect([path, new Set(answering && listAnsweredMethods(answering))]).toEqual([
        path,
        new Set(there.flatMap(listAnsweredMethods)),
      ]);
    }
  });

  test('all routes are unique and belong to the same HTTP API', () => {
    expect(new Set(routes.map(({ key }) => key)).size).toBe(routes.length);
    expect(new Set(routes.map(({ api }) => api)).size).toBe(1);
  });

  test('the HTTP API has the stages $default and cis, which are deployed automatically', () => {
    const stages = cloud.resources('AWS::ApiGatewayV2::Stage').map(({ properties }) => properties);
    expect(stages.map(({ StageName }) => StageName).toSorted()).toEqual(['$default', 'cis']);
    for (const stage of stages) {
      expect(stage.ApiId).toBe(routes[0]?.api);
      expect(stage.AutoDeploy).toBe(true);
    }
  });

  test('API Gateway does not respond to CORS preflight requests itself', () => {
    const [api] = cloud.resources('AWS::ApiGatewayV2::Api');
    expect(api?.properties).not.toHaveProperty('CorsConfiguration');
  });

  test('an operation added to the operation table gets routes, a Lambda function and IAM permissions', () => {
    expect(listRouteKeys(added)).toEqual([
      'GET /v1/added/{id}',
      'GET /v1/also-added',
      'HEAD /v1/added/{id}',
      'HEAD /v1/also-added',
      'OPTIONS /v1/added/{id}',
      'OPTIONS /v1/also-added',
    ]);
    expect(findFunction(added).statements.map(({ Sid }) => Sid)).toEqual([
      'OwnLog',
      'Traces',
      'Signer',
      'Links',
      'TableKeyRead',
    ]);
    expect(effectivePorts(added)).toEqual(['links', 'signer']);
  });
});

describe('public function URLs of Lambda functions', () => {
  test.each(rows.map((row) => [row.event, row] as const))(
    'the function of %s can be invoked publicly only if its operation has a function URL',
    (_entry, row) => {
      const { permissions, urls } = findFunction(row);
      expect(permissions.filter(({ Principal }) => Principal === 'apigateway.amazonaws.com')).toEqual([]);
      const anyone = permissions.filter(({ Principal }) => Principal === '*');
      if (!hasFunctionUrl(extendedTable, row)) {
        expect(urls).toEqual([]);
        expect(anyone).toEqual([]);
        return;
      }
      // Since October 2025, a public function URL needs two permissions: InvokeFunctionUrl and InvokeFunction.
      expect(urls).toMatchObject([{ AuthType: 'NONE' }]);
      expect(urls[0]).not.toHaveProperty('Cors');
      expect(anyone).toHaveLength(2);
      expect(anyone).toContainEqual(
        expect.objectContaining({ Action: 'lambda:InvokeFunctionUrl', FunctionUrlAuthType: 'NONE' }),
      );
      expect(anyone).toContainEqual(
        expect.objectContaining({ Action: 'lambda:InvokeFunction', InvokedViaFunctionUrl: true }),
      );
    },
  );
});

describe('IAM role that API Gateway uses to invoke functions', () => {
  const [invoker = ''] = new Set(routes.map(({ role }) => role));
  const policies = cloud
    .resources('AWS::IAM::ManagedPolicy')
    .filter(({ stack }) => stack === 'otl-eu-routes');

  test('all routes use the same IAM role, which may invoke only the functions of the routes', () => {
    expect(new Set(routes.map(({ role }) => role)).size).toBe(1);
    const statements = cloud.listStatements(invoker);
    expect(new Set(statements.flatMap(({ Action }) => Action))).toEqual(new Set(['lambda:InvokeFunction']));
    const named = statements.flatMap(({ Resource }) => Resource ?? []);
    expect(named.toSorted()).toEqual([...new Set(routes.map(({ targetArn }) => targetArn))].toSorted());
    expect(named.filter((arn) => arn.includes('*'))).toEqual([]);
  });

  test('each route calls an existing function or alias', () => {
    const aliases = cloud.resources('AWS::Lambda::Alias').map(({ properties }) => properties);
    const expected = rows.map((row) => {
      const alias = aliases.find(({ FunctionName }) => FunctionName === toFunctionName(row));
      const arn = `arn:aws:lambda:eu-central-1:111122223333:function:${findFunction(row).name}`;
      return alias ? `${arn}:${alias.Name}` : arn;
    });
    expect([...new Set(routes.map(({ targetArn }) => targetArn))].toSorted()).toEqual(expected.toSorted());
  });

  test('the permissions of the API Gateway role fit into ten policies of 6,144 characters', () => {
    expect(policies.length).toBeLessThanOrEqual(10);
    // The limit of 6,144 characters leaves room for environments and regions with longer names than those of `eu`.
    for (const { properties } of policies)
      expect(JSON.stringify(properties.PolicyDocument).length).toBeLessThan(5600);
  });

  test('only API Gateway can assume the API Gateway role', () => {
    const [role] = cloud.resources('AWS::IAM::Role').filter(({ stack }) => stack === 'otl-eu-routes');
    expect(role?.properties.AssumeRolePolicyDocument).toMatchObject({
      Statement: [
        { Action: 'sts:AssumeRole', Effect: 'Allow', Principal: { Service: 'apigateway.amazonaws.com' } },
      ],
    });
    expect(JSON.stringify(role?.properties.AssumeRolePolicyDocument)).not.toContain('Condition');
  });
});

test('the API Gateway access log contains no paths, query strings, headers or addresses', () => {
  for (const { properties } of cloud.resources('AWS::ApiGatewayV2::Stage')) {
    const { Format } = properties.AccessLogSettings as { readonly Format: string };
    const fields = Object.values(JSON.parse(Format) as Record<string, string>);
    expect(fields.length).toBeGreaterThan(5);
    expect(fields.filter((field) => /path|query|header|identity|authorizer/i.test(field))).toEqual([]);
  }
});

test('every log group has a retention period', () => {
  const groups = cloud.resources('AWS::Logs::LogGroup');
  // The four other log groups are the access log of the API, the operator log and the two SMS logs of SNS.
  expect(groups).toHaveLength(functions.length + 4);
  // Retention is short, because logs still contain user IDs and IP networks after a user was erased.
  const days = groups.map(({ properties }) => [properties.LogGroupName, properties.RetentionInDays]);
  const ofSns = 'sns/eu-central-1/111122223333/DirectPublishToPhoneNumber';
  expect(days.filter(([, kept]) => kept !== 30)).toEqual([
    ['otl-eu-operator', 365],
    // These logs contain phone numbers.
    ...[ofSns, `${ofSns}/Failure`].map((name) => [name, 1]),
  ]);
  expect(readFileSync('test/ASSURANCE.md', 'utf8')).toMatch(/\| 30 days: `logRetention`/);
});
