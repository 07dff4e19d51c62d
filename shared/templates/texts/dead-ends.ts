/** Why a browser gets a page that leads no further. */
export type DeadEndKey =
  | 'request_wrong'
  | 'redirect_not_allowed'
  | 'hint_broken'
  | 'not_found'
  | 'link_unknown'
  | 'login_expired'
  | 'wrong_browser'
  | 'code_elsewhere'
  | 'cookies_needed'
  | 'rate_limited'
  | 'server_error';

interface DeadEnd {
  readonly heading: string;
  readonly body: string;
  readonly hint: string;
}

/** Plain texts. Durations include their unit. */
export interface DeadEndTexts {
  readonly ends: Readonly<Record<DeadEndKey, DeadEnd>>;
  /** In place of a hint, where the end of the wait is known. */
  readonly retryIn: (wait: string) => string;
  readonly home: (app: string) => string;
  readonly requestId: string;
  /** For a logout that its request could not cause. */
  readonly signOut: string;
  /** Beside a detail for the makers of the application. */
  readonly report: string;
}
