export interface ApiRequest {
  readonly method: string;
  /** Path of the API operation below the base URL, with the query string. */
  readonly path: string;
  readonly json?: object | undefined;
}

/** API of one tenant, called as a client or as a logged-in person. */
export interface Api {
  readonly baseUrl: string;
  /** Sends a request and returns the parsed response body. Throws `ApiRefusal`, `RefusedError`. */
  readonly call: (request: ApiRequest) => Promise<unknown>;
}
