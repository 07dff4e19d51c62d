import type { GenericSchema, InferOutput } from 'valibot';
import type { ErrorDialect, ErrorKey } from './errors/catalogue.ts';
import type { AuditEvent, AuditFacts } from './ports/audit.ts';
import type { Application, Client, ClientOfTenant, Tenant } from './ports/directory.ts';
import type { OperatorRole } from './ports/operators.ts';
import type { Use, Using } from './ports/uses.ts';
import type { Unguarded } from './records/guard.ts';

/** The content of a request's one log line. Never a secret. */
export interface AuditContext extends AuditFacts {
  /** The error on a page or in a redirect, instead of the `ok` that the status implies. */
  readonly result?: ErrorKey;
}

/**
 * The credential that a caller presents: none, the token of an application's client (`client`) or of a management client
 * (`admin`), a user's token, the token of an operator with the tenant that they name, that of an organization's administrator
 * who logged in to it, a client's secret, the login cookie, or no more than the origin of its page, which the use case has to find among those of the application.
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

/** The least role that suffices; `guarded`: admin, a login of the last ten minutes, and all admins of the tenant are told. */
export type OperatorNeed = OperatorRole | 'guarded';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export interface OperationInput {
  readonly json?: GenericSchema;
  readonly form?: GenericSchema;
  readonly query?: GenericSchema;
  readonly path?: GenericSchema;
}

/** The form of a successful answer: a JSON body by schema, an HTML page, a redirect, a file of JSON to keep, or nothing. */
export type OperationOutput =
  | { readonly status: 200 | 201; readonly json: GenericSchema; readonly public?: boolean }
  | { readonly status: 200; readonly html: true }
  | { readonly status: 302 | 303; readonly html?: true; readonly file?: true }
  /** `orLater`: 202 when a job goes on with what was too long for the call. */
  | { readonly status: 204; readonly orLater?: true };

/** An operation as its area writes it: plain data. */
export interface OperationRow {
  /** Where the operation is specified: a letter of the specification, or the name of its group. */
  readonly section: string;
  /** Several: one function answers each in the same way. GET reads the query, POST the form if the row has one. */
  readonly method: Method | readonly Method[];
  readonly path: string | readonly string[];
  /**
   * The operation's name in logs, timelines and webhooks, as stack/name; absent: its stack in functions/operations.ts, and the
   * row's name with hyphens. Its function is `otl-<environment>-<stack>-<name>`. Fixed: a change replaces deployed functions.
   */
  readonly event?: string;
  /** The file below functions/, without its ending, that exports the use case under the row's name in the table. */
  readonly file: string;
  readonly reach: 'api' | 'browser';
  /** Browsers reach it through the HTTP API: the edge has 25 behaviors, and those are for logins. */
  readonly behindApi?: true;
  readonly summary: string;
  /** For the API document: what it does, needs and answers, and its typical error, in two to four sentences. */
  readonly description?: string;
  /** ID of the operation in the API document; absent: the row's name in the table. */
  readonly operationId?: string;
  /** Several: any one suffices. */
  readonly auth: Auth | readonly Auth[];
  /** Which operators may call, where `auth` names them. */
  readonly operators?: OperatorNeed;
  /** Any one suffices; `[appId]` stands for the caller's application. Only for client tokens. */
  readonly permissions?: readonly string[];
  readonly cors: 'none' | 'any' | 'application';
  readonly input: OperationInput;
  readonly output: OperationOutput;
  readonly dialect: ErrorDialect;
  /** What the use case itself throws. `errorsOf` adds what `auth` and `input` imply. */
  readonly errors: readonly ErrorKey[];
  /** Why operators call it without guard. Each row that takes operators is `guarded` or says this. */
  readonly unguarded?: Unguarded;
  /** The security event of a success (ASVS V16). */
  readonly audit?: AuditEvent;
  /** `audit` holds only if the use case names a session: an answer without one looks the same. */
  readonly auditNeedsSession?: true;
  /** The operation checks a credential: a refusal is the security event `login.failed`. */
  readonly takesCredential?: true;
  /**
   * New code gets a tenth of the requests for the first five minutes. Only for the path of a login: other operations have too
   * few requests to show a mistake, and each canary costs an alias, a version and a deployment group.
   */
  readonly canary?: true;
  /** SPEC A1: the token of a deleted application is 404. Elsewhere it is a bad token. */
  readonly tellsDeletedApplication?: true;
  /**
   * Takes tokens of users that clients by document hold, and looks for their consent. All other operations refuse them, whatever
   * their audience: a consent to an agent must not let it bind a passkey of its own.
   */
  readonly takesConsented?: true;
  /** Reads the client of a token afresh, as administration does: what a revoked token did here would last. */
  readonly freshClient?: true;
  /**
   * What a browser's error page says of a bad request, an export of shared/flows/browser/error-page.ts. Every row that
   * browsers open has one; absent: JSON.
   */
  readonly errorPage?: 'request' | 'login' | 'link';
  /** The verbs of ports that the use case calls. Bundle and IAM policy hold these and what `auth` implies: http/effective-ports.ts. */
  readonly uses: readonly Use[];
}

