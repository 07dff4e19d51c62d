import type { GenericSchema, InferOutput } from 'valibot';
import type { AreaName, DeployedAreas } from './domain/basis/areas.ts';
import type { ErrorDialect, ErrorKey } from './errors/catalogue.ts';
import type { AuditEvent, AuditFacts } from './ports/audit.ts';
import type { Application, Client, ClientOfTenant, Tenant } from './ports/directory.ts';
import type { OperatorRole } from './ports/operators.ts';
import type { PortMethod, PortsWith } from './ports/uses.ts';
import type { Unguarded } from './records/guard.ts';

/** Content of the single log line of a request. It never contains a secret. */
export interface AuditContext extends AuditFacts {
  /** Error key that a page or a redirect reports. Without this field, the log would show the result `ok`. */
  readonly result?: ErrorKey;
}

/**
 * Credential with which a caller authenticates:
 * - `none`: no credential
 * - `client`, `admin`: token of an application's client, or of a management client
 * - `user`, `org-admin`: token of a user, or of an organization administrator who logged in to that organization
 * - `operator`: token of an operator, for the tenant that the request names
 * - `client-secret`: secret of a client
 * - `login-cookie`: cookie of a browser's session
 * - `origin`: only the origin of the page; the use case must check that the origin belongs to the application
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

/**
 * Lowest operator role that is sufficient. `guarded`: an admin who logged in at most 10 minutes ago. All admins are notified.
 */
export type OperatorNeed = OperatorRole | 'guarded';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export interface OperationInput {
  readonly json?: GenericSchema;
  readonly form?: GenericSchema;
  readonly query?: GenericSchema;
  readonly path?: GenericSchema;
}

/** Form of a successful response: a JSON body with its schema, an HTML page, a redirect, a JSON file to save, or no content. */
export type OperationOutput =
  | { readonly status: 200 | 201; readonly json: GenericSchema; readonly public?: boolean }
  | { readonly status: 200; readonly html: true }
  | { readonly status: 302 | 303; readonly html?: true; readonly file?: true }
  /** Response without content. `orLater`: the status is 202 if a job continues work that would take too long for the call. */
  | { readonly status: 204; readonly orLater?: true };

