export interface ApiRequest {
  readonly method: string;
  /** With its query, below the base URL. */
  readonly path: string;
  readonly json?: object | undefined;
}

/** The API of one tenant, called as a client or as a person. */
export interface Api {
  readonly baseUrl: string;
  /** Errors: `ApiRefusal`, `RefusedError`. */
  readonly call: (request: ApiRequest) => Promise<unknown>;
}
