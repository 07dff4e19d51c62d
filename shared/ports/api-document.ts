export interface ApiDocument {
  /** Returns the OpenAPI document without `servers`. The document is generated from the operations table. */
  read(): Promise<ApiDocumentObject>;
}

export type ApiDocumentObject = Readonly<Record<string, unknown>> & { readonly openapi: string };
