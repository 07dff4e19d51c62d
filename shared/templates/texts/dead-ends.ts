import type { Language } from '../language.ts';

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

interface Words {
  readonly heading: string;
  readonly body: string;
  readonly hint: string;
}

/** Plain texts. */
export type DeadEnd = { readonly key: DeadEndKey } & Readonly<Record<Language, Words>>;

/** Plain texts. Durations include their unit. */
interface CommonWords {
  /** In place of a hint, where the end of the wait is known. */
  readonly retryIn: (wait: string) => string;
  readonly home: (app: string) => string;
  readonly requestId: string;
  /** For a logout that its request could not cause. */
  readonly signOut: string;
  /** Beside a detail for the makers of the application. */
  readonly report: string;
}

export const deadEndWords: Readonly<Record<Language, CommonWords>> = {
  en: {
    retryIn: (wait) => `Try again in ${wait}.`,
    home: (app) => `Go to ${app}`,
    requestId: 'Request ID',
    signOut: 'Sign out here',
    report: 'If this page comes back, tell its makers what stands below.',
  },
  es: {
    retryIn: (wait) => `Inténtalo de nuevo en ${wait}.`,
    home: (app) => `Ir a ${app}`,
    requestId: 'ID de la solicitud',
    signOut: 'Cerrar sesión aquí',
    report: 'Si esta página aparece otra vez, comunica a sus responsables lo que pone abajo.',
  },
  fr: {
    retryIn: (wait) => `Réessayez dans ${wait}.`,
    home: (app) => `Aller à ${app}`,
    requestId: 'Identifiant de la demande',
    signOut: 'Se déconnecter ici',
    report: 'Si cette page revient, transmettez à ses responsables ce qui figure ci-dessous.',
  },
  de: {
    retryIn: (wait) => `Versuchen Sie es in ${wait} erneut.`,
    home: (app) => `Weiter zu ${app}`,
    requestId: 'Anfrage-ID',
    signOut: 'Hier abmelden',
    report: 'Erscheint diese Seite wieder, teilen Sie dem Anbieter mit, was unten steht.',
  },
  ja: {
    retryIn: (wait) => `${wait}後にもう一度お試しください。`,
    home: (app) => `${app} に移動`,
    requestId: 'リクエストID',
    signOut: 'ここでログアウト',
    report: '同じページが表示される場合は、下記の内容を運営者にお知らせください。',
  },
  ar: {
    retryIn: (wait) => `حاول مرة أخرى بعد ${wait}.`,
    home: (app) => `الانتقال إلى ${app}`,
    requestId: 'معرّف الطلب',
    signOut: 'تسجيل الخروج هنا',
    report: 'إذا ظهرت هذه الصفحة مرة أخرى، فأخبر القائمين عليه بما هو مكتوب أدناه.',
  },
};
