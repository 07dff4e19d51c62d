import type { GenericSchema, InferOutput } from 'valibot';
import type { ErrorDialect, ErrorKey } from './errors/catalogue.ts';
import type { AuditEvent, AuditFacts } from './ports/audit.ts';
import type { Application, Client, ClientOfTenant, Tenant } from './ports/directory.ts';
import type { OperatorRole } from './ports/operators.ts';
import type { PortMethod, PortsWith } from './ports/uses.ts';
import type { Unguarded } from './records/guard.ts';

/** Content of a request's one log line. It never contains a secret. */
export interface AuditContext extends AuditFacts {
  /** Error key that is shown on a page or in a redirect, where the status implies `ok`. */
  readonly result?: ErrorKey;
}

/**
 * Credential of a caller: none, the token of an application's client (`client`) or a management client (`admin`), a user's
 * token, an operator's token with a tenant that the request names, the token of an organization's administrator who logged in
 * to that organization, a client's secret, the login cookie, or only the origin of the page. The use case must check that an
 * origin belongs to the application.
 */
export type Auth =
  | 'none'
  | 'client'
  | 'admin'
  | 'operator'
  | 'user'
  | 'org-admin'
  | 'client-secret'
  | 'login-cookie'
  | 'origin';

/** Lowest sufficient operator role. `guarded`: admin with a login in the last 10 minutes; its tenant's admins are notified. */
export type OperatorNeed = OperatorRole | 'guarded';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export interface OperationInput {
  readonly json?: GenericSchema;
  readonly form?: GenericSchema;
  readonly query?: GenericSchema;
  readonly path?: GenericSchema;
}

/** Form of a successful answer: a JSON body with its schema, an HTML page, a redirect, a JSON file to save, or nothing. */
export type OperationOutput =
  | { readonly status: 200 | 201; readonly json: GenericSchema; readonly public?: boolean }
  | { readonly status: 200; readonly html: true }
  | { readonly status: 302 | 303; readonly html?: true; readonly file?: true }
  /** Answer without content. `orLater`: 202 if a job continues what would take too long for the call. */
  | { readonly status: 204; readonly orLater?: true };

/** Operation as its area defines it: plain data. */
export interface OperationRow {
  /** Place of the operation's specification: a letter of SPEC.md or the name of a group. */
  readonly section: string;
  /** HTTP method. One function answers several in the same way: GET reads the query, POST the form if the row has one. */
  readonly method: Method | readonly Method[];
  /** Path or paths of the operation. Each is served under `/cis` and at the root. */
  readonly path: string | readonly string[];
  /**
   * Name of the operation in logs, timelines and webhooks, as stack/name. Default: its stack in functions/operations.ts and the
   * row's name with hyphens. Its function is `otl-<environment>-<stack>-<name>`. A change would replace deployed functions.
   */
  readonly event?: string;
  /** File below functions/, without its extension, that exports the use case under the row's name. */
  readonly file: string;
  /** `browser` for operations that a browser opens: those with a path of their own get a function URL. */
  readonly reach: 'api' | 'browser';
  /** True if browsers reach the operation through the HTTP API. The edge is limited to 25 behaviors, which logins need. */
  readonly behindApi?: true;
  readonly summary: string;
  /** Description for the API document: what it does, needs and answers and its typical error, in two to four sentences. */
  readonly description?: string;
  /** ID of the operation in the API document. Default: the row's name in the table. */
  readonly operationId?: string;
  /** Accepted credentials. Any one of several is sufficient. */
  readonly auth: Auth | readonly Auth[];
  /** Operators who may call, if `auth` includes them. */
  readonly operators?: OperatorNeed;
  /** Permissions for client tokens, any one of which is sufficient. `[appId]` stands for the caller's application. */
  readonly permissions?: readonly string[];
  /** Origins of pages that may read the answer: none, any, or those of the application. */
  readonly cors: 'none' | 'any' | 'application';
  readonly input: OperationInput;
  readonly output: OperationOutput;
  /** Format of errors, as functions/README.md lists them. */
  readonly dialect: ErrorDialect;
  /** Errors that the use case itself throws. `listErrors` adds those implied by `auth` and `input`. */
  readonly errors: readonly ErrorKey[];
  /** Reason why operators may call the operation without guard. Each row for operators is `guarded` or gives a reason. */
  readonly unguarded?: Unguarded;
  /** Security event of a successful call (ASVS V16). */
  readonly audit?: AuditEvent;
  /** True if `audit` applies only if the use case names a session, because the answer looks the same without one. */
  readonly auditNeedsSession?: true;
  /** The parameter of the path that names a managed record, for the log. */
  readonly record?: string;
  /** True if the operation checks a credential. A refusal is then the security event `login.failed`. */
  readonly takesCredential?: true;
  /**
   * True to send new code only a tenth of the requests for the first five minutes. Used only on the path of a login: other
   * operations have too few requests to reveal a mistake, and each canary costs an alias, a version and a deployment group.
   */
  readonly canary?: true;
  /** True to answer 404 to the token of a deleted application (SPEC A1). Other operations treat it as an invalid token. */
  readonly tellsDeletedApplication?: true;
  /**
   * True to accept users' tokens that were issued to document-identified clients, after a check of their consent. All other
   * operations refuse such tokens whatever their audience: an agent with a consent must not add its own passkey.
   */
  readonly takesConsented?: true;
  /** True to read a token's client uncached, as administration does: the effects of a revoked token would last here. */
  readonly freshClient?: true;
  /**
   * Error page that browsers get for a bad request, an export of shared/flows/browser/error-page.ts. Every row that browsers
   * open has one. Absent: JSON.
   */
  readonly errorPage?: 'request' | 'login' | 'link';
  /** Port methods that the use case calls. Bundle and IAM policy contain these and those that `auth` implies. */
  readonly uses: readonly PortMethod[];
}

