import type { Language } from '../language.ts';

export interface NoticeText {
  /** Subject and heading. */
  readonly title: string;
  readonly bodyText: string;
}

export interface RecoveryTexts {
  readonly recovery_requested: (app: string) => NoticeText;
  readonly recovery_granted: (app: string) => NoticeText;
  readonly recovery_cancelled: (app: string) => NoticeText;
  readonly takesEffect: string;
  /** The footer of a notice with a link that stops the recovery. */
  readonly stopRecovery: string;
}

/** Notices of a recovery without the second factor. */
export const recoveryTexts: Readonly<Record<Language, RecoveryTexts>> = {
  en: {
    recovery_requested: (app) => ({
      title: `Recovery of your account at ${app}`,
      bodyText:
        'Someone who signed in to your account says that they cannot use the second factor. From the time below on, one factor is enough to add another.',
    }),
    recovery_granted: (app) => ({
      title: `Recovery of your account at ${app} was granted`,
      bodyText: 'From now on, one factor is enough to add another one to your account, for 3 days.',
    }),
    recovery_cancelled: (app) => ({
      title: `Recovery of your account at ${app} was stopped`,
      bodyText: 'It takes both factors again to add another one to your account.',
    }),
    takesEffect: 'Takes effect',
    stopRecovery: 'If this was you, there is nothing to do. If not, stop it with the link.',
  },
  es: {
    recovery_requested: (app) => ({
      title: `Recuperación de tu cuenta en ${app}`,
      bodyText:
        'Alguien que ha iniciado sesión en tu cuenta dice que no puede usar el segundo factor. A partir de la hora indicada, un factor bastará para añadir otro.',
    }),
    recovery_granted: (app) => ({
      title: `Se ha concedido la recuperación de tu cuenta en ${app}`,
      bodyText: 'Desde ahora y durante 3 días, un factor basta para añadir otro a tu cuenta.',
    }),
    recovery_cancelled: (app) => ({
      title: `Se ha detenido la recuperación de tu cuenta en ${app}`,
      bodyText: 'Vuelven a hacer falta los dos factores para añadir otro a tu cuenta.',
    }),
    takesEffect: 'A partir de',
    stopRecovery: 'Si has sido tú, no tienes que hacer nada. Si no, detenla con el enlace.',
  },
  fr: {
    recovery_requested: (app) => ({
      title: `Récupération de votre compte chez ${app}`,
      bodyText:
        'Quelqu’un qui s’est connecté à votre compte signale ne pas pouvoir utiliser le second facteur. À partir de l’heure ci-dessous, un seul facteur suffira pour en ajouter un autre.',
    }),
    recovery_granted: (app) => ({
      title: `La récupération de votre compte chez ${app} a été accordée`,
      bodyText:
        'Dès maintenant et pendant 3 jours, un seul facteur suffit pour en ajouter un autre à votre compte.',
    }),
    recovery_cancelled: (app) => ({
      title: `La récupération de votre compte chez ${app} a été arrêtée`,
      bodyText: 'Les deux facteurs sont à nouveau nécessaires pour en ajouter un autre à votre compte.',
    }),
    takesEffect: 'À partir de',
    stopRecovery: 'Si c’était vous, vous n’avez rien à faire. Sinon, arrêtez-la avec le lien.',
  },
  de: {
    recovery_requested: (app) => ({
      title: `Wiederherstellung Ihres Kontos bei ${app}`,
      bodyText:
        'Jemand, der sich bei Ihrem Konto angemeldet hat, gibt an, den zweiten Faktor nicht nutzen zu können. Ab der unten genannten Zeit genügt ein Faktor, um einen weiteren hinzuzufügen.',
    }),
    recovery_granted: (app) => ({
      title: `Die Wiederherstellung Ihres Kontos bei ${app} wurde gewährt`,
      bodyText: 'Ab jetzt genügt 3 Tage lang ein Faktor, um Ihrem Konto einen weiteren hinzuzufügen.',
    }),
    recovery_cancelled: (app) => ({
      title: `Die Wiederherstellung Ihres Kontos bei ${app} wurde gestoppt`,
      bodyText: 'Um Ihrem Konto einen Faktor hinzuzufügen, sind wieder beide Faktoren nötig.',
    }),
    takesEffect: 'Gilt ab',
    stopRecovery: 'Wenn Sie das waren, brauchen Sie nichts zu tun. Wenn nicht, stoppen Sie sie mit dem Link.',
  },
  ja: {
    recovery_requested: (app) => ({
      title: `${app} のアカウント復旧の申請`,
      bodyText:
        'お客様のアカウントにログインした方から、二要素目を使えないとの申請がありました。下記の日時以降は、一つの要素だけで別の要素を追加できるようになります。',
    }),
    recovery_granted: (app) => ({
      title: `${app} のアカウント復旧が承認されました`,
      bodyText: '今から3日間、一つの要素だけでアカウントに別の要素を追加できます。',
    }),
    recovery_cancelled: (app) => ({
      title: `${app} のアカウント復旧が中止されました`,
      bodyText: 'アカウントに要素を追加するには、再び二つの要素が必要です。',
    }),
    takesEffect: '有効になる日時',
    stopRecovery:
      'ご本人による操作であれば、対応は不要です。お心当たりがない場合は、リンクを開いて中止してください。',
  },
  ar: {
    recovery_requested: (app) => ({
      title: `استرداد حسابك لدى ${app}`,
      bodyText:
        'يقول شخص سجّل الدخول إلى حسابك إنه لا يستطيع استخدام العامل الثاني. ابتداءً من الوقت أدناه، يكفي عامل واحد لإضافة عامل آخر.',
    }),
    recovery_granted: (app) => ({
      title: `مُنح استرداد حسابك لدى ${app}`,
      bodyText: 'من الآن ولمدة 3 أيام، يكفي عامل واحد لإضافة عامل آخر إلى حسابك.',
    }),
    recovery_cancelled: (app) => ({
      title: `أُوقف استرداد حسابك لدى ${app}`,
      bodyText: 'عاد العاملان معًا مطلوبين لإضافة عامل آخر إلى حسابك.',
    }),
    takesEffect: 'يسري من',
    stopRecovery: 'إذا كنت أنت، فلا يلزمك فعل شيء. وإلا فأوقفه بالرابط.',
  },
};
