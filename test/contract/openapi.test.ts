import { beforeAll, describe, expect, test } from '@jest/globals';
import { Validator } from '@seriousme/openapi-schema-validator';
import * as v from 'valibot';
import { chooseAreas, selectOperations } from '../../functions/areas.ts';
import { operations } from '../../functions/operations.ts';
import { sortByUse } from '../../lib/build/openapi/by-use.ts';
import { openApiDocument } from '../../lib/build/openapi/document.ts';
import { exportedSchemas } from '../../lib/build/schemas.ts';
import { generateServiceDocument } from '../../lib/build/service-document.ts';
import packageJson from '../../package.json' with { type: 'json' };
import { catalogue } from '../../shared/errors/catalogue.ts';
import { listAuth } from '../../shared/http/effective-ports.ts';
import { listErrors } from '../../shared/http/errors-of.ts';
import { DEFAULT_PATH, listNamedMethods, listPaths } from '../../shared/http/path.ts';
import type { Operation } from '../../shared/operation.ts';

interface Described {
  readonly operationId: string;
  readonly summary: string;
  readonly tags: readonly string[];
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly required: boolean }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { schema: { $ref: string } }>> };
  readonly responses: Readonly<Record<string, { readonly $ref?: string }>>;
}

interface ApiDocument {
  readonly openapi: string;
  readonly info: { readonly title: string; readonly version: string; readonly license: object };
  readonly tags: readonly { readonly name: string; readonly description?: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
    readonly responses: Readonly<Record<string, unknown>>;
    readonly securitySchemes: Readonly<Record<string, unknown>>;
  };
}

const rows = Object.entries(operations).filter(([, row]) => row.path !== DEFAULT_PATH);
let document: ApiDocument;

beforeAll(async () => {
  document = JSON.parse(JSON.stringify(await generateServiceDocument()));
});

function described(row: Operation, of = document): readonly (Described | undefined)[] {
  return listPaths(row).flatMap((path) =>
    listNamedMethods(row).map((verb) => of.paths[path]?.[verb.toLowerCase()]),
  );
}

test('the OpenAPI document lists the operations of each area in the order of use', () => {
  const all = Object.values(document.paths).flatMap((item) => Object.values(item));
  const listArea = (area: string) =>
    all.filter(({ tags }) => tags.includes(area)).map(({ operationId }) => operationId);
  expect(listArea('one-time')).toEqual([
    'sendMagicLinkEmail',
    'openMagicLink',
    'authenticateMagicLink',
    'sendOTP',
    'authenticateOTP',
  ]);
  expect(listArea('resources').slice(0, 2)).toEqual(['createResource', 'listResources']);
  expect(listArea('resources').at(-1)).toBe('deleteResource');
  expect([...new Set(all.flatMap(({ tags }) => tags))]).toEqual(document.tags.map(({ name }) => name));
});

test.each(rows)(
  'the OpenAPI document describes errors of the operation %s in the expected format',
  (_name, row) => {
    const types = described(row).flatMap((operation) =>
      Object.entries(operation?.responses ?? {})
        .filter(([status]) => Number(status) >= 400)
        .map(([, { $ref = '' }]) => document.components.responses[$ref.split('/').at(-1) ?? ''])
        .map((answer) => Object.keys((answer as { readonly content: object }).content)),
    );
    expect(types.length).toBeGreaterThan(0);
    for (const each of types)
      expect(each).toEqual(['application/json', ...(row.errorPage ? ['text/html'] : [])]);
  },
);

test('generating the OpenAPI document twice gives the same document', async () => {
  const made = openApiDocument(await sortByUse(operations), await exportedSchemas(), packageJson);
  expect(JSON.stringify(made)).toBe(JSON.stringify(await generateServiceDocument()));
});

test.each([['one-time'], ['code-based'], ['agents']])(
  'the OpenAPI document of a deployment with only the service area %s describes only the deployed operations',
  async (area) => {
    const chosen = chooseAreas([area]);
    const limited: ApiDocument = JSON.parse(JSON.stringify(await generateServiceDocument(chosen)));
    const made = openApiDocument(selectOperations(operations, chosen), await exportedSchemas(), packageJson);
    const expected: ApiDocument = JSON.parse(JSON.stringify(made));
    expect(Object.keys(limited.paths).length).toBeLessThan(Object.keys(document.paths).length);
    // The expected document still contains schemas of errors that no deployed operation returns.
    const { schemas } = limited.components;
    expect(expected.components.schemas).toMatchObject(schemas);
    expect(limited).toEqual({ ...expected, components: { ...expected.components, schemas } });
    expect(await new Validator().validate({ ...limited })).toMatchObject({ valid: true });
  },
);

test('the OpenAPI document is valid OpenAPI 3.1', async () => {
  const validator = new Validator();
  expect(await validator.validate({ ...document })).toMatchObject({ valid: true });
  expect(document.openapi).toBe('3.1.0');
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/(\w+)\/([^"]+)"/g)];
  expect(references.length).toBeGreaterThan(0);
  for (const [, kind = '', name = ''] of references)
    expect(document.components[kind as keyof ApiDocument['components']]).toHaveProperty([name]);
});

test('the OpenAPI document has the name, version and license of the package', () => {
  expect(document.info).toMatchObject({
    title: packageJson.name,
    version: packageJson.version,
    license: { identifier: packageJson.license },
  });
});