/** Row of the table of operations with its names. CDK, the local server, OpenAPI and the contract tests read it. */
export interface Operation extends OperationRow {
  readonly event: string;
  readonly operationId: string;
  /** Requirements for operators who set a field of the body, if they exceed those of the call. */
  readonly fieldRoles?: Readonly<Record<string, OperatorNeed>>;
  /** Fields of the answer that are masked for operators below admin: paths with `*` for each element of a list. */
  readonly masked?: Readonly<Record<string, 'address' | 'left out' | 'called'>>;
}

export type OperationPorts<Row extends OperationRow> = PortsWith<Row['uses'][number]>;

type Parsed<Schema> = Schema extends GenericSchema ? InferOutput<Schema> : undefined;

export interface ClientCaller extends ClientOfTenant {
  readonly kind: 'client';
  /** Permissions in the token that the client's record still has. */
  readonly permissions: readonly string[];
}
export interface ManagementCaller {
  readonly kind: 'admin';
  readonly client: Client;
  readonly tenant: Tenant;
  readonly operator?: undefined;
}
/** Operator: a user of the operators' tenant, acting in the tenant that the request names. */
export interface OperatorCaller {
  readonly kind: 'admin';
  readonly client?: undefined;
  readonly tenant: Tenant;
  readonly operator: {
    readonly userId: string;
    readonly role: OperatorRole;
    /** Time of the operator's login in epoch seconds. */
    readonly authTime: number;
    /**
     * Applies the guard to this call: all admins of the tenant are notified of it.
     * @throws `insufficient_user_authentication` if the login is older than ten minutes
     */
    readonly guard: () => void;
  };
}
export type AdminCaller = ManagementCaller | OperatorCaller;
/** Claims of a user's access token. Times are in epoch seconds. */
export interface UserCaller {
  readonly kind: 'user';
  readonly userId: string;
  readonly sessionId: string;
  readonly tenantId: string;
  readonly applicationId: string;
  readonly clientId: string;
  readonly audience: readonly string[];
  readonly scope: string;
  readonly jti: string;
  readonly issuedAt: number;
  readonly expiresAt: number;
  readonly authTime: number;
  readonly acr?: string;
  readonly amr: readonly string[];
  readonly roles: readonly string[];
  /** Organization of the login. If set, `roles` are those of the membership. */
  readonly organizationId?: string;
  /** Hash that identifies the token's refresh family. */
  readonly familyClaim?: string;
  /** ID of the consent that the token ends with, for clients that are identified by a metadata document. */
  readonly consentId?: string;
  /** Claims that UserInfo returns for the token in addition to those of its scope. */
  readonly userInfoClaims: readonly string[];
  /** Thumbprint of the key that the token is bound to (RFC 9449 §6). */
  readonly dpopJkt?: string;
}

/** User who administers the organization of the current login. */
export interface OrgAdminCaller extends Omit<UserCaller, 'kind'> {
  readonly kind: 'org-admin';
  readonly organizationId: string;
  readonly tenant: Tenant;
}

/** Caller with a token, of any type. */
export type Caller = ClientCaller | AdminCaller | UserCaller | OrgAdminCaller;