/** Operation row: plain data that defines one operation of the API or the pages. Each area's directory contains its rows. */
export interface OperationRow {
  /** Section that specifies the operation: a letter of SPEC.md, or the name of a group of operations. */
  readonly section: string;
  /**
   * HTTP method. If an operation has several methods, GET reads its parameters from the query, and POST from the form if the
   * row defines one.
   */
  readonly method: Method | readonly Method[];
  /** Path or paths of the operation. Each is served under `/cis` and at the root. */
  readonly path: string | readonly string[];
  /**
   * Name of the operation in logs, timelines and webhooks, as stack/name. The default is its stack in functions/operations.ts
   * and the operation row's name with hyphens. The Lambda function is called `otl-<environment>-<stack>-<name>`, so a changed
   * name would replace the deployed function.
   */
  readonly event?: string;
  /** File below functions/, without its extension, that exports the use case under the operation row's name. */
  readonly file: string;
  /**
   * `browser` if browsers request the operation. CloudFront then sends these requests to a function URL, unless `behindApi` is
   * set or another operation shares the path.
   */
  readonly reach: 'api' | 'browser';
  /**
   * True if browsers reach the operation through the HTTP API instead of a separate CloudFront behavior. CloudFront allows only
   * 25 behaviors, which are reserved for the operations of a login.
   */
  readonly behindApi?: true;
  readonly summary: string;
  /** Description for the API document in two to four sentences: purpose, requirements, response and typical error. */
  readonly description?: string;
  /** ID of the operation in the API document. Default: the name of the operation row. */
  readonly operationId?: string;
  /** Types of credentials that callers may use. One of them is sufficient. */
  readonly auth: Auth | readonly Auth[];
  /** Lowest operator role that may call the operation, if `auth` includes operators. */
  readonly operators?: OperatorNeed;
  /** Permissions for client tokens. One of them is sufficient. `[appId]` stands for the caller's application. */
  readonly permissions?: readonly string[];
  /** Web pages whose scripts may read the response: none, any, or the pages of the application. */
  readonly cors: 'none' | 'any' | 'application';
  readonly input: OperationInput;
  readonly output: OperationOutput;
  /** Format of error responses. functions/README.md describes the formats. */
  readonly dialect: ErrorDialect;
  /** Errors that the use case throws. `listErrors` adds the errors that `auth` and `input` imply. */
  readonly errors: readonly ErrorKey[];
  /** Reason why operators may call the operation although it is not `guarded`. Required in each such operation row. */
  readonly unguarded?: Unguarded;
  /** Security event of a successful call (ASVS V16). */
  readonly audit?: AuditEvent;
  /**
   * True if the event `audit` is recorded only when the use case reports a session ID. The response must not reveal whether
   * there was a session.
   */
  readonly auditNeedsSession?: true;
  /** Name of the path parameter with the ID of a managed record, for the log. */
  readonly record?: string;
  /** True if the operation checks a credential. A rejection is then recorded as the security event `login.failed`. */
  readonly checksCredential?: true;
  /**
   * True if requests go to a Lambda alias, so that new code receives only a tenth of them for the first five minutes. Only
   * operations of a login use this. Other operations have too few requests to reveal an error, and each canary costs an alias,
   * a version and a deployment group.
   */
  readonly canary?: true;
  /** True if a token whose application was deleted gets a 404 (SPEC A1). All other operations reject it as an invalid token. */
  readonly reportsDeletedApplication?: true;
  /**
   * True to accept users' tokens that were issued to clients with a metadata document, after a check of the user's consent. All
   * other operations reject such tokens, whatever their audience, because an agent could otherwise add its own passkey.
   */
  readonly acceptsConsentedTokens?: true;
  /** True to read the token's client uncached, because a call with a revoked token could have lasting effects here. */
  readonly freshClient?: true;
  /**
   * Error page that browsers get for a bad request: an export of shared/flows/browser/error-page.ts. Every operation that
   * browsers request has one. Without it, errors are returned as JSON.
   */
  readonly errorPage?: 'request' | 'login' | 'link';
  /** Port methods that the use case calls. The bundle and the IAM policy contain these and the methods that `auth` implies. */
  readonly uses: readonly PortMethod[];
}

/** Operation row with the names that are derived from its key. CDK, the local server, OpenAPI and tests read it. */
export interface Operation extends OperationRow {
  readonly area: AreaName;
  readonly event: string;
  readonly operationId: string;
  /**
   * Operator roles that are required to set certain fields of the body, if they exceed the role required for the call itself.
   */
  readonly fieldRoles?: Readonly<Record<string, OperatorNeed>>;
  /** Response fields that are masked for operators without the role admin. In a path, `*` stands for each element of a list. */
  readonly masked?: Readonly<Record<string, 'address' | 'left out' | 'called'>>;
}

export type OperationPorts<Row extends OperationRow> = PortsWith<Row['uses'][number]>;

type Parsed<Schema> = Schema extends GenericSchema ? InferOutput<Schema> : undefined;

export interface ClientCaller extends ClientOfTenant {
  readonly kind: 'client';
  /** Permissions of the token, without permissions that have since been removed from the client's record. */
  readonly permissions: readonly string[];
}
export interface ManagementCaller {
  readonly kind: 'admin';
  readonly client: Client;
  readonly tenant: Tenant;
  readonly operator?: undefined;
}
/** Caller that is an operator: a user of the operators' tenant who acts in the tenant that the request names. */
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
     * Function that marks this call as guarded. All admins of the tenant are notified of the call.
     * @throws `insufficient_user_authentication` if the operator's login is older than ten minutes
     */
    readonly guard: () => void;
  };
}
export type AdminCaller = ManagementCaller | OperatorCaller;
/** Claims of a user's access token. Times are epoch seconds. */
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
  /** Organization of the login. If it is set, `roles` are the roles of the membership. */
  readonly organizationId?: string;
  /** Hash that identifies the token's refresh family, which is the chain of refresh tokens of one login. */
  readonly familyClaim?: string;
  /** ID of the consent to a client with a metadata document. When the consent ends, the token is no longer valid. */
  readonly consentId?: string;
  /** Claims that UserInfo returns for the token, in addition to the claims of its scope. */
  readonly userInfoClaims: readonly string[];
  /** Thumbprint of the key to which the token is bound (RFC 9449 §6). */
  readonly dpopJkt?: string;
}

