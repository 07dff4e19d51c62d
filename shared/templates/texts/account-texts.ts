import type { Language } from '../language.ts';

interface AccountTexts {
  readonly heading: string;
  readonly scope: (tenant: string) => string;
  readonly back: (app: string) => string;
  readonly done: string;
  readonly expired: string;
  readonly confirmed: string;
  readonly refused: (app: string) => string;
  readonly hint: string;
  readonly signIn: string;
  readonly signInBody: string;
  readonly details: string;
  readonly name: string;
  readonly email: string;
  readonly phone: string;
  readonly unconfirmed: string;
  readonly passkeys: string;
  readonly noPasskeys: string;
  readonly unnamed: string;
  readonly deviceKeys: string;
  readonly identities: string;
  readonly added: (date: string) => string;
  readonly used: (date: string) => string;
  readonly sessions: string;
  readonly thisBrowser: string;
  readonly since: (date: string) => string;
  readonly endSession: string;
  readonly endOthers: string;
  readonly activity: string;
  readonly noActivity: string;
}

/** The account page. */
export const accountTexts: Readonly<Record<Language, AccountTexts>> = {
  en: {
    heading: 'Your account',
    scope: (tenant) => `It is yours at every application of ${tenant}.`,
    back: (app) => `Back to ${app}`,
    done: 'Done.',
    expired: 'This page was too old. Please try again.',
    confirmed: 'Thanks, it’s you. You can make your change now.',
    refused: (app) =>
      `Nothing was changed, because you did not confirm that it’s you. If you can’t do that here, contact ${app}.`,
    hint: 'Before a change we may ask you to confirm that it’s you.',
    signIn: 'Sign in',
    signInBody: 'Sign in to see your account.',
    details: 'Name and addresses',
    name: 'Name',
    email: 'Email',
    phone: 'Phone',
    unconfirmed: 'not confirmed',
    passkeys: 'Passkeys',
    noPasskeys: 'You have none.',
    unnamed: 'Passkey',
    deviceKeys: 'Devices that approve',
    identities: 'Connected accounts',
    added: (date) => `Added on ${date}`,
    used: (date) => `Last used on ${date}`,
    sessions: 'Where you are signed in',
    thisBrowser: 'This browser',
    since: (date) => `Since ${date}`,
    endSession: 'Sign out there',
    endOthers: 'Sign out everywhere else',
    activity: 'What happened lately',
    noActivity: 'Nothing yet.',
  },
  es: {
    heading: 'Tu cuenta',
    scope: (tenant) => `Es tuya en todas las aplicaciones de ${tenant}.`,
    back: (app) => `Volver a ${app}`,
    done: 'Hecho.',
    expired: 'La página era demasiado antigua. Inténtalo de nuevo.',
    confirmed: 'Gracias, eres tú. Ya puedes hacer el cambio.',
    refused: (app) =>
      `No se ha cambiado nada, porque no has confirmado que eres tú. Si no puedes hacerlo aquí, contacta con ${app}.`,
    hint: 'Antes de un cambio podemos pedirte que confirmes que eres tú.',
    signIn: 'Iniciar sesión',
    signInBody: 'Inicia sesión para ver tu cuenta.',
    details: 'Nombre y direcciones',
    name: 'Nombre',
    email: 'Correo electrónico',
    phone: 'Teléfono',
    unconfirmed: 'sin confirmar',
    passkeys: 'Llaves de acceso',
    noPasskeys: 'No tienes ninguna.',
    unnamed: 'Llave de acceso',
    deviceKeys: 'Dispositivos que aprueban',
    identities: 'Cuentas conectadas',
    added: (date) => `Añadida el ${date}`,
    used: (date) => `Último uso el ${date}`,
    sessions: 'Dónde has iniciado sesión',
    thisBrowser: 'Este navegador',
    since: (date) => `Desde el ${date}`,
    endSession: 'Cerrar esa sesión',
    endOthers: 'Cerrar todas las demás sesiones',
    activity: 'Lo que ha pasado últimamente',
    noActivity: 'Nada todavía.',
  },
  fr: {
    heading: 'Votre compte',
    scope: (tenant) => `Il vaut pour toutes les applications de ${tenant}.`,
    back: (app) => `Retour à ${app}`,
    done: 'C’est fait.',
    expired: 'La page était trop ancienne. Veuillez réessayer.',
    confirmed: 'Merci, c’est bien vous. Vous pouvez maintenant faire la modification.',
    refused: (app) =>
      `Rien n’a été modifié, car vous n’avez pas confirmé votre identité. Si vous ne pouvez pas le faire ici, contactez ${app}.`,
    hint: 'Avant une modification, nous pouvons vous demander de confirmer votre identité.',
    signIn: 'Se connecter',
    signInBody: 'Connectez-vous pour voir votre compte.',
    details: 'Nom et adresses',
    name: 'Nom',
    email: 'Adresse e-mail',
    phone: 'Téléphone',
    unconfirmed: 'non confirmée',
    passkeys: 'Clés d’accès',
    noPasskeys: 'Vous n’en avez aucune.',
    unnamed: 'Clé d’accès',
    deviceKeys: 'Appareils qui approuvent',
    identities: 'Comptes associés',
    added: (date) => `Ajout le ${date}`,
    used: (date) => `Dernière utilisation le ${date}`,
    sessions: 'Où vous êtes connecté',
    thisBrowser: 'Ce navigateur',
    since: (date) => `Depuis le ${date}`,
    endSession: 'Déconnecter',
    endOthers: 'Se déconnecter partout ailleurs',
    activity: 'Activité récente',
    noActivity: 'Rien pour l’instant.',
  },
  de: {
    heading: 'Ihr Konto',
    scope: (tenant) => `Es gilt für alle Anwendungen von ${tenant}.`,
    back: (app) => `Zurück zu ${app}`,
    done: 'Erledigt.',
    expired: 'Die Seite war zu alt. Bitte versuchen Sie es noch einmal.',
    confirmed: 'Danke, Sie sind es. Sie können die Änderung jetzt vornehmen.',
    refused: (app) =>
      `Nichts wurde geändert, weil Sie nicht bestätigt haben, dass Sie es sind. Wenn das hier nicht geht, wenden Sie sich an ${app}.`,
    hint: 'Vor einer Änderung bitten wir Sie vielleicht zu bestätigen, dass Sie es sind.',
    signIn: 'Anmelden',
    signInBody: 'Melden Sie sich an, um Ihr Konto zu sehen.',
    details: 'Name und Adressen',
    name: 'Name',
    email: 'E-Mail',
    phone: 'Telefon',
    unconfirmed: 'nicht bestätigt',
    passkeys: 'Passkeys',
    noPasskeys: 'Sie haben keine.',
    unnamed: 'Passkey',
    deviceKeys: 'Geräte, die freigeben',
    identities: 'Verbundene Konten',
    added: (date) => `Hinzugefügt am ${date}`,
    used: (date) => `Zuletzt benutzt am ${date}`,
    sessions: 'Wo Sie angemeldet sind',
    thisBrowser: 'Dieser Browser',
    since: (date) => `Seit ${date}`,
    endSession: 'Dort abmelden',
    endOthers: 'Überall sonst abmelden',
    activity: 'Was zuletzt geschah',
    noActivity: 'Noch nichts.',
  },
  ja: {
    heading: 'アカウント',
    scope: (tenant) => `${tenant} のすべてのアプリで共通です。`,
    back: (app) => `${app} に戻る`,
    done: '完了しました。',
    expired: 'ページの有効期限が切れていました。もう一度お試しください。',
    confirmed: 'ご本人と確認できました。変更を続けてください。',
    refused: (app) =>
      `ご本人と確認できなかったため、何も変更されていません。ここで確認できない場合は、${app} にご連絡ください。`,
    hint: '変更の前に、ご本人の確認をお願いすることがあります。',
    signIn: 'ログイン',
    signInBody: 'アカウントを表示するには、ログインしてください。',
    details: '名前と連絡先',
    name: '名前',
    email: 'メールアドレス',
    phone: '電話番号',
    unconfirmed: '未確認',
    passkeys: 'パスキー',
    noPasskeys: 'ありません。',
    unnamed: 'パスキー',
    deviceKeys: '承認用のデバイス',
    identities: '連携アカウント',
    added: (date) => `${date} に追加`,
    used: (date) => `最終使用：${date}`,
    sessions: 'ログイン中の場所',
    thisBrowser: 'このブラウザ',
    since: (date) => `${date} から`,
    endSession: 'ログアウトする',
    endOthers: '他のすべてからログアウトする',
    activity: '最近のできごと',
    noActivity: 'まだありません。',
  },
  ar: {
    heading: 'حسابك',
    scope: (tenant) => `هو حسابك في جميع تطبيقات ${tenant}.`,
    back: (app) => `العودة إلى ${app}`,
    done: 'تم.',
    expired: 'كانت هذه الصفحة قديمة جدًا. يرجى المحاولة مرة أخرى.',
    confirmed: 'شكرًا، تأكدنا من هويتك. يمكنك الآن إجراء التغيير.',
    refused: (app) => `لم يتغيّر شيء لأنك لم تؤكد هويتك. إذا لم تستطع ذلك هنا، فتواصل مع ${app}.`,
    hint: 'قد نطلب منك تأكيد هويتك قبل أي تغيير.',
    signIn: 'تسجيل الدخول',
    signInBody: 'سجّل الدخول لعرض حسابك.',
    details: 'الاسم والعناوين',
    name: 'الاسم',
    email: 'البريد الإلكتروني',
    phone: 'الهاتف',
    unconfirmed: 'غير مؤكَّد',
    passkeys: 'مفاتيح المرور',
    noPasskeys: 'ليس لديك أي منها.',
    unnamed: 'مفتاح مرور',
    deviceKeys: 'أجهزة توافق باسمك',
    identities: 'حسابات مرتبطة',
    added: (date) => `أُضيف في ${date}`,
    used: (date) => `آخر استخدام في ${date}`,
    sessions: 'أين سجّلت الدخول',
    thisBrowser: 'هذا المتصفح',
    since: (date) => `منذ ${date}`,
    endSession: 'تسجيل الخروج هناك',
    endOthers: 'تسجيل الخروج من كل مكان آخر',
    activity: 'ما حدث مؤخرًا',
    noActivity: 'لا شيء بعد.',
  },
};