interface CallerByAuth {
  readonly none: undefined;
  readonly client: ClientCaller;
  readonly admin: ManagementCaller;
  readonly operator: OperatorCaller;
  readonly user: UserCaller;
  readonly 'org-admin': OrgAdminCaller;
  readonly 'client-secret': undefined;
  readonly 'login-cookie': undefined;
  readonly origin: undefined;
}
type AuthOf<Row extends OperationRow> = Row['auth'] extends readonly Auth[]
  ? Row['auth'][number]
  : Row['auth'] & Auth;
export type OperationCaller<Row extends OperationRow> = CallerByAuth[AuthOf<Row>];

/** Settings of the environment, the same for all functions. */
export interface Settings {
  /** Public base URL (`{base_url}`) with its prefix `/cis`. */
  readonly baseUrl: string;
  readonly issuer: string;
  /** Origin of the hosted pages. */
  readonly browserOrigin: string;
  readonly defaultAudience: string;
  /** Origin of the operator console. Empty: there is no console. */
  readonly consoleOrigin: string;
  /** Vendor name in `urn:<vendor>:…` values. */
  readonly vendor: string;
  readonly version: string;
  /** Resource URI of the token endpoint's identity-verification variant. Absent: there is no such variant. */
  readonly identityVerificationResource?: string;
  readonly mailFrom: string;
  readonly rateLimits: 'on' | 'off';
  /** Countries that SMS may be sent to, as ISO 3166-1 codes. */
  readonly smsCountries: readonly string[] | 'any';
  /** SHA-256 hashes (base64url) of the accepted edge secrets; `off` without an edge. */
  readonly edgeSecretHashes: readonly string[] | 'off';
  /** True if clients may have their tokens signed with ES256. */
  readonly es256: boolean;
  /** True on a developer's machine: social providers and webhooks may be on it, without TLS. */
  readonly loopback: boolean;
  /** Seconds for which a request works on the job that it created. */
  readonly jobCallSeconds: number;
}

/** Facts that the error page of a request shows once they are known. */
export interface ErrorPageFacts {
  application?: Application;
  uiLocales?: string | undefined;
}

/** Undefined for rows with several methods, because a request has either a query or a form. */
type Either<Row extends OperationRow> = Row['method'] extends readonly Method[] ? undefined : never;

export interface OperationRequest<Row extends OperationRow> {
  readonly json: Parsed<Row['input']['json']>;
  readonly form: Parsed<Row['input']['form']> | Either<Row>;
  readonly query: Parsed<Row['input']['query']> | Either<Row>;
  readonly path: Parsed<Row['input']['path']>;
  readonly caller: OperationCaller<Row>;
  readonly settings: Settings;
  readonly request: {
    readonly requestId: string;
    /** Epoch seconds of the request's arrival, so that every rule sees the same moment. */
    readonly now: number;
    readonly method: string;
    /** Requested path, decoded once, without the prefix `/cis`. */
    readonly path: string;
    /** Network address of the caller, as the outermost trusted hop sees it. */
    readonly sourceAddress: string;
    readonly userAgent?: string;
    readonly headers: Readonly<Record<string, string | undefined>>;
    readonly cookies: Readonly<Record<string, string>>;
    readonly errorPage: ErrorPageFacts;
  };
  readonly audit: (context: AuditContext) => void;
  /** Sets the origins that may read the answer, on rows with `cors: 'application'`. */
  readonly allowOrigins: (origins: readonly string[]) => void;
}

type OutputBody<Row extends OperationRow> = Row['output'] extends { readonly json: infer Schema }
  ? Parsed<Schema>
  : undefined;

/** Answer of a use case. Status and content type come from the row. */
export type OperationAnswer<Row extends OperationRow> = Row['output'] extends { readonly json: GenericSchema }
  ? { readonly json: OutputBody<Row> }
  : Row['output'] extends { readonly status: 204 }
    ? {
        readonly none: true;
        readonly status?: 202 | 204;
        readonly headers?: Readonly<Record<string, string>>;
      }
    :
        | { readonly redirect: string; readonly cookies?: readonly string[] }
        | {
            readonly html: string;
            readonly status?: 200 | 400 | 403 | 404 | 503;
            readonly headers?: Readonly<Record<string, string>>;
            readonly cookies?: readonly string[];
          }
        | { readonly none: true; readonly status?: 200 | 204 }
        | (Row['output'] extends { readonly file: true }
            ? { readonly file: string; readonly json: unknown }
            : never);

export type UseCase<Row extends OperationRow> = (
  input: OperationRequest<Row>,
  ports: OperationPorts<Row>,
) => Promise<OperationAnswer<Row>>;
