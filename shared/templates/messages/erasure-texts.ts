import type { Language } from '../language.ts';
import type { NoticeText } from './recovery-texts.ts';

export interface ErasureTexts {
  readonly erasure_requested: (app: string) => NoticeText;
  readonly erasure_cancelled: (app: string) => NoticeText;
  readonly erasedAt: string;
  readonly keepText: string;
  /** The footer of a notice with a link that undoes the deletion. */
  readonly keepFooterText: string;
}

/** Notices of an account that its owner has deleted. */
export const erasureTexts: Readonly<Record<Language, ErasureTexts>> = {
  en: {
    erasure_requested: (app) => ({
      title: `Your account at ${app} will be deleted`,
      bodyText:
        'Your account is closed: nobody can sign in to it. At the time below it is deleted for good, with everything in it.',
    }),
    erasure_cancelled: (app) => ({
      title: `Your account at ${app} is kept`,
      bodyText: 'Your account is not deleted. You can sign in as before.',
    }),
    erasedAt: 'Deleted for good',
    keepText: 'Keep my account',
    keepFooterText: 'If you want this, there is nothing to do. If not, use the link within 7 days.',
  },
  es: {
    erasure_requested: (app) => ({
      title: `Tu cuenta en ${app} se va a eliminar`,
      bodyText:
        'Tu cuenta está cerrada: nadie puede iniciar sesión en ella. A la hora indicada se eliminará para siempre, con todo lo que contiene.',
    }),
    erasure_cancelled: (app) => ({
      title: `Tu cuenta en ${app} se conserva`,
      bodyText: 'Tu cuenta no se elimina. Puedes iniciar sesión como antes.',
    }),
    erasedAt: 'Eliminación definitiva',
    keepText: 'Conservar mi cuenta',
    keepFooterText:
      'Si es lo que quieres, no tienes que hacer nada. Si no, usa el enlace en un plazo de 7 días.',
  },
  fr: {
    erasure_requested: (app) => ({
      title: `Votre compte chez ${app} va être supprimé`,
      bodyText:
        'Votre compte est fermé, et personne ne peut s’y connecter. À l’heure ci-dessous, il sera supprimé définitivement, avec tout ce qu’il contient.',
    }),
    erasure_cancelled: (app) => ({
      title: `Votre compte chez ${app} est conservé`,
      bodyText: 'Votre compte n’est pas supprimé. Vous pouvez vous connecter comme avant.',
    }),
    erasedAt: 'Suppression définitive',
    keepText: 'Conserver mon compte',
    keepFooterText:
      'Si c’est ce que vous voulez, vous n’avez rien à faire. Sinon, utilisez le lien dans les 7 jours.',
  },
  de: {
    erasure_requested: (app) => ({
      title: `Ihr Konto bei ${app} wird gelöscht`,
      bodyText:
        'Ihr Konto ist geschlossen: Niemand kann sich dort anmelden. Zum Zeitpunkt unten wird es endgültig gelöscht, mit allem, was dazu gehört.',
    }),
    erasure_cancelled: (app) => ({
      title: `Ihr Konto bei ${app} bleibt bestehen`,
      bodyText: 'Ihr Konto wird nicht gelöscht. Sie können sich anmelden wie zuvor.',
    }),
    erasedAt: 'Endgültig gelöscht',
    keepText: 'Konto behalten',
    keepFooterText:
      'Wenn Sie das wollen, müssen Sie nichts tun. Wenn nicht, nutzen Sie den Link innerhalb von 7 Tagen.',
  },
  ja: {
    erasure_requested: (app) => ({
      title: `${app} のアカウントは削除されます`,
      bodyText:
        'アカウントは閉鎖され、どなたもログインできません。下記の日時に、すべての情報とともに完全に削除されます。',
    }),
    erasure_cancelled: (app) => ({
      title: `${app} のアカウントは削除されません`,
      bodyText: 'アカウントの削除は取り消されました。これまでどおりログインできます。',
    }),
    erasedAt: '完全に削除される日時',
    keepText: 'アカウントを残す',
    keepFooterText:
      'このまま削除する場合は、何もする必要はありません。残す場合は、7日以内にリンクをご利用ください。',
  },
  ar: {
    erasure_requested: (app) => ({
      title: `سيُحذف حسابك لدى ${app}`,
      bodyText:
        'حسابك مغلق: لا يستطيع أحد تسجيل الدخول إليه. في الوقت المذكور أدناه يُحذف نهائيًا مع كل ما فيه.',
    }),
    erasure_cancelled: (app) => ({
      title: `حسابك لدى ${app} باقٍ`,
      bodyText: 'لن يُحذف حسابك. يمكنك تسجيل الدخول كما في السابق.',
    }),
    erasedAt: 'الحذف النهائي',
    keepText: 'الاحتفاظ بحسابي',
    keepFooterText: 'إذا كان هذا ما تريده فلا يلزمك فعل شيء. وإلا فاستخدم الرابط خلال 7 أيام.',
  },
};
