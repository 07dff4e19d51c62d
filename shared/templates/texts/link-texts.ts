import type { Language } from '../language.ts';

interface PageTexts {
  readonly continueHeading: (app: string) => string;
  readonly continueBody: string;
  readonly continueButton: string;
  /** Before the host that the button leads to. */
  readonly continueTo: string;
  readonly continueWarning: string;
  /** Who is signed in, and as whom they go on, both masked. */
  readonly switchBody: (from: string, to: string) => string;
  readonly switchWarning: string;
}

export const pageTexts: Readonly<Record<Language, PageTexts>> = {
  en: {
    continueHeading: (app) => `Sign in to ${app}`,
    continueBody: 'You opened a sign-in link. Continue to finish signing in.',
    continueButton: 'Continue',
    continueTo: 'You will be taken to',
    continueWarning: 'Didn’t ask for this link? Just close this page.',
    switchBody: (from, to) => `You are signed in as ${from}. Continue to sign in as ${to} instead.`,
    switchWarning: 'Didn’t expect this? Just close this page.',
  },
  es: {
    continueHeading: (app) => `Inicia sesión en ${app}`,
    continueBody: 'Has abierto un enlace de acceso. Continúa para terminar de iniciar sesión.',
    continueButton: 'Continuar',
    continueTo: 'Irás a',
    continueWarning: '¿No has pedido este enlace? Cierra esta página.',
    switchBody: (from, to) => `Has iniciado sesión como ${from}. Continúa para iniciar sesión como ${to}.`,
    switchWarning: '¿No te lo esperabas? Cierra esta página.',
  },
  fr: {
    continueHeading: (app) => `Connexion à ${app}`,
    continueBody: 'Vous avez ouvert un lien de connexion. Continuez pour terminer la connexion.',
    continueButton: 'Continuer',
    continueTo: 'Vous serez dirigé vers',
    continueWarning: 'Vous n’avez pas demandé ce lien\u00a0? Fermez simplement cette page.',
    switchBody: (from, to) =>
      `Vous êtes connecté en tant que ${from}. Continuez pour vous connecter en tant que ${to}.`,
    switchWarning: 'Vous ne vous y attendiez pas\u00a0? Fermez simplement cette page.',
  },
  de: {
    continueHeading: (app) => `Bei ${app} anmelden`,
    continueBody: 'Sie haben einen Anmeldelink geöffnet. Fahren Sie fort, um die Anmeldung abzuschließen.',
    continueButton: 'Weiter',
    continueTo: 'Sie werden weitergeleitet zu',
    continueWarning: 'Sie haben diesen Link nicht angefordert? Schließen Sie einfach diese Seite.',
    switchBody: (from, to) =>
      `Sie sind als ${from} angemeldet. Fahren Sie fort, um sich stattdessen als ${to} anzumelden.`,
    switchWarning: 'Haben Sie das nicht erwartet? Schließen Sie einfach diese Seite.',
  },
  ja: {
    continueHeading: (app) => `${app} にログイン`,
    continueBody: 'ログイン用のリンクが開かれました。続行するとログインが完了します。',
    continueButton: '続行',
    continueTo: '移動先：',
    continueWarning: 'お心当たりがない場合は、このページを閉じてください。',
    switchBody: (from, to) => `${from} としてログインしています。続行すると ${to} としてログインします。`,
    switchWarning: 'お心当たりがない場合は、このページを閉じてください。',
  },
  ar: {
    continueHeading: (app) => `تسجيل الدخول إلى ${app}`,
    continueBody: 'لقد فتحت رابط تسجيل دخول. تابع لإكمال تسجيل الدخول.',
    continueButton: 'متابعة',
    continueTo: 'ستنتقل إلى',
    continueWarning: 'لم تطلب هذا الرابط؟ أغلق هذه الصفحة.',
    switchBody: (from, to) => `أنت مسجّل الدخول باسم ${from}. تابع لتسجيل الدخول باسم ${to} بدلًا منه.`,
    switchWarning: 'لم تكن تتوقع ذلك؟ أغلق هذه الصفحة.',
  },
};
