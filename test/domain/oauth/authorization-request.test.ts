import { describe, expect, test } from '@jest/globals';
import {
  type AuthorizationParameters,
  type AuthorizationRequest,
  PROVEN_CLIENT,
  readAuthorizationRequest,
} from '../../../shared/domain/oauth/authorization-request.ts';
import { readRedirectLogin } from '../../../shared/domain/oauth/redirect-login-request.ts';
import type { Application, Client } from '../../../shared/ports/directory.ts';
import { someApplication, someClient } from '../../support/server/records.ts';

const CALLBACK = 'https://example.com/callback';
const RESOURCE = 'https://api.example.com/';
const CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';
const ESSENTIAL_MFA = '{"id_token":{"acr":{"essential":true,"values":["mfa"]}},"access_token":{}}';
const APPROVAL = '{"id_token":{"approval_data":{"value":{"amount":"5"}}}}';
const proven = { [PROVEN_CLIENT]: 'true' };
const document = { clientId: 'https://agent.example.com/client.json' };

type Change = Partial<Client> & Pick<Partial<Application>, 'publicSignup' | 'hostedSignUp'>;

function createOwner({ publicSignup = true, hostedSignUp = true, ...change }: Change) {
  const application = someApplication({ publicSignup, hostedSignUp });
  return { application, client: someClient({ clientId: 'client', ...change }) };
}

const read = (parameters: AuthorizationParameters, change: Change = {}) =>
  readAuthorizationRequest(
    { redirect_uri: CALLBACK, response_type: 'code', scope: 'openid', ...parameters },
    createOwner(change),
    { vendor: 'otl' },
  );

describe('parameters of the authorization endpoint', () => {
  const defaults = {
    ...{ origin: 'oidc', clientId: 'client', redirectUri: CALLBACK, responseMode: 'query' },
    ...{ scope: 'openid', offlineAccess: false, prompts: [], resources: [] },
    ...{ requireMfa: false, requirePhone: false, createNewUser: true },
  };
  const offline = 'openid offline_access';

  test.each<[string, AuthorizationParameters, Change, Partial<AuthorizationRequest>]>([
    ['only required parameters', {}, {}, {}],
    [
      'all optional parameters',
      {
        ...{
          state: 's',
          nonce: 'n',
          response_mode: 'form_post',
          scope: 'phone openid unknown',
          max_age: '0',
        },
        ...{ prompt: 'login select_account other', resource: RESOURCE, login_hint: 'ada', org_id: 'org' },
        ...{ custom_message: 'Hello', ui_locales: 'de', dpop_jkt: CHALLENGE, claims: APPROVAL, ...proven },
        ...{ code_challenge: CHALLENGE, code_challenge_method: 'S256' },
        acr_values: 'mfa phone_number urn:otl:google_direct urn:otl:centralized urn:other:line_direct',
      },
      {},
      {
        ...{ state: 's', nonce: 'n', responseMode: 'form_post', scope: 'openid phone', maxAge: 0 },
        ...{ prompts: ['login', 'select_account'], resources: [RESOURCE], loginHint: 'ada' },
        ...{ organizationId: 'org', customMessage: 'Hello', uiLocales: 'de', dpopJkt: CHALLENGE },
        ...{ codeChallenge: CHALLENGE, provenClient: true, approvalData: { amount: '5' } },
        claims:
          '{"id_token":{"approval_data":{"essential":false,"values":[{"amount":"5"}]}},"access_token":{}}',
        ...{ requireMfa: true, requirePhone: true, ways: ['google', 'centralized'], createNewUser: false },
      },
    ],
    [
      'the word null for each optional parameter',
      {
        ...{ max_age: 'null', resource: 'null', login_hint: 'undefined', ui_locales: '', claims: 'null' },
        ...{ org_id: 'null', dpop_jkt: 'null', custom_message: 'null', response_mode: 'null' },
      },
      {},
      {},
    ],
    [
      'acr_values as a preference',
      { acr_values: 'mfa phone_number' },
      { acrValues: 'prefer' },
      { preferMfa: true },
    ],
    ['no acr_values as a preference', {}, { acrValues: 'prefer' }, {}],
    ['an essential acr claim', { claims: ESSENTIAL_MFA }, {}, { claims: ESSENTIAL_MFA, requireMfa: true }],
    [
      'a voluntary acr claim',
      { claims: '{"id_token":{"acr":{"value":"mfa"}}}' },
      {},
      { claims: '{"id_token":{"acr":{"essential":false,"values":["mfa"]}},"access_token":{}}' },
    ],
    [
      'an essential acr claim without a value',
      { claims: '{"id_token":{"acr":{"essential":true}}}' },
      {},
      { claims: '{"id_token":{"acr":{"essential":true}},"access_token":{}}' },
    ],
    ['offline_access', { scope: offline }, {}, { scope: offline, offlineAccess: true }],
    [
      'offline_access without the required consent',
      { scope: offline },
      { offlineAccessNeedsConsent: true },
      {},
    ],
    [
      'offline_access with the required consent',
      { scope: offline, prompt: 'consent' },
      { offlineAccessNeedsConsent: true },
      { scope: offline, offlineAccess: true, prompts: ['consent'] },
    ],
    ['consent without offline_access', { prompt: 'consent' }, {}, { prompts: ['consent'] }],
    ['prompt none', { prompt: 'none' }, {}, { prompts: ['none'] }],
    ['no sign-up on hosted pages', {}, { hostedSignUp: false }, { createNewUser: false }],
    ['no public sign-up', {}, { publicSignup: false }, { createNewUser: false }],
    ['prompt create', { prompt: 'create' }, { hostedSignUp: false }, { prompts: ['create'] }],
    ['createNewUser', { createNewUser: 'true' }, { hostedSignUp: false }, {}],
    ['createNewUser=false', { createNewUser: 'false' }, {}, { createNewUser: false }],
    [
      'a resource instead of openid',
      { scope: '', resource: RESOURCE },
      {},
      { scope: '', resources: [RESOURCE] },
    ],
    ['the scope of a resource', { scope: 'notes' }, {}, { scope: '' }],
    [
      'a client with a metadata document',
      { scope: '', code_challenge: CHALLENGE, code_challenge_method: 'S256' },
      document,
      { scope: '', codeChallenge: CHALLENGE, ...document },
    ],
    [
      'a FAPI client with a resource',
      { scope: 'notes', resource: RESOURCE, ...proven },
      { profile: 'fapi2' },
      { scope: '', resources: [RESOURCE], provenClient: true },
    ],
  ])('an authorization request is read with its default values: %s', (_, parameters, change, expected) => {
    expect(read(parameters, change)).toStrictEqual({ ...defaults, ...expected });
  });

  const openid = /^scope: must include openid/;
  test.each<[AuthorizationParameters, Change, RegExp]>([
    [{ redirect_uri: undefined }, {}, /^redirect_uri: is required/],
    [{ redirect_uri: 'https://example.com/other' }, {}, /redirect_uri/],
    [{ state: 's'.repeat(5000) }, {}, /^state: /],
    [{ request: 'x' }, {}, /request_not_supported/],
    [{ response_type: undefined }, {}, /^response_type: is required/],
    [{ response_type: 'token' }, {}, /unsupported_response_type/],
    [{ response_mode: 'fragment' }, {}, /^response_mode: /],
    [{ prompt: 'none login' }, {}, /^prompt: /],
    [{ max_age: '-1' }, {}, /^max_age: /],
    [{ dpop_jkt: 'x' }, {}, /^dpop_jkt: /],
    [{ claims: APPROVAL }, {}, /^claims: approval_data requires a pushed request/],
    [{ claims: '{"id_token":{"acr":{"essential":true,"value":"loa4"}}}' }, {}, /^claims: none of the values/],
    [{ createNewUser: 'maybe' }, {}, /^createNewUser: /],
    [{ createNewUser: 'true' }, { publicSignup: false }, /sign/i],
    [{}, { authMethod: 'none' }, /^code_challenge: is required/],
    [{}, { requirePkce: true }, /^code_challenge: is required/],
    [{ scope: 'email' }, {}, openid],
    [{ scope: 'notes', ...proven }, { profile: 'fapi2' }, openid],
    [{ scope: ' ', resource: RESOURCE, ...proven }, { profile: 'fapi2' }, openid],
    [{ scope: 'notes', resource: RESOURCE, ...proven }, {}, openid],
  ])(
    'the authorization request %j is rejected for a client with the settings %j',
    (parameters, change, message) => {
      expect(() => read(parameters, change)).toThrow(message);
    },
  );
});