/** Caller that is a user who administers the organization of the current login. */
export interface OrgAdminCaller extends Omit<UserCaller, 'kind'> {
  readonly kind: 'org-admin';
  readonly organizationId: string;
  readonly tenant: Tenant;
}

/** Caller with a token of any type. */
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
  /** Areas of the API that are deployed. Paths of other areas are treated as unknown. */
  readonly areas: DeployedAreas;
  /** Origin of the operator console. Empty if there is no console. */
  readonly consoleOrigin: string;
  /** Vendor name in `urn:<vendor>:…` values. */
  readonly vendor: string;
  readonly version: string;
  /** Resource URI of the token endpoint's identity-verification variant. Undefined if this variant does not exist. */
  readonly identityVerificationResource?: string;
  readonly mailFrom: string;
  readonly rateLimits: 'on' | 'off';
  /** Countries to which SMS may be sent, as ISO 3166-1 codes. */
  readonly smsCountries: readonly string[] | 'any';
  /** SHA-256 hashes (base64url) of the accepted CloudFront secrets. `off` without CloudFront. */
  readonly edgeSecretHashes: readonly string[] | 'off';
  /** Binding of browser sessions to a key of the device: not offered, offered at login, or also required by the console. */
  readonly deviceBinding: 'off' | 'offered' | 'required';
  /** True if clients may have their tokens signed with ES256. */
  readonly es256: boolean;
  /** ID of the only application that may send magic links; its native apps can open them. Undefined if all may send links. */
  readonly linkApplicationId?: string;
  /** True on a developer's computer. Social providers and webhooks may then run on the same computer, without TLS. */
  readonly loopback: boolean;
  /** Seconds that a request may spend on a job that it has created. A background function does the remaining work. */
  readonly jobCallSeconds: number;
}

/** Data for the error page of a request. Each field is set as soon as its value is known. */
export interface ErrorPageFacts {
  application?: Application;
  uiLocales?: string | undefined;
}

/** Adds `undefined` to a type if the operation has several methods, because a request then has either a query or a form. */
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
    /** Time of the request in epoch seconds, so that every rule uses the same moment. */
    readonly now: number;
    readonly method: string;
    /** Requested path without the prefix `/cis`, decoded once. */
    readonly path: string;
    /** Network address of the caller, as the outermost trusted proxy sees it. */
    readonly sourceAddress: string;
    readonly userAgent?: string;
    readonly headers: Readonly<Record<string, string | undefined>>;
    readonly cookies: Readonly<Record<string, string>>;
    readonly errorPage: ErrorPageFacts;
  };
  readonly audit: (context: AuditContext) => void;
  /** Sets the origins that may read the response. Used by operations with `cors: 'application'`. */
  readonly allowOrigins: (origins: readonly string[]) => void;
}

type OutputBody<Row extends OperationRow> = Row['output'] extends { readonly json: infer Schema }
  ? Parsed<Schema>
  : undefined;

/** Headers and cookies that a response has in addition to those of every response. */
export interface ResponseExtras {
  readonly headers?: Readonly<Record<string, string>>;
  readonly cookies?: readonly string[];
}

/** Response of a use case. The operation row determines the response's status and content type. */
export type OperationAnswer<Row extends OperationRow> = Row['output'] extends { readonly json: GenericSchema }
  ? ResponseExtras & { readonly json: OutputBody<Row> }
  : Row['output'] extends { readonly status: 204 }
    ? {
        readonly none: true;
        readonly status?: 202 | 204;
        readonly headers?: Readonly<Record<string, string>>;
      }
    :
        | (ResponseExtras & { readonly redirect: string })
        | (ResponseExtras & { readonly html: string; readonly status?: 200 | 400 | 403 | 404 | 503 })
        | { readonly none: true; readonly status?: 200 | 204 }
        | (Row['output'] extends { readonly file: true }
            ? { readonly file: string; readonly json: unknown }
            : never);

export type UseCase<Row extends OperationRow> = (
  input: OperationRequest<Row>,
  ports: OperationPorts<Row>,
) => Promise<OperationAnswer<Row>>;
