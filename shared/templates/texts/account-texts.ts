import type { Language } from '../language.ts';

interface AccountTexts {
  readonly heading: string;
  readonly scope: (tenant: string) => string;
  readonly back: (app: string) => string;
  readonly done: string;
  readonly expired: string;
  readonly confirmed: string;
  readonly refused: (app: string) => string;
  /** Refused, because the application offers too few kinds. */
  readonly elsewhere: (app: string, place: string) => string;
  readonly anotherApp: string;
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
  readonly last: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly language: string;
  readonly noLanguage: string;
  readonly edit: string;
  readonly changeEmail: string;
  readonly changePhone: string;
  readonly save: string;
  readonly addPasskey: string;
  readonly rename: string;
  readonly newName: string;
  readonly remove: string;
  readonly disconnect: string;
  readonly connect: (provider: string) => string;
  readonly activity: string;
  readonly noActivity: string;
  readonly data: string;
  readonly dataBody: string;
  readonly download: string;
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
      `Nothing was changed: you did not confirm that it’s you, or what you gave belongs to another account. If it can’t be done here, contact ${app}.`,
    elsewhere: (app, place) =>
      `This can’t be done at ${app}, which offers too few of the ways that you sign in by. Do it on your account page at ${place}.`,
    anotherApp: 'another application',
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
    last: 'This is your only way to sign in. Add another one first.',
    firstName: 'First name',
    lastName: 'Last name',
    language: 'Language',
    noLanguage: 'As the browser has it',
    edit: 'Change name or language',
    changeEmail: 'Change or add an email address',
    changePhone: 'Change or add a phone number',
    save: 'Save',
    addPasskey: 'Add a passkey',
    rename: 'Rename',
    newName: 'New name',
    remove: 'Remove',
    disconnect: 'Disconnect',
    connect: (provider) => `Connect ${provider}`,
    activity: 'What happened lately',
    noActivity: 'Nothing yet.',
    data: 'Your data',
    dataBody: 'All that is kept about you, as a file.',
    download: 'Download',
  },
  es: {
    heading: 'Tu cuenta',
    scope: (tenant) => `Es tuya en todas las aplicaciones de ${tenant}.`,
    back: (app) => `Volver a ${app}`,
    done: 'Hecho.',
    expired: 'La página era demasiado antigua. Inténtalo de nuevo.',
    confirmed: 'Gracias, eres tú. Ya puedes hacer el cambio.',
    refused: (app) =>
      `No se ha cambiado nada: no has confirmado que eres tú, o lo que has dado pertenece a otra cuenta. Si no puedes hacerlo aquí, contacta con ${app}.`,
    elsewhere: (app, place) =>
      `Esto no se puede hacer en ${app}, que ofrece muy pocas de tus formas de iniciar sesión. Hazlo en la página de tu cuenta en ${place}.`,
    anotherApp: 'otra aplicación',
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
    last: 'Es tu única forma de iniciar sesión. Añade otra primero.',
    firstName: 'Nombre de pila',
    lastName: 'Apellidos',
    language: 'Idioma',
    noLanguage: 'El del navegador',
    edit: 'Cambiar nombre o idioma',
    changeEmail: 'Cambiar o añadir una dirección de correo',
    changePhone: 'Cambiar o añadir un número de teléfono',
    save: 'Guardar',
    addPasskey: 'Añadir una llave de acceso',
    rename: 'Cambiar el nombre',
    newName: 'Nombre nuevo',
    remove: 'Eliminar',
    disconnect: 'Desvincular',
    connect: (provider) => `Conectar ${provider}`,
    activity: 'Lo que ha pasado últimamente',
    noActivity: 'Nada todavía.',
    data: 'Tus datos',
    dataBody: 'Todo lo que se guarda sobre ti, en un archivo.',
    download: 'Descargar',
  },
  fr: {
    heading: 'Votre compte',
    scope: (tenant) => `Il vaut pour toutes les applications de ${tenant}.`,
    back: (app) => `Retour à ${app}`,
    done: 'C’est fait.',
    expired: 'La page était trop ancienne. Veuillez réessayer.',
    confirmed: 'Merci, c’est bien vous. Vous pouvez maintenant faire la modification.',
    refused: (app) =>
      `Rien n’a été modifié\u00a0: vous n’avez pas confirmé votre identité, ou ce que vous avez donné appartient à un autre compte. Si vous ne pouvez pas le faire ici, contactez ${app}.`,
    elsewhere: (app, place) =>
      `Ce n’est pas possible chez ${app}, qui propose trop peu de vos moyens de connexion. Faites-le sur la page de votre compte chez ${place}.`,
    anotherApp: 'une autre application',
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
    last: 'C’est votre seul moyen de connexion. Ajoutez-en d’abord un autre.',
    firstName: 'Prénom',
    lastName: 'Nom de famille',
    language: 'Langue',
    noLanguage: 'Celle du navigateur',
    edit: 'Modifier le nom ou la langue',
    changeEmail: 'Modifier ou ajouter une adresse e-mail',
    changePhone: 'Modifier ou ajouter un numéro de téléphone',
    save: 'Enregistrer',
    addPasskey: 'Ajouter une clé d’accès',
    rename: 'Renommer',
    newName: 'Nouveau nom',
    remove: 'Supprimer',
    disconnect: 'Dissocier',
    connect: (provider) => `Associer ${provider}`,
    activity: 'Activité récente',
    noActivity: 'Rien pour l’instant.',
    data: 'Vos données',
    dataBody: 'Tout ce qui est conservé à votre sujet, dans un fichier.',
    download: 'Télécharger',
  },
  de: {
    heading: 'Ihr Konto',
    scope: (tenant) => `Es gilt für alle Anwendungen von ${tenant}.`,
    back: (app) => `Zurück zu ${app}`,
    done: 'Erledigt.',
    expired: 'Die Seite war zu alt. Bitte versuchen Sie es noch einmal.',
    confirmed: 'Danke, Sie sind es. Sie können die Änderung jetzt vornehmen.',
    refused: (app) =>
      `Nichts wurde geändert: Sie haben nicht bestätigt, dass Sie es sind, oder die Angabe gehört zu einem anderen Konto. Wenn das hier nicht geht, wenden Sie sich an ${app}.`,
    elsewhere: (app, place) =>
      `Das geht bei ${app} nicht, denn es bietet zu wenige Ihrer Anmeldewege. Machen Sie es auf Ihrer Kontoseite bei ${place}.`,
    anotherApp: 'einer anderen Anwendung',
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
    last: 'Das ist Ihr einziger Weg zur Anmeldung. Fügen Sie erst einen anderen hinzu.',
    firstName: 'Vorname',
    lastName: 'Nachname',
    language: 'Sprache',
    noLanguage: 'Die des Browsers',
    edit: 'Name oder Sprache ändern',
    changeEmail: 'E-Mail-Adresse ändern oder hinzufügen',
    changePhone: 'Telefonnummer ändern oder hinzufügen',
    save: 'Speichern',
    addPasskey: 'Passkey hinzufügen',
    rename: 'Umbenennen',
    newName: 'Neuer Name',
    remove: 'Entfernen',
    disconnect: 'Trennen',
    connect: (provider) => `${provider} verbinden`,
    activity: 'Was zuletzt geschah',
    noActivity: 'Noch nichts.',
    data: 'Ihre Daten',
    dataBody: 'Alles, was über Sie gespeichert ist, als Datei.',
    download: 'Herunterladen',
  },
  ja: {
    heading: 'アカウント',
    scope: (tenant) => `${tenant} のすべてのアプリで共通です。`,
    back: (app) => `${app} に戻る`,
    done: '完了しました。',
    expired: 'ページの有効期限が切れていました。もう一度お試しください。',
    confirmed: 'ご本人と確認できました。変更を続けてください。',
    refused: (app) =>
      `変更されていません。ご本人と確認できなかったか、入力内容が別のアカウントで使われています。ここでできない場合は、${app} にご連絡ください。`,
    elsewhere: (app, place) =>
      `${app} では、お使いのログイン方法の一部しか利用できないため、この操作はできません。${place}のアカウントページで行ってください。`,
    anotherApp: 'ほかのアプリ',
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
    last: '唯一のログイン方法です。先に別の方法を追加してください。',
    firstName: '名',
    lastName: '姓',
    language: '言語',
    noLanguage: 'ブラウザの設定に従う',
    edit: '名前または言語を変更',
    changeEmail: 'メールアドレスを変更または追加',
    changePhone: '電話番号を変更または追加',
    save: '保存',
    addPasskey: 'パスキーを追加',
    rename: '名前を変更',
    newName: '新しい名前',
    remove: '削除',
    disconnect: '連携を解除',
    connect: (provider) => `${provider} を連携`,
    activity: '最近のできごと',
    noActivity: 'まだありません。',
    data: 'データ',
    dataBody: '保存されているすべての情報を、ファイルで受け取れます。',
    download: 'ダウンロード',
  },
  ar: {
    heading: 'حسابك',
    scope: (tenant) => `هو حسابك في جميع تطبيقات ${tenant}.`,
    back: (app) => `العودة إلى ${app}`,
    done: 'تم.',
    expired: 'كانت هذه الصفحة قديمة جدًا. يرجى المحاولة مرة أخرى.',
    confirmed: 'شكرًا، تأكدنا من هويتك. يمكنك الآن إجراء التغيير.',
    refused: (app) =>
      `لم يتغيّر شيء: لم تؤكد هويتك، أو أن ما أدخلته يخص حسابًا آخر. إذا لم تستطع ذلك هنا، فتواصل مع ${app}.`,
    elsewhere: (app, place) =>
      `لا يمكن ذلك لدى ${app}، فهو لا يتيح ما يكفي من طرق تسجيل دخولك. افعل ذلك في صفحة حسابك لدى ${place}.`,
    anotherApp: 'تطبيق آخر',
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
    last: 'هذه طريقتك الوحيدة لتسجيل الدخول. أضف طريقة أخرى أولًا.',
    firstName: 'الاسم الأول',
    lastName: 'اسم العائلة',
    language: 'اللغة',
    noLanguage: 'لغة المتصفح',
    edit: 'تغيير الاسم أو اللغة',
    changeEmail: 'تغيير عنوان البريد الإلكتروني أو إضافته',
    changePhone: 'تغيير رقم الهاتف أو إضافته',
    save: 'حفظ',
    addPasskey: 'إضافة مفتاح مرور',
    rename: 'إعادة التسمية',
    newName: 'الاسم الجديد',
    remove: 'إزالة',
    disconnect: 'إلغاء الربط',
    connect: (provider) => `ربط ${provider}`,
    activity: 'ما حدث مؤخرًا',
    noActivity: 'لا شيء بعد.',
    data: 'بياناتك',
    dataBody: 'كل ما يُحفظ عنك في ملف واحد.',
    download: 'تنزيل',
  },
};