describe('parameters of a redirect login', () => {
  const login = (parameters: AuthorizationParameters, change: Change = {}) =>
    readRedirectLogin({ redirect_uri: CALLBACK, ...parameters }, createOwner(change), 'openid email');
  const defaults = {
    ...{ origin: 'browser', clientId: 'client', redirectUri: CALLBACK, responseMode: 'query' },
    ...{ scope: 'openid email', offlineAccess: true, prompts: [], resources: [] },
    ...{ requireMfa: false, requirePhone: false, createNewUser: true },
  };

  test.each<[string, AuthorizationParameters, Partial<AuthorizationRequest>]>([
    ['only required parameters', {}, {}],
    [
      'all optional parameters',
      {
        ...{ state: 's', nonce: 'n', prompt: 'login', max_age: '60', resource: RESOURCE, login_hint: 'ada' },
        ...{ require_mfa: 'true', verifications: 'email phone', create_new_user: 'false', org_id: 'org' },
        ...{ custom_message: 'Hello', ui_locales: 'de', claims: ESSENTIAL_MFA },
        ...{ code_challenge: CHALLENGE, code_challenge_method: 'S256' },
      },
      {
        ...{
          state: 's',
          nonce: 'n',
          prompts: ['login'],
          maxAge: 60,
          resources: [RESOURCE],
          loginHint: 'ada',
        },
        ...{ requireMfa: true, requirePhone: true, createNewUser: false, organizationId: 'org' },
        ...{ customMessage: 'Hello', uiLocales: 'de', claims: ESSENTIAL_MFA, codeChallenge: CHALLENGE },
      },
    ],
    ['require_mfa', { require_mfa: 'true' }, { requireMfa: true }],
    ['an essential acr claim', { claims: ESSENTIAL_MFA }, { claims: ESSENTIAL_MFA, requireMfa: true }],
  ])('a redirect login is read with its default values: %s', (_, parameters, expected) => {
    expect(login(parameters)).toStrictEqual({ ...defaults, ...expected });
  });

  test.each<[AuthorizationParameters, Change, RegExp]>([
    [{}, { requirePushedRequests: true }, /^request_uri: is required for this client/],
    [{ claims: APPROVAL }, {}, /^claims: approval_data requires a pushed request/],
    [{}, { authMethod: 'none' }, /^code_challenge: is required/],
    [{}, { requirePkce: true }, /^code_challenge: is required/],
  ])('the redirect login %j is rejected for a client with the settings %j', (parameters, change, message) => {
    expect(() => login(parameters, change)).toThrow(message);
  });
});