describe.each(rows)('OpenAPI document of the operation %s', (_name, row) => {
  test('the OpenAPI document lists an operation under each of the operation’s paths', () => {
    for (const operation of described(row)) {
      expect(operation?.summary).toBe(row.summary);
      expect(operation?.tags).toEqual([row.file.split('/')[0]]);
    }
  });

  test('the OpenAPI document contains each path parameter of an operation', () => {
    for (const path of listPaths(row)) {
      const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      for (const verb of listNamedMethods(row)) {
        const given = document.paths[path]?.[verb.toLowerCase()]?.parameters ?? [];
        const inPath = given.filter((one) => one.in === 'path');
        expect(inPath.map(({ name }) => name)).toEqual(names);
        expect(inPath.every(({ required }) => required)).toBe(true);
      }
    }
  });

  test('the OpenAPI document contains the request body of an operation and the content type of the body', () => {
    const types = described(row).flatMap((one) => Object.keys(one?.requestBody?.content ?? {}));
    const json = row.input.json ? ['application/json'] : [];
    const form = row.input.form ? ['application/x-www-form-urlencoded'] : [];
    expect([...new Set(types)]).toEqual([...json, ...form]);
  });

  test('the OpenAPI document contains the successful response and each error response of an operation', () => {
    const statuses = listErrors(row).map((key) => String(catalogue[key].status));
    const { responses = {} } = described(row)[0] ?? {};
    expect(new Set(Object.keys(responses))).toEqual(
      new Set([
        String(row.output.status),
        ...statuses,
        ...('html' in row.output ? ['200'] : []),
        ...('orLater' in row.output ? ['202'] : []),
        ...(row.reach === 'browser' && !('json' in row.output) ? ['204'] : []),
      ]),
    );
    for (const key of listErrors(row))
      expect(responses[catalogue[key].status]?.$ref?.split(/[/.]/)).toContain(key);
  });

  test('the OpenAPI document contains the authentication that an operation requires', () => {
    const schemes = {
      none: [],
      client: ['ClientAccessToken'],
      user: ['UserAccessToken'],
      admin: ['AdminAccessToken'],
      operator: ['OperatorAccessToken'],
      'org-admin': ['OrgAdminAccessToken'],
      'client-secret': ['ClientSecretBasic'],
      'login-cookie': [],
      origin: [],
    };
    const security = described(row)[0]?.security;
    expect(security?.flatMap((one) => Object.keys(one))).toEqual(
      listAuth(row).flatMap((kind) => schemes[kind]),
    );
  });
});

test('every tag of the OpenAPI document has a description', () => {
  for (const { description } of document.tags) expect(description?.length).toBeGreaterThan(20);
});

test('the operations for magic links and one-time codes have the operation IDs that the specification defines', () => {
  const ids = ['link/email/send', 'link/email/authenticate', 'otp/send', 'otp/authenticate'].map(
    (path) => document.paths[`/v1/auth/${path}`]?.post?.operationId,
  );
  expect(ids).toEqual(['sendMagicLinkEmail', 'authenticateMagicLink', 'sendOTP', 'authenticateOTP']);
});

test('every operation ID is unique, consists of letters and digits, and ends with a letter', () => {
  const ids = Object.values(document.paths).flatMap((item) =>
    Object.values(item).map(({ operationId }) => operationId),
  );
  expect(ids.filter((id, index) => ids.indexOf(id) !== index || !/^[a-zA-Z\d]*[a-zA-Z]$/.test(id))).toEqual(
    [],
  );
});

test('the OpenAPI document contains the validation rules for approval_data', () => {
  expect(JSON.stringify(document.components.schemas.ApprovalData)).toContain(
    '"propertyNames":{"pattern":"^(?!(?:__proto__|constructor|prototype)$)[A-Za-z0-9_.-]+$"}',
  );
});

test('the OpenAPI document contains the required fields and length limits of the magic link operation', () => {
  expect(document.components.schemas.AuthenticateMagicLinkBody).toMatchObject({
    required: ['code'],
    properties: { device_id: { type: 'string', maxLength: 80 } },
  });
});

describe('OpenAPI document after an operation was added to the operation table', () => {
  const added = {
    section: 'added',
    method: 'PUT',
    path: '/v1/added/{thingId}',
    event: 'added/added',
    area: 'users',
    operationId: 'added',
    file: 'users/added',
    reach: 'api',
    summary: 'Adds a row',
    auth: 'user',
    cors: 'none',
    input: { path: v.object({ thingId: v.string() }), json: v.object({ size: v.number() }) },
    output: { status: 201, json: v.object({ size: v.number() }) },
    dialect: 'numeric',
    errors: ['in_use'],
    uses: [],
  } as const satisfies Operation;

  async function extended(row: Operation = added): Promise<ApiDocument> {
    const made = openApiDocument({ ...operations, added: row }, await exportedSchemas(), packageJson);
    return JSON.parse(JSON.stringify(made));
  }

  test('an operation added to the operation table gets schemas that are named after the operation', async () => {
    const [operation] = described(added, await extended());
    expect(operation?.requestBody?.content['application/json']?.schema.$ref).toBe(
      '#/components/schemas/AddedRequest',
    );
    expect(operation?.responses['409']?.$ref).toBe('#/components/responses/NumericError.in_use');
  });

  test('the OpenAPI document stays valid if an operation is added', async () => {
    expect(await new Validator().validate({ ...(await extended()) })).toMatchObject({ valid: true });
  });

  test('generating the OpenAPI document fails for a schema that JSON Schema cannot express', async () => {
    const checked = v.object({
      size: v.pipe(
        v.number(),
        v.check((size) => size % 2 === 0),
      ),
    });
    await expect(extended({ ...added, input: { ...added.input, json: checked } })).rejects.toThrow('check');
  });
});
