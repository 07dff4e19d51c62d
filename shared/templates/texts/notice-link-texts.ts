import type { Language } from '../language.ts';

interface AskingTexts {
  readonly heading: (app: string) => string;
  readonly body: string;
  readonly button: string;
  readonly tip: string;
}

interface QuestionTexts extends AskingTexts {
  readonly doneHeading: string;
  readonly doneBody: string;
}

export interface NoticeLinkTexts {
  /** The former address brings itself back. */
  readonly address: QuestionTexts;
  /** A change of a number or a passkey is undone. */
  readonly change: QuestionTexts;
  /** An address that no longer opens the account is let in again, by a login. */
  readonly reclaimed: AskingTexts;
  /** A recovery is stopped. */
  readonly recovery: QuestionTexts;
  /** A deleted account lives on. */
  readonly erasure: QuestionTexts;
  readonly takenHeading: string;
  readonly takenBody: (app: string) => string;
  readonly overHeading: string;
  readonly overBody: string;
}

/** Pages that links in notices open. */
export const noticeLinkTexts: Readonly<Record<Language, NoticeLinkTexts>> = {
  en: {
    address: {
      heading: (app) => `Bring your email address back at ${app}?`,
      body: 'Your account gets back the email address that this link was sent to. All devices are signed out.',
      button: 'Bring it back',
      tip: 'Did you change the address yourself? Then just close this page.',
      doneHeading: 'Your email address is back',
      doneBody:
        'All devices are signed out. Sign in with this address, and remove passkeys and devices that you don’t know.',
    },
    change: {
      heading: (app) => `Undo the change at ${app}?`,
      body: 'Addresses and passkeys of your account are as they were before the change, and what was added since no longer opens it. All devices are signed out.',
      button: 'Undo it',
      tip: 'Did you change it yourself? Then just close this page.',
      doneHeading: 'The change is undone',
      doneBody:
        'All devices are signed out. Sign in as before, and remove passkeys and devices that you don’t know.',
    },
    reclaimed: {
      heading: (app) => `Let this address open your account at ${app} again?`,
      body: 'Another address or number of your account was confirmed, and this address no longer opens it. Confirm both in this browser, first this address and then the other: then both open it.',
      button: 'Continue',
      tip: 'Not your account? Then just close this page.',
    },
    recovery: {
      heading: (app) => `Stop the recovery at ${app}?`,
      body: 'Someone says that they cannot use the second factor of your account. Stop it if that was not you.',
      button: 'Stop it',
      tip: 'Was it you? Then just close this page.',
      doneHeading: 'The recovery is stopped',
      doneBody:
        'If you didn’t ask for it, someone may read your messages: change the password of your mailbox, and remove passkeys and devices that you don’t know.',
    },
    erasure: {
      heading: (app) => `Keep your account at ${app}?`,
      body: 'Your account is closed and will be deleted. Keep it, and you can sign in again as before.',
      button: 'Keep my account',
      tip: 'Do you want it deleted? Then just close this page.',
      doneHeading: 'Your account is kept',
      doneBody:
        'You can sign in again. If you didn’t delete it yourself, remove passkeys and devices that you don’t know on your account page.',
    },
    takenHeading: 'Another account has this address',
    takenBody: (app) =>
      `Another account uses the address or number by now, so it can’t be brought back. Please contact ${app}.`,
    overHeading: 'This link was already used',
    overBody:
      'Or it is no longer needed. If something is wrong with your account, contact the app or website.',
  },
  es: {
    address: {
      heading: (app) => `¿Recuperar tu dirección de correo en ${app}?`,
      body: 'Tu cuenta recupera la dirección de correo a la que se envió este enlace. Se cierra la sesión en todos los dispositivos.',
      button: 'Recuperarla',
      tip: '¿Has cambiado tú la dirección? Entonces cierra esta página.',
      doneHeading: 'Has recuperado tu dirección de correo',
      doneBody:
        'Se ha cerrado la sesión en todos los dispositivos. Inicia sesión con esta dirección y elimina las llaves de acceso y los dispositivos que no conozcas.',
    },
    change: {
      heading: (app) => `¿Deshacer el cambio en ${app}?`,
      body: 'Las direcciones y llaves de acceso de tu cuenta vuelven a estar como antes del cambio, y lo añadido desde entonces ya no la abre. Se cierra la sesión en todos los dispositivos.',
      button: 'Deshacerlo',
      tip: '¿Lo has cambiado tú? Entonces cierra esta página.',
      doneHeading: 'El cambio se ha deshecho',
      doneBody:
        'Se ha cerrado la sesión en todos los dispositivos. Inicia sesión como antes y elimina las llaves de acceso y los dispositivos que no conozcas.',
    },
    reclaimed: {
      heading: (app) => `¿Dejar que esta dirección vuelva a abrir tu cuenta en ${app}?`,
      body: 'Se ha confirmado otra dirección u otro número de tu cuenta, y esta dirección ya no la abre. Confirma las dos en este navegador, primero esta dirección y después la otra: entonces la abren las dos.',
      button: 'Continuar',
      tip: '¿No es tu cuenta? Entonces cierra esta página.',
    },
    recovery: {
      heading: (app) => `¿Detener la recuperación en ${app}?`,
      body: 'Alguien dice que no puede usar el segundo factor de tu cuenta. Detenla si no has sido tú.',
      button: 'Detenerla',
      tip: '¿Has sido tú? Entonces cierra esta página.',
      doneHeading: 'Se ha detenido la recuperación',
      doneBody:
        'Si no la has pedido, alguien puede estar leyendo tus mensajes: cambia la contraseña de tu buzón y elimina las llaves de acceso y los dispositivos que no conozcas.',
    },
    erasure: {
      heading: (app) => `¿Conservar tu cuenta en ${app}?`,
      body: 'Tu cuenta está cerrada y se va a eliminar. Si la conservas, podrás iniciar sesión como antes.',
      button: 'Conservar mi cuenta',
      tip: '¿Quieres que se elimine? Entonces cierra esta página.',
      doneHeading: 'Tu cuenta se conserva',
      doneBody:
        'Ya puedes volver a iniciar sesión. Si no la eliminaste tú, quita en la página de tu cuenta las llaves de acceso y los dispositivos que no conozcas.',
    },
    takenHeading: 'Otra cuenta tiene esta dirección',
    takenBody: (app) =>
      `Otra cuenta usa ya la dirección o el número, así que no se puede recuperar. Contacta con ${app}.`,
    overHeading: 'Este enlace ya se ha usado',
    overBody: 'O ya no hace falta. Si algo va mal en tu cuenta, contacta con la aplicación o el sitio web.',
  },
  fr: {
    address: {
      heading: (app) => `Rétablir votre adresse e-mail chez ${app}\u00a0?`,
      body: 'Votre compte retrouve l’adresse e-mail à laquelle ce lien a été envoyé. Tous les appareils sont déconnectés.',
      button: 'La rétablir',
      tip: 'Vous avez changé l’adresse vous-même\u00a0? Fermez simplement cette page.',
      doneHeading: 'Votre adresse e-mail est rétablie',
      doneBody:
        'Tous les appareils sont déconnectés. Connectez-vous avec cette adresse, puis supprimez les clés d’accès et les appareils que vous ne connaissez pas.',
    },
    change: {
      heading: (app) => `Annuler la modification chez ${app}\u00a0?`,
      body: 'Les adresses et les clés d’accès de votre compte redeviennent comme avant la modification, et ce qui a été ajouté depuis ne l’ouvre plus. Tous les appareils sont déconnectés.',
      button: 'L’annuler',
      tip: 'C’était vous\u00a0? Fermez simplement cette page.',
      doneHeading: 'La modification est annulée',
      doneBody:
        'Tous les appareils sont déconnectés. Connectez-vous comme avant, puis supprimez les clés d’accès et les appareils que vous ne connaissez pas.',
    },
    reclaimed: {
      heading: (app) => `Laisser cette adresse ouvrir de nouveau votre compte chez ${app}\u00a0?`,
      body: 'Une autre adresse ou un autre numéro de votre compte a été confirmé, et cette adresse ne l’ouvre plus. Confirmez les deux dans ce navigateur, d’abord cette adresse, puis l’autre\u00a0: les deux l’ouvriront.',
      button: 'Continuer',
      tip: 'Ce n’est pas votre compte\u00a0? Fermez simplement cette page.',
    },
    recovery: {
      heading: (app) => `Arrêter la récupération chez ${app}\u00a0?`,
      body: 'Quelqu’un signale ne pas pouvoir utiliser le second facteur de votre compte. Arrêtez-la si ce n’était pas vous.',
      button: 'L’arrêter',
      tip: 'C’était vous\u00a0? Fermez simplement cette page.',
      doneHeading: 'La récupération est arrêtée',
      doneBody:
        'Si vous ne l’avez pas demandée, quelqu’un lit peut-être vos messages\u00a0: changez le mot de passe de votre messagerie, puis supprimez les clés d’accès et les appareils que vous ne connaissez pas.',
    },
    erasure: {
      heading: (app) => `Conserver votre compte chez ${app}\u00a0?`,
      body: 'Votre compte est fermé et va être supprimé. Si vous le conservez, vous pourrez vous connecter comme avant.',
      button: 'Conserver mon compte',
      tip: 'Vous voulez le supprimer\u00a0? Fermez simplement cette page.',
      doneHeading: 'Votre compte est conservé',
      doneBody:
        'Vous pouvez de nouveau vous connecter. Si vous ne l’avez pas supprimé vous-même, retirez sur la page de votre compte les clés d’accès et les appareils que vous ne connaissez pas.',
    },
    takenHeading: 'Un autre compte a cette adresse',
    takenBody: (app) =>
      `Un autre compte utilise maintenant l’adresse ou le numéro\u00a0: impossible de le rétablir. Contactez ${app}.`,
    overHeading: 'Ce lien a déjà été utilisé',
    overBody:
      'Ou il n’est plus nécessaire. En cas de problème avec votre compte, contactez l’application ou le site.',
  },
  de: {
    address: {
      heading: (app) => `Ihre E-Mail-Adresse bei ${app} zurückholen?`,
      body: 'Ihr Konto bekommt die E-Mail-Adresse zurück, an die dieser Link ging. Alle Geräte werden abgemeldet.',
      button: 'Zurückholen',
      tip: 'Sie haben die Adresse selbst geändert? Schließen Sie einfach diese Seite.',
      doneHeading: 'Ihre E-Mail-Adresse ist zurück',
      doneBody:
        'Alle Geräte sind abgemeldet. Melden Sie sich mit dieser Adresse an und entfernen Sie Passkeys und Geräte, die Sie nicht kennen.',
    },
    change: {
      heading: (app) => `Änderung bei ${app} rückgängig machen?`,
      body: 'Adressen und Passkeys Ihres Kontos sind wieder wie vor der Änderung, und was seitdem hinzukam, öffnet es nicht mehr. Alle Geräte werden abgemeldet.',
      button: 'Rückgängig machen',
      tip: 'Waren Sie das selbst? Schließen Sie einfach diese Seite.',
      doneHeading: 'Die Änderung ist rückgängig gemacht',
      doneBody:
        'Alle Geräte sind abgemeldet. Melden Sie sich an wie zuvor, und entfernen Sie Passkeys und Geräte, die Sie nicht kennen.',
    },
    reclaimed: {
      heading: (app) => `Soll diese Adresse Ihr Konto bei ${app} wieder öffnen?`,
      body: 'Eine andere Adresse oder Nummer Ihres Kontos wurde bestätigt, und diese Adresse öffnet es nicht mehr. Bestätigen Sie beide in diesem Browser, erst diese Adresse und dann die andere: Dann öffnen es beide.',
      button: 'Weiter',
      tip: 'Nicht Ihr Konto? Schließen Sie einfach diese Seite.',
    },
    recovery: {
      heading: (app) => `Die Wiederherstellung bei ${app} stoppen?`,
      body: 'Jemand gibt an, den zweiten Faktor Ihres Kontos nicht nutzen zu können. Stoppen Sie das, wenn Sie es nicht waren.',
      button: 'Stoppen',
      tip: 'Waren Sie es? Schließen Sie einfach diese Seite.',
      doneHeading: 'Die Wiederherstellung ist gestoppt',
      doneBody:
        'Wenn Sie sie nicht angefordert haben, liest vielleicht jemand Ihre Nachrichten: Ändern Sie das Passwort Ihres Postfachs und entfernen Sie Passkeys und Geräte, die Sie nicht kennen.',
    },
    erasure: {
      heading: (app) => `Ihr Konto bei ${app} behalten?`,
      body: 'Ihr Konto ist geschlossen und wird gelöscht. Wenn Sie es behalten, können Sie sich wieder anmelden wie zuvor.',
      button: 'Konto behalten',
      tip: 'Soll es gelöscht werden? Schließen Sie einfach diese Seite.',
      doneHeading: 'Ihr Konto bleibt bestehen',
      doneBody:
        'Sie können sich wieder anmelden. Wenn Sie es nicht selbst gelöscht haben, entfernen Sie auf Ihrer Kontoseite Passkeys und Geräte, die Sie nicht kennen.',
    },
    takenHeading: 'Ein anderes Konto hat diese Adresse',
    takenBody: (app) =>
      `Ein anderes Konto nutzt inzwischen die Adresse oder Nummer. Sie lässt sich nicht zurückholen. Bitte wenden Sie sich an ${app}.`,
    overHeading: 'Dieser Link wurde schon benutzt',
    overBody:
      'Oder er wird nicht mehr gebraucht. Wenn mit Ihrem Konto etwas nicht stimmt, wenden Sie sich an die App oder Website.',
  },
  ja: {
    address: {
      heading: (app) => `${app} のメールアドレスを元に戻しますか？`,
      body: 'このリンクが届いたメールアドレスがアカウントに戻り、すべての端末がログアウトされます。',
      button: '元に戻す',
      tip: 'ご自身で変更された場合は、このページを閉じてください。',
      doneHeading: 'メールアドレスが元に戻りました',
      doneBody:
        'すべての端末がログアウトされました。このアドレスでログインし、心当たりのないパスキーや端末を削除してください。',
    },
    change: {
      heading: (app) => `${app} での変更を取り消しますか？`,
      body: 'アカウントのアドレスとパスキーが変更前の状態に戻り、その後に追加されたものではログインできなくなります。すべての端末がログアウトされます。',
      button: '取り消す',
      tip: 'ご自身で変更された場合は、このページを閉じてください。',
      doneHeading: '変更が取り消されました',
      doneBody:
        'すべての端末がログアウトされました。これまでどおりログインし、心当たりのないパスキーや端末を削除してください。',
    },
    reclaimed: {
      heading: (app) => `このアドレスで再び ${app} にログインできるようにしますか？`,
      body: 'アカウントの別のアドレスまたは電話番号が確認され、このアドレスではログインできなくなりました。このブラウザーで、まずこのアドレス、次にもう一方を確認すると、どちらでもログインできるようになります。',
      button: '続行',
      tip: 'お心当たりがない場合は、このページを閉じてください。',
    },
    recovery: {
      heading: (app) => `${app} の復旧を中止しますか？`,
      body: 'お客様のアカウントの二要素目を使えないとの申請がありました。お心当たりがない場合は中止してください。',
      button: '中止する',
      tip: 'ご本人の場合は、このページを閉じてください。',
      doneHeading: '復旧を中止しました',
      doneBody:
        '申請した覚えがない場合は、メールを読まれている可能性があります。メールのパスワードを変更し、心当たりのないパスキーや端末を削除してください。',
    },
    erasure: {
      heading: (app) => `${app} のアカウントを残しますか？`,
      body: 'アカウントは閉鎖されており、削除される予定です。残すと、これまでどおりログインできます。',
      button: 'アカウントを残す',
      tip: '削除する場合は、このページを閉じてください。',
      doneHeading: 'アカウントは削除されません',
      doneBody:
        'もう一度ログインできます。ご自身で削除したのでない場合は、アカウントのページで心当たりのないパスキーや端末を削除してください。',
    },
    takenHeading: 'このアドレスは別のアカウントで使われています',
    takenBody: (app) =>
      `別のアカウントがこのアドレスまたは電話番号を使っているため、元に戻せません。${app} にご連絡ください。`,
    overHeading: 'このリンクは使用済みです',
    overBody:
      'または、すでに不要になっています。アカウントに問題がある場合は、アプリまたはウェブサイトにご連絡ください。',
  },
  ar: {
    address: {
      heading: (app) => `هل تريد استعادة عنوان بريدك الإلكتروني لدى ${app}؟`,
      body: 'يستعيد حسابك عنوان البريد الإلكتروني الذي أُرسل إليه هذا الرابط. ويُسجَّل الخروج من جميع الأجهزة.',
      button: 'استعادته',
      tip: 'هل غيّرت العنوان بنفسك؟ أغلق هذه الصفحة إذًا.',
      doneHeading: 'استُعيد عنوان بريدك الإلكتروني',
      doneBody:
        'سُجّل الخروج من جميع الأجهزة. سجّل الدخول بهذا العنوان، وأزل مفاتيح المرور والأجهزة التي لا تعرفها.',
    },
    change: {
      heading: (app) => `هل تريد التراجع عن التغيير لدى ${app}؟`,
      body: 'تعود عناوين حسابك ومفاتيح مروره كما كانت قبل التغيير، وما أُضيف منذ ذلك الحين لن يفتحه. ويُسجَّل الخروج من جميع الأجهزة.',
      button: 'التراجع',
      tip: 'هل غيّرته بنفسك؟ أغلق هذه الصفحة إذًا.',
      doneHeading: 'تم التراجع عن التغيير',
      doneBody:
        'سُجّل الخروج من جميع الأجهزة. سجّل الدخول كما في السابق، وأزل مفاتيح المرور والأجهزة التي لا تعرفها.',
    },
    reclaimed: {
      heading: (app) => `هل تريد أن يفتح هذا العنوان حسابك لدى ${app} من جديد؟`,
      body: 'تم تأكيد عنوان أو رقم آخر لحسابك، ولم يعد هذا العنوان يفتحه. أكّد الاثنين في هذا المتصفح، هذا العنوان أولًا ثم الآخر: عندها يفتحه كلاهما.',
      button: 'متابعة',
      tip: 'ليس حسابك؟ أغلق هذه الصفحة إذًا.',
    },
    recovery: {
      heading: (app) => `هل تريد إيقاف الاسترداد لدى ${app}؟`,
      body: 'يقول شخص ما إنه لا يستطيع استخدام العامل الثاني لحسابك. أوقف ذلك إذا لم تكن أنت.',
      button: 'إيقافه',
      tip: 'هل كنت أنت؟ أغلق هذه الصفحة إذًا.',
      doneHeading: 'أُوقف الاسترداد',
      doneBody:
        'إذا لم تطلبه، فقد يكون هناك من يقرأ رسائلك: غيّر كلمة مرور صندوق بريدك، وأزل مفاتيح المرور والأجهزة التي لا تعرفها.',
    },
    erasure: {
      heading: (app) => `هل تريد الاحتفاظ بحسابك لدى ${app}؟`,
      body: 'حسابك مغلق وسيُحذف. إذا احتفظت به فستتمكن من تسجيل الدخول كما في السابق.',
      button: 'الاحتفاظ بحسابي',
      tip: 'هل تريد حذفه؟ أغلق هذه الصفحة إذًا.',
      doneHeading: 'حسابك باقٍ',
      doneBody:
        'يمكنك تسجيل الدخول من جديد. إذا لم تحذفه بنفسك، فأزل من صفحة حسابك مفاتيح المرور والأجهزة التي لا تعرفها.',
    },
    takenHeading: 'هذا العنوان لدى حساب آخر',
    takenBody: (app) =>
      `يستخدم حساب آخر هذا العنوان أو الرقم الآن، لذلك لا يمكن استعادته. يرجى التواصل مع ${app}.`,
    overHeading: 'استُخدم هذا الرابط من قبل',
    overBody: 'أو لم تعد هناك حاجة إليه. إذا كان هناك خلل في حسابك، فتواصل مع التطبيق أو الموقع.',
  },
};
