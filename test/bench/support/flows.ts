import { demo } from '../../../lib/local/demo.ts';

/** Request that the bench can send over HTTP or pass directly to a function. */
export interface StepRequest {
  readonly method: 'GET' | 'POST';
  /** Path and query, from the root. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface StepAnswer {
  readonly status: number;
  readonly location: string | undefined;
  readonly body: string;
}

/** State of one person in a flow, including the results of the previous steps. */
export interface Login {
  readonly email: string;
  readonly redirectUri: string;
  token: string;
  code: string;
  link: string;
}

/** Request to one operation, and the values to read from its response. */
export interface Step {
  /** Name of the operation in the operation table. */
  readonly operation: string;
  readonly request: (login: Login) => StepRequest;
  readonly expected: number;
  readonly read?: (login: Login, answer: StepAnswer) => void;
}

export interface Flow {
  readonly name: string;
  readonly steps: readonly Step[];
}

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const credentials = new URLSearchParams({
  grant_type: 'client_credentials',
  client_id: demo.client.clientId,
  client_secret: demo.client.clientSecret,
}).toString();

function post(target: string, { token }: Login, body: object): StepRequest {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
  return { method: 'POST', target, headers, body: JSON.stringify(body) };
}

const readJson = (answer: StepAnswer) => JSON.parse(answer.body) as Partial<Record<string, string>>;

export const issueToken: Step = {
  operation: 'token',
  request: () => ({ method: 'POST', target: '/cis/oidc/token', headers: FORM, body: credentials }),
  expected: 200,
  read: (login, answer) => {
    login.token = readJson(answer).access_token ?? '';
  },
};

/** Creates the user who logs in during a flow. This step is not part of a measured flow. */
export const createUser: Step = {
  operation: 'createUser',
  request: (login) => post('/cis/v1/users', login, { email: login.email }),
  expected: 201,
};

const sendOtp: Step = {
  operation: 'sendOtp',
  request: (login) =>
    post('/cis/v1/auth/otp/send', login, {
      channel: 'direct',
      identifier_type: 'email',
      identifier: login.email,
    }),
  expected: 200,
  read: (login, answer) => {
    login.code = readJson(answer).code ?? '';
  },
};

const authenticateOtp: Step = {
  operation: 'authenticateOtp',
  request: (login) =>
    post('/cis/v1/auth/otp/authenticate', login, {
      identifier_type: 'email',
      identifier: login.email,
      passcode: login.code,
    }),
  expected: 200,
};

const sendMagicLink: Step = {
  operation: 'sendMagicLink',
  request: (login) =>
    post('/cis/v1/auth/link/email/send', login, {
      channel: 'direct',
      identifier_type: 'email',
      identifier: login.email,
      redirect_uri: login.redirectUri,
    }),
  expected: 200,
  read: (login, answer) => {
    login.link = readJson(answer).link ?? '';
  },
};

const openMagicLink: Step = {
  operation: 'openMagicLink',
  request: ({ link }) => {
    const { pathname, search } = new URL(link);
    return { method: 'GET', target: pathname + search, headers: {}, body: '' };
  },
  expected: 302,
  read: (login, { location = '' }) => {
    login.code = new URL(location).searchParams.get('code') ?? '';
  },
};

const authenticateMagicLink: Step = {
  operation: 'authenticateMagicLink',
  request: (login) => post('/cis/v1/auth/link/email/authenticate', login, { code: login.code }),
  expected: 200,
};

export const flows: readonly Flow[] = [
  { name: 'client token', steps: [issueToken] },
  { name: 'OTP login', steps: [sendOtp, authenticateOtp] },
  { name: 'link login', steps: [sendMagicLink, openMagicLink, authenticateMagicLink] },
];

/**
 * Reads the values of a step from its response. Throws on an unexpected status, because the duration of a failed login is
 * useless.
 */
export function take(step: Step, login: Login, answer: StepAnswer): void {
  if (answer.status !== step.expected)
    throw new Error(`${step.operation}: ${answer.status} instead of ${step.expected}: ${answer.body}`);
  step.read?.(login, answer);
}

export function newLogin(email: string, redirectUri: string, token = ''): Login {
  return { email, redirectUri, token, code: '', link: '' };
}

export const toEmail = (index: number): string => `bench.${index}@example.com`;