/** One row of the table of operations, with its names: read by CDK, the local server, OpenAPI and the contract tests. */
export interface Operation extends OperationRow {
  readonly event: string;
  readonly operationId: string;
  /** What it takes of an operator to give a field of the body, where that is more than the call takes. */
  readonly fieldRoles?: Readonly<Record<string, OperatorNeed>>;
  /** The fields of the answer that are masked for operators below admin, as paths with `*` for each of a list. */
  readonly masked?: Readonly<Record<string, 'address' | 'left out' | 'called'>>;
}

export type PortsOf<Row extends OperationRow> = Using<Row['uses'][number]>;

type Parsed<Schema> = Schema extends GenericSchema ? InferOutput<Schema> : undefined;

export interface ClientCaller extends ClientOfTenant {
  readonly kind: 'client';
  /** The permissions in the token that the client's record still has. */
  readonly permissions: readonly string[];
}
export interface ManagementCaller {
  readonly kind: 'admin';
  readonly client: Client;
  readonly tenant: Tenant;
  readonly operator?: undefined;
}
/** A person of the operators' tenant, in the tenant that they name. */
export interface OperatorCaller {
  readonly kind: 'admin';
  readonly client?: undefined;
  readonly tenant: Tenant;
  readonly operator: {
    readonly userId: string;
    readonly role: OperatorRole;
    /** Epoch seconds. */
    readonly authTime: number;
    /**
     * Applies the guard to this call: all admins of the tenant are notified of it.
     * @throws `insufficient_user_authentication` if the login is older than ten minutes
     */
    readonly guard: () => void;
  };
}
export type AdminCaller = ManagementCaller | OperatorCaller;
/** The user and the claims of an access token. Times are epoch seconds. */
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
  /** The organization of the login; the roles are those of the membership. */
  readonly organizationId?: string;
  /** A hash that names the token's refresh family. */
  readonly familyClaim?: string;
  /** The consent that the token ends with: it is that of a client by document. */
  readonly consentId?: string;
  /** Claims that UserInfo shows to the token beside those of its scope. */
  readonly userInfoClaims: readonly string[];
  /** The thumbprint of the key that the token is bound to (RFC 9449 §6). */
  readonly dpopJkt?: string;
}

/** A user who administers the organization of their login. */
export interface OrgAdminCaller extends Omit<UserCaller, 'kind'> {
  readonly kind: 'org-admin';
  readonly organizationId: string;
  readonly tenant: Tenant;
}

/** Every kind of caller with a token. */
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
export type CallerOf<Row extends OperationRow> = CallerByAuth[AuthOf<Row>];

/** Settings of the environment, equal for every function. */
export interface Settings {
  /** `{base_url}`: the public address with its `/cis` prefix. */
  readonly baseUrl: string;
  readonly issuer: string;
  /** The origin of every page. */
  readonly browserOrigin: string;
  readonly defaultAudience: string;
  /** The origin of the operator console; empty: there is none. */
  readonly consoleOrigin: string;
  /** The `<vendor>` of `urn:<vendor>:…` values. */
  readonly vendor: string;
  readonly version: string;
  /** The resource URI of the token endpoint's identity-verification variant. Absent: there is no such variant. */
  readonly identityVerificationResource?: string;
  readonly mailFrom: string;
  readonly rateLimits: 'on' | 'off';
  /** The countries that SMS may go to, as ISO 3166-1 codes. */
  readonly smsCountries: readonly string[] | 'any';
  /** SHA-256, base64url, of the accepted edge secrets; `off` without an edge. */
  readonly edgeSecretHashes: readonly string[] | 'off';
  /** Whether clients may have their tokens signed by ES256. */
  readonly es256: boolean;
  /** For a developer's machine: social providers and webhooks may be on it, without TLS. */
  readonly loopback: boolean;
}

/** What an error page of this request shows, as soon as it is known. */
export interface ErrorPageFacts {
  application?: Application;
  uiLocales?: string | undefined;
}

/** A row of several methods reads either the query or the form of a request. */
type Either<Row extends OperationRow> = Row['method'] extends readonly Method[] ? undefined : never;

export interface InputOf<Row extends OperationRow> {
  readonly json: Parsed<Row['input']['json']>;
  readonly form: Parsed<Row['input']['form']> | Either<Row>;
  readonly query: Parsed<Row['input']['query']> | Either<Row>;
  readonly path: Parsed<Row['input']['path']>;
  readonly caller: CallerOf<Row>;
  readonly settings: Settings;
  readonly request: {
    readonly requestId: string;
    /** Epoch seconds of the request's arrival: every rule sees the same moment. */
    readonly now: number;
    readonly method: string;
    /** The requested path, decoded once, without the `/cis` prefix. */
    readonly path: string;
    /** The caller's network address as the outermost trusted hop sees it. */
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

/** The answer of a use case. Status and content type come from the row. */
export type AnswerOf<Row extends OperationRow> = Row['output'] extends { readonly json: GenericSchema }
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
  input: InputOf<Row>,
  ports: PortsOf<Row>,
) => Promise<AnswerOf<Row>>;
