export const ownName = '日本語';

export const footerTexts = {
  help: 'ヘルプ',
  terms: '利用規約',
  privacy: 'プライバシー',
  language: '言語',
};

export const loginTexts = {
  continueButton: '続行',
  back: '戻る',
  cancelLogin: 'キャンセルして {app} に戻る',
  or: 'または',
  moreWays: 'その他の方法',
  errorTitle: 'エラー：{title}',

  signInHeading: '{app} にログイン',
  approveHeading: 'ログインして承認',
  signUpHeading: '{app} に登録',
  signUpHint: 'アカウントをお持ちの場合も、同じ手順でログインできます。',
  fieldLabel: {
    email: 'メールアドレス',
    phone: '電話番号',
    either: 'メールアドレスまたは電話番号',
  },
  countryLabel: '国・地域',
  countryNone: '選択してください',
  countryHint: '他の国の電話番号は「+」と国番号から入力してください。',
  countryHeading: 'どの国の電話番号ですか？',
  sendCodeBySms: 'SMSでコードを受け取る',
  sendLink: 'メールでリンクを受け取る',
  usePasskey: 'パスキーを使う',
  passkeyCancelled: 'パスキーは使われませんでした。もう一度試すか、別の方法を選んでください。',
  passkeyExpired: '時間切れになりました。もう一度パスキーを使ってください。',
  passkeyInvalid: 'このパスキーはここでは使えません。別のパスキーか、別の方法を選んでください。',
  passkeyUnsupported: 'このブラウザではパスキーを使えません。別の方法を選んでください。',
  passkeyNeedsScript:
    'パスキーには JavaScript が必要ですが、このブラウザでは無効になっています。別の方法を選んでください。',
  registerHeading: 'パスキーを追加',
  registerBody: '次回からは、指紋、顔、または画面ロックで {app} にログインできます。',
  factorNeeded: '{app} では、ご本人であることを確認する2つ目の方法が必要です。',
  registerButton: 'パスキーを追加',
  registerLater: '今はしない',
  cannotGiveFactor: 'どれも使えません',
  registerBack: 'キャンセル',
  registerCancelled: 'パスキーは作成されませんでした。もう一度試すか、パスキーなしで続けてください。',
  registerExists: 'このデバイスには、すでにあなたのパスキーがあります。',
  passkeyNotSaved: 'パスキーを保存できませんでした。もう一度試すか、パスキーなしで続けてください。',
  approvalHeading: '承認する内容を確認してください',
  approvalTip: 'お心当たりがない場合は、このページを閉じてください。',
  continueWith: '{provider} で続行',
  logInWith: '{provider}でログイン',

  checkEmailHeading: 'メールをご確認ください',
  checkPhoneHeading: 'SMSをご確認ください',
  codeOnItsWay: '{to} のアカウントがある場合は、まもなくコードが届きます。',
  linkOnItsWay: '{to} のアカウントがある場合は、まもなくリンクが届きます。',
  codeSent: '{to} にコードを送信しました。',
  linkSent: '{to} にリンクを送信しました。',
  sentAgain: '{time} に {to} へ新しい{what}を送信しました。',
  onItsWayAgain: '{to} のアカウントがある場合は、{time} に新しい{what}を送信しました。',
  codeWord: 'コード',
  linkWord: 'リンク',
  codeLabel: '認証コード',
  codeFormat: 'コードは数字のみです。',
  codesOffHeading: '現在、コードは使えません',
  codeClosedHeading: 'このコードは使えなくなりました',
  codeClosedLink: '安全のため、コードを停止しました。メールのリンクなど、別の方法は今すぐ使えます。',
  codeClosedOther: '安全のため、コードを停止しました。別の方法は今すぐ使えます。',
  linkTip: 'このブラウザで開いてください。',
  nothingThere: '届いていませんか？',
  lookInSpam: '迷惑メールフォルダで {sender} からのメールをお探しください。',
  resendCode: 'コードを再送信',
  resendLink: 'リンクを再送信',
  resendWait: 'あと{time}',
  resendReady: '再送信できるようになりました。',
  change: '変更',
  changeIdentifier: '別の宛先や方法を使う',
  changeMethod: '別の方法を試す',

  secondFactorHeading: '本人確認',
  secondFactorBody: '確認の方法を選んでください。',
  secondFactorForPasskey: 'パスキーを追加する前に、ご本人の確認をお願いします。',
  staleBody: '{provider}から、たった今ログインしたことを確認できませんでした。別の方法で確認してください。',
  staleOnlyBody:
    '{provider}から、たった今ログインしたことを確認できませんでした。{provider}からログアウトして、もう一度お試しください。この画面が再び表示される場合は、ここからもログアウトしてログインし直し、アカウントページでメールアドレスまたはパスキーを追加してください。その後は、それを使って確認できます。',
  aloneBody: 'これだけではアカウントを開けません。もう一つの方法で確認すると、使えるようになります。',
  codeByEmail: 'メールでコードを受け取る',
  codeBySms: 'SMSでコードを受け取る',
  linkByEmail: 'メールでリンクを受け取る',
  passkey: 'パスキー',

  verifyEmailHeading: 'メールアドレスの確認',
  verifyEmailBody: 'メールアドレスがまだ確認されていません。続けるには確認してください。',

  phoneHeading: '電話番号の追加',
  phoneBody: '{app} では電話番号が必要です。確認のため、SMSでコードをお送りします。',

  formPostHeading: 'しばらくお待ちください',
  formPostBody: '元のページに戻ります。自動で切り替わらない場合は、ボタンを押してください。',
  leavingBody: '{provider} に移動します。自動で切り替わらない場合は、ボタンを押してください。',

  identifierInvalid: {
    email: '有効なメールアドレスを入力してください。',
    phone: '国を選び、有効な電話番号を入力してください。',
    either: '有効なメールアドレス、または国番号を含む電話番号を入力してください。',
  },
  numberNeeded: 'SMSはメールアドレスではなく電話番号に届きます。電話番号を入力してください。',
  emailUnmailable:
    'このアドレスにはメールを送信できません。@の前に使えるのは英字、数字、記号のみです。別のアドレスを入力してください。',
  numberAmbiguous:
    '国番号を入力しましたか？その場合は、この番号でコードを送信してください。違う場合は番号を修正してください。',
  methodUnavailable: 'このログイン方法は利用できません。別の方法を選択してください。',
  sendFailed: 'メッセージを送信できませんでした。もう一度試すか、別の方法を選択してください。',
  codeWrong: 'コードが正しくありません。確認して、もう一度入力してください。',
  codeReplaced: 'コードが正しくありません。最新のメッセージのコードを入力してください。',
  codeLast:
    'コードが正しくありません。入力できるのはあと 1 回です。その後、コードは{wait}間使えなくなります。',
  codeExpired: 'コードの有効期限が切れています。新しいコードを取得してください。',
  linkOver:
    'このリンクは期限切れか、新しいものに置き換えられました。最新のメールを使うか、新しいメールを取得してください。',
  codesOff: '現在、コードは利用できません。別の方法を選択するか、サポートにお問い合わせください。',
  formExpired: 'ページを開いてから時間が経ちすぎました。もう一度お試しください。',
  providerFailed:
    'うまくいかなかったか、キャンセルされました。もう一度お試しいただくか、別の方法を選んでください。',
  accountExists: 'このメールアドレスのアカウントはすでにあります。別の方法でサインインしてください。',
  accountUnknown: 'このサインインに対応するアカウントがありません。別の方法を選んでください。',
  rateLimited: 'リクエストが多すぎます。{wait}後にもう一度お試しください。',
  locked: '誤ったコードが続けて入力されました。{wait}後にもう一度お試しください。',
};

export const logoutTexts = {
  signOutHeading: '{app} からログアウトしますか？',
  signOutBody: 'このブラウザでログアウトします。',
  signOutButton: 'ログアウト',
  signOutTip: 'ログアウトしない場合は、このページを閉じてください。',
  signedOutHeading: 'ログアウトしました',
  signedOutBody: 'このページを閉じてください。',
};

export const linkTexts = {
  continueHeading: '{app} にログイン',
  continueBody: 'ログイン用のリンクが開かれました。続行するとログインが完了します。',
  resumeBody: '続行すると {app} に戻ります。',
  continueButton: '続行',
  continueTo: '移動先：',
  continueWarning: 'お心当たりがない場合は、このページを閉じてください。',
  switchBody: '{from} としてログインしています。続行すると {to} としてログインします。',
  switchWarning: 'お心当たりがない場合は、このページを閉じてください。',
};

export const connectTexts = {
  heading: '{provider} を連携',
  body: 'こちらのアカウントに使う {provider} アカウントでログインしてください。以後、ログイン方法の一つになります。',
};

export const newAddressTexts = {
  heading: '新しいメールアドレス',
  phoneHeading: '新しい電話番号',
  replaces: '{address} に代わります。',
  replacesProven: '{address} に代わります。7日間は、以前のアドレスから取り消せます。',
  sendCode: 'コードを送信',
  sendLink: 'リンクを送信',
};

export const recoveryPageTexts = {
  heading: '二要素目を紛失しましたか？',
  body: '新しい要素の追加を申請できます。アカウントの確認済みのアドレスと電話番号すべてに通知し、どこからでも中止できます。{duration}後に有効になります。',
  button: '申請する',
  tip: '見つかった場合は、前のページに戻ってください。',
  startedHeading: 'すべてのアドレスに通知しました',
  startedBody:
    '{duration}後から3日間は、もう一度ログインすると新しい二要素目を追加できます。紛失した要素でログインすると中止されます。',
  undoBody:
    '二要素目なしで変更を取り消せます。アカウントの確認済みのアドレスと電話番号すべてに通知し、どこからでも中止できます。{duration}後に有効になります。',
  undoStartedBody:
    '{duration}後から3日間は、メールのリンクをもう一度開くだけで取り消せます。ほかの方法でログインすると中止されます。',
  impossibleHeading: 'ここでは行えません',
  impossibleBody: 'アカウントに確認済みのアドレスがありません。{app} にご連絡ください。',
  elsewhereBody:
    '{app} では、お使いのログイン方法の一部しか利用できないため、この操作はできません。{place}のアカウントページで行ってください。',
  anotherApp: 'ほかのアプリ',
};

export const lossTexts = {
  heading: 'ログイン方法の紛失が申請されました',
  body: '{since} に、アカウントの次のログイン方法を紛失した、または危険があるとの申請がありました：{kinds}。{from} 以降は、その方法での確認を求めません。',
  stop: '中止する',
  tip: 'お心当たりがない場合は中止してください。これまでどおり確認を求めます。',
  kinds: { mail: 'メールアドレス', phone: '電話番号', passkey: 'パスキー', social: '連携アカウント' },
};

export const commandLineTexts = {
  heading: 'このコンピューターの otl に操作を許可',
  body: 'このコンピューターでご自身が今 {command} を実行した場合にのみ続けてください。許可すると、このプログラムはオペレーターとしてのあなたの操作をすべて行えるようになります。',
  button: 'otl に操作を許可する',
};

export const consentTexts = {
  heading: '{client} がアクセスを求めています',
  body: '{app} であなたの代わりに操作しようとしています。',
  goesOn: 'この後は {target} に進みます。',
  onDevice:
    'この後は、このデバイス上のアプリに進みます。ご自身がそのアプリで今始めた場合にのみ許可してください。',
  signedIn: '{person} としてログイン中です。',
  may: '許可する内容',
  openid: 'ご本人であることの確認',
  profile: 'お名前の表示',
  email: 'メールアドレスの表示',
  phone: '電話番号の表示',
  secondFactor: '2つ目の方法での本人確認が必要です',
  stay: '不在の間も接続を続ける',
  allow: '許可する',
  deny: '拒否する',
  tip: 'アカウントのページでいつでも解除できます。',
};

export const accountTexts = {
  heading: 'アカウント',
  scope: '{tenant} のすべてのアプリで共通です。',
  back: '{app} に戻る',
  saved: '保存しました。',
  isNow: 'アカウントに {address} を登録しました。',
  emailRemoved: 'メールアドレスを削除しました。',
  phoneRemoved: '電話番号を削除しました。',
  ended: 'ログアウトさせました。',
  expired: 'ページの有効期限が切れていました。もう一度お試しください。',
  confirmed: 'ご本人と確認できました。変更を続けてください。',
  refused:
    '変更されていません。ご本人と確認できなかったか、入力内容がすでに別のアカウントで使われています。ここで変更できない場合は、{app} にご連絡ください。',
  signIn: 'ログイン',
  signInBody: 'アカウントを表示するには、ログインしてください。',
  details: '名前と言語',
  addresses: 'メールアドレスと電話番号',
  name: '名前',
  email: 'メールアドレス',
  phone: '電話番号',
  unconfirmed: '未確認',
  passkeys: 'パスキー',
  noPasskeys: 'ありません。',
  unnamed: 'パスキー',
  deviceKeys: '承認用のデバイス',
  identities: '連携アカウント',
  consents: '接続済みのアプリ',
  added: '{date} に追加',
  used: '最終使用：{date}',
  sessions: 'ログイン中の場所',
  thisBrowser: 'このブラウザ',
  since: '{date} から',
  endSession: 'ログアウトする',
  endOthers: '他のすべてからログアウトする',
  last: '唯一のログイン方法です。先に別の方法を追加してください。',
  firstName: '名',
  lastName: '姓',
  noLanguage: 'ブラウザの設定に従う',
  edit: '名前または言語を変更',
  changeEmail: 'メールアドレスを変更',
  addEmail: 'メールアドレスを追加',
  changePhone: '電話番号を変更',
  addPhone: '電話番号を追加',
  save: '保存',
  addPasskey: 'パスキーを追加',
  rename: '名前を変更',
  newName: '新しい名前',
  remove: '削除',
  disconnect: '連携を解除',
  connect: '{provider} を連携',
  activity: '最近のできごと',
  noActivity: 'まだありません。',
  data: 'データ',
  dataBody: '保存されているすべての情報を、ファイルで受け取れます。',
  download: 'ダウンロード',
};

export const deviceText = '{system}の{browser}';

export const accountDeletionTexts = {
  section: 'アカウントの削除',
  sectionBody: '7日間は取り消せます。',
  open: 'アカウントを削除する',
  heading: 'アカウントを削除しますか？',
  scope: '{tenant} のすべてのアプリケーションで削除されます。',
  now: 'ただちにすべての端末からログアウトされ、どなたもこのアカウントにログインできなくなります。',
  later: '{time} に、すべての情報とともに完全に削除されます。',
  toldByMail: 'それまでは取り消せます。{to} にリンクをお送りします。',
  toldByText: 'それまでは取り消せます。{to} に SMS でリンクをお送りします。',
  untold: 'リンクをお送りできる確認済みの連絡先がありません。それまでに取り消せるのは {app} だけです。',
  dataFirst: 'データが必要な場合は、先にダウンロードしてください。',
  keep: 'アカウントを残す',
  doneHeading: 'アカウントは削除されます',
  doneBody: 'すべての端末からログアウトされました。{time} にアカウントは完全に削除されます。',
  doneLink: '取り消す場合は、お送りしたリンクをご利用ください。',
};

export const accountEventTexts = {
  'login.succeeded': 'ログイン',
  'login.failed': 'ログインの失敗',
  'login.locked': 'コードの誤入力が続きました',
  'login.new_device': '新しいデバイスからのログイン',
  'session.ended': 'ログアウト',
  'session.binding_failed': 'コピーされたログインの停止',
  'user.email_added': 'メールアドレスの追加',
  'user.email_changed': 'メールアドレスの変更',
  'user.email_restored': 'メールアドレスの変更の取り消し',
  'user.phone_added': '電話番号の追加',
  'user.phone_changed': '電話番号の変更',
  'user.undo_requested': '変更の取り消しの申請',
  'user.recovery_requested': '二要素目の紛失の申請',
  'user.recovery_granted': '新しい二要素目の許可',
  'user.recovery_cancelled': '復旧の中止',
  'user.erasure_requested': 'アカウントの削除',
  'user.erasure_cancelled': 'アカウント削除の取り消し',
  'passkey.added': 'パスキーの追加',
  'passkey.removed': 'パスキーの削除',
  'device_key.added': 'デバイスの追加',
  'device_key.removed': 'デバイスの削除',
  'identity.removed': 'アカウントの連携の解除',
  'identity.added': 'アカウントの連携',
  'grant.given': 'アプリの接続',
  'grant.ended': 'アプリの接続解除',
};

export const noticeLinkTexts = {
  address: {
    heading: '{app} のメールアドレスを元に戻しますか？',
    body: 'このリンクが届いたメールアドレスがアカウントに戻り、すべての端末がログアウトされます。',
    button: '元に戻す',
    tip: 'ご自身で変更された場合は、このページを閉じてください。',
    doneHeading: 'メールアドレスが元に戻りました',
    doneBody:
      'すべての端末がログアウトされました。このアドレスでログインし、心当たりのないパスキーや端末を削除してください。',
  },
  change: {
    heading: '{app} での変更を取り消しますか？',
    body: 'アカウントのアドレスとパスキーが変更前の状態に戻り、その後に追加されたものではログインできなくなります。すべての端末がログアウトされます。',
    button: '取り消す',
    tip: 'ご自身で変更された場合は、このページを閉じてください。',
    doneHeading: '変更が取り消されました',
    doneBody:
      'すべての端末がログアウトされました。これまでどおりログインし、心当たりのないパスキーや端末を削除してください。',
  },
  reclaimed: {
    heading: 'このアドレスで再び {app} にログインできるようにしますか？',
    body: 'アカウントの別のアドレスまたは電話番号が確認され、このアドレスではログインできなくなりました。このブラウザーで、まずこのアドレス、次にもう一方を確認すると、どちらでもログインできるようになります。',
    button: '続行',
    tip: 'お心当たりがない場合は、このページを閉じてください。',
  },
  recovery: {
    heading: '{app} の復旧を中止しますか？',
    body: 'お客様のアカウントの二要素目を使えないとの申請がありました。お心当たりがない場合は中止してください。',
    button: '中止する',
    tip: 'ご本人の場合は、このページを閉じてください。',
    doneHeading: '復旧を中止しました',
    doneBody:
      '申請した覚えがない場合は、メールを読まれている可能性があります。メールのパスワードを変更し、心当たりのないパスキーや端末を削除してください。',
  },
  erasure: {
    heading: '{app} のアカウントを残しますか？',
    body: 'アカウントは閉鎖されており、削除される予定です。残すと、これまでどおりログインできます。',
    button: 'アカウントを残す',
    tip: '削除する場合は、このページを閉じてください。',
    doneHeading: 'アカウントは削除されません',
    doneBody:
      'もう一度ログインできます。ご自身で削除したのでない場合は、アカウントのページで心当たりのないパスキーや端末を削除してください。',
  },
  takenHeading: 'このアドレスは別のアカウントで使われています',
  takenBody:
    '別のアカウントがこのアドレスまたは電話番号を使っているため、元に戻せません。{app} にご連絡ください。',
  overHeading: 'このリンクは使用済みです',
  overBody: 'または、すでに不要になっています。アカウントに問題がある場合は、{app} にご連絡ください。',
};

export const messageTexts = {
  link: {
    subject: '{app} へのログイン',
    headerText: '{app} にログイン',
    bodyText: '下のボタンからログインできます。パスワードは必要ありません。',
    infoText: 'このリンクは1回のみ有効で、{duration}後に期限が切れます。',
    footerText: 'このメールにお心当たりがない場合は、破棄してください。',
  },
  code: {
    subject: '{app} の認証コード',
    headerText: '認証コード',
    bodyText: '{app} にログインするには、次のコードを入力してください。',
    infoText: 'このコードは1回のみ有効で、{duration}後に期限が切れます。',
    footerText:
      'このコードを他の人に教えないでください。当社からお尋ねすることはありません。このメールにお心当たりがない場合は、破棄してください。',
  },
  openWhereBegan: '操作を始めたブラウザで開いてください。',
  linkText: 'ログイン',
  signUp: {
    link: {
      subject: '{app} のアカウント作成',
      headerText: '{app} のアカウント作成',
      bodyText:
        'このアドレスには {app} のアカウントがまだありません。下のボタンから作成できます。パスワードは必要ありません。',
    },
    code: {
      headerText: '登録用コード',
      bodyText:
        'このアドレスには {app} のアカウントがまだありません。作成するには、次のコードを入力してください。',
    },
    linkText: 'アカウントを作成',
  },
  confirm: {
    title: '{app} の新しいアドレスの確認',
    byLink: 'このアドレスがご本人のものであることを {app} で確認するには、下のボタンを押してください。',
    byCode: 'このアドレスがご本人のものであることを {app} で確認するには、次のコードを入力してください。',
    linkText: '確認する',
  },
  orLink: 'または、操作を始めたブラウザで次のボタンを押してください。',
  eitherOnce: 'どちらか一方を1回のみ使えます。コードは{code}後、ボタンは{link}後に期限が切れます。',
  requestedAt: 'リクエスト日時：{time}',
  requestedOn: 'リクエスト日時：{time}（{device}）',
  linkFallback: 'ボタンが使えない場合は、次のアドレスをブラウザに貼り付けてください。',
  approving: '承認する内容',
  approval: {
    link: {
      subject: '{app} での承認',
      headerText: '{app} での承認',
      bodyText: '内容を確認し、承認する場合のみボタンを使ってください。',
    },
    code: {
      subject: '{app} の承認コード',
      headerText: '承認コード',
      bodyText: '内容を確認し、承認する場合のみコードを入力してください。',
    },
    linkText: '承認する',
  },
  letInBody:
    'このコードを入力すると、このアドレスで再び {app} のアカウントにログインできるようになります。希望する場合のみ入力してください。',
};

export const codeSmsText = '{code}は{app}の認証コードです。他人に教えないでください。';

export const noticeTexts = {
  titles: {
    new_device: '{app} への新しいログイン',
    binding_failed: '{app} でコピーされたログインを停止しました',
    locked: '{app} で認証コードの誤入力が続きました',
    passkey_added: '{app} にパスキーが追加されました',
    passkey_removed: '{app} のパスキーが削除されました',
    device_key_added: '{app} に端末が追加されました',
    device_key_removed: '{app} の端末が削除されました',
    identity_added: '{app} への新しいログイン方法',
    identity_removed: '{app} でのアカウント連携の解除',
    client_connected: '{app} でアプリが接続されました',
    email_added: '{app} にメールアドレスが追加されました',
    email_changed: '{app} のメールアドレスが変更されました',
    email_restored: '{app} のメールアドレスの変更が取り消されました',
    phone_added: '{app} に電話番号が追加されました',
    phone_changed: '{app} の電話番号が変更されました',
    recovery_requested: '{app} のアカウント復旧の申請',
    recovery_granted: '{app} のアカウント復旧が承認されました',
    recovery_cancelled: '{app} のアカウント復旧が中止されました',
    undo_requested: '{app} での変更の取り消しが申請されました',
    reclaimed: 'このアドレスでは {app} にログインできなくなりました',
    erasure_requested: '{app} のアカウントは削除されます',
    erasure_cancelled: '{app} のアカウントは削除されません',
    erasure_waits: '{app} のアカウントは削除待ちです',
  },
  bodies: {
    new_device: 'これまでに使われていない端末から、お客様のアカウントにログインがありました。',
    binding_failed:
      'お客様のアカウントのログインを、本来の端末以外から継続しようとする操作がありました。そのログインを終了しました。',
    locked:
      'お客様のアカウントで認証コードの誤入力が続いたため、その接続元からのコードによるログインを一時的に停止しています。',
    passkey_added: 'お客様のアカウントにパスキーが追加されました。所有者はこのパスキーでログインできます。',
    passkey_removed:
      'お客様のアカウントからパスキーが削除されました。今後、このパスキーではログインできません。',
    device_key_added:
      'お客様のアカウントに端末の鍵が追加されました。この端末はお客様に代わって承認できます。',
    device_key_removed: 'お客様のアカウントから端末の鍵が削除されました。今後、この端末では承認できません。',
    identity_added:
      'お客様のアカウントに他社のアカウントが連携されました。所有者はそのアカウントでログインできます。',
    identity_removed:
      '他社のアカウントとの連携が解除されました。そのアカウントではログインできなくなりました。',
    client_connected:
      'アプリがあなたの代わりに操作することを許可しました。許可した内容はアカウントのページで確認し、解除できます。',
    email_added: 'これまで登録のなかったお客様のアカウントに、メールアドレスが追加されました。',
    email_changed:
      'このアドレスはお客様のアカウントから外されました。今後、ログイン用のメールはこちらに届きません。',
    email_restored:
      'アカウントの以前のアドレスによって変更が取り消されました。今後、ログイン用のメールはこちらに届きません。',
    phone_added: 'これまで登録のなかったお客様のアカウントに、電話番号が追加されました。',
    phone_changed: 'お客様のアカウントの電話番号が変更または削除されました。',
    recovery_requested:
      'お客様のアカウントのログイン方法を紛失した、または危険があるとの申請がありました。下記の日時以降は、その方法での確認を求めません。',
    recovery_granted: '今から3日間、一つの要素だけでアカウントに別の要素を追加できます。',
    recovery_cancelled: '紛失したとされたログイン方法での確認を、これまでどおり求めます。',
    undo_requested:
      '以前のメールのリンクを持つ方が、お客様のアカウントの変更の取り消しを申請し、ほかの方法では確認できないとしています。下記の日時以降は、そのリンクだけで取り消せるようになります。',
    reclaimed:
      'お客様のアカウントに別のアドレスまたは電話番号が追加され、確認されました。それ以降、このアドレスではログインできません。',
    erasure_requested:
      'アカウントは閉鎖され、どなたもログインできません。下記の日時に、すべての情報とともに完全に削除されます。',
    erasure_cancelled: 'アカウントの削除は取り消されました。これまでどおりログインできます。',
    erasure_waits:
      'あなたのアカウントにログインしようとした人がいます。アカウントは閉鎖されており、下記の日時に完全に削除されます。リンクから残すと、再びログインできます。',
  },
  changedByOperator: '{app} のサポートが、アカウントのメールアドレスまたは電話番号を変更しました。',
  opensFrom:
    '下記の時刻までは、アカウントの別のログイン方法と併用した場合にのみログインできます。それ以降は単独でログインできます。',
  time: '日時',
  device: '端末',
  client: 'アプリ',
  provider: '提供元',
  passkey: 'パスキー',
  takesEffect: '有効になる日時',
  erasedAt: '完全に削除される日時',
  footerText:
    'ご本人による操作であれば、対応は不要です。お心当たりがない場合は、通常の方法で {app} にご連絡ください。このメールにリンクはありません。',
  accountText: 'アカウントを確認する',
  accountFooterText:
    'ご本人による操作であれば、対応は不要です。お心当たりがない場合は、アカウントを確認し、通常の方法で {app} にご連絡ください。このメールのリンク先は {host} のみです。認証コードを他人に伝えるようお願いすることはありません。',
  undoText: '心当たりがありません',
  undoFooterText:
    'ご本人による操作であれば、対応は不要です。お心当たりがない場合は、7日以内にリンクを開いてください。アカウントが変更前の状態に戻り、すべての端末がログアウトされます。',
  stopRecovery:
    'ご本人による操作であれば、対応は不要です。お心当たりがない場合は、リンクを開いて中止してください。',
  keepText: 'アカウントを残す',
  keepFooterText:
    'このまま削除する場合は、何もする必要はありません。残す場合は、その日時までにリンクをご利用ください。',
  letInText: '再び使えるようにする',
  letInFooterText:
    'ご本人のアカウントであれば、7日以内にリンクを開き、両方のアドレスを確認してください。このアドレスが不要であれば、対応は不要です。',
};

export const noticeSmsTexts = {
  account_changed: '{app} のログイン方法が変更されました。心当たりがない場合は {app} にご連絡ください。',
  number_removed:
    'この番号は {app} のアカウントから外されました。心当たりがない場合は {app} にご連絡ください。',
  recovery:
    '{app} の二要素目を紛失したとの申請がありました。心当たりがなければ、二要素目でのログインで中止できます。',
  shut_out: 'この番号では {app} にログインできなくなりました。心当たりがない場合は {app} にご連絡ください。',
  account_erased: '{app} のアカウントは7日後に削除されます。残す場合：',
  factor_enrolled: '{app} に2つ目の認証方法が追加されました。心当たりがない場合の取り消し：',
  changed_by_operator:
    '{app} のサポートがメールアドレスまたは電話番号を変更しました。心当たりがない場合の取り消し：',
};

export const deadEndWords = {
  retryIn: '{wait}後にもう一度お試しください。',
  home: '{app} に移動',
  requestId: 'リクエストID',
  signOut: 'ここでログアウト',
  report: '問題が続く場合は、下記の内容をアプリの運営者にお送りください。',
};

export const deadEnds = {
  codeElsewhere: {
    heading: '操作を始めた画面でコードを入力してください',
    body: 'このログインは別のブラウザまたは端末で開始されました。そちらの画面に、メールのコードを入力してください。',
    hint: 'または、アプリやウェブサイトに戻り、このブラウザで最初からやり直してください。',
  },
  cookiesNeeded: {
    heading: 'Cookieが必要です',
    body: 'ブラウザでCookieがブロックされているため、ご本人の操作か確認できません。',
    hint: 'このサイトのCookieを許可してから、アプリまたはウェブサイトに戻り、もう一度ログインしてください。',
  },
  hintBroken: {
    heading: 'まだログインしたままです',
    body: 'アプリまたはウェブサイトからログアウトの要求がありましたが、ログインを示す情報に誤りがあります。',
    hint: '移動元に戻り、もう一度ログアウトしてください。',
  },
  linkUnknown: {
    heading: 'このリンクは使えません',
    body: 'リンクが途中で切れているか、古すぎる可能性があります。',
    hint: 'アプリまたはウェブサイトをもう一度開き、新しいリンクを取得してください。',
  },
  loginDone: {
    heading: 'ログインしました',
    body: 'このログインは完了しました。このページは閉じてかまいません。',
    hint: 'または、アプリやウェブサイトに戻ってください。',
  },
  loginExpired: {
    heading: 'ログインの有効期限が切れました',
    body: '時間がかかりすぎたか、すでに完了しています。',
    hint: 'アプリまたはウェブサイトに戻り、もう一度ログインしてください。',
  },
  notFound: {
    heading: 'ページが見つかりません',
    body: 'アドレスが途中で切れているか、ページが移動した可能性があります。',
    hint: 'アドレスを確認するか、元のアプリまたはウェブサイトに戻ってください。',
  },
  rateLimited: {
    heading: 'リクエストが多すぎます',
    body: 'お使いのネットワークから短時間に多くのアクセスがありました。',
    hint: '1分ほど待ってから、もう一度お試しください。',
  },
  redirectNotAllowed: {
    heading: 'ここから元の場所に戻れません',
    body: '移動先のアドレスがこのアプリに登録されていません。安全のため、ここで停止しました。',
    hint: 'アプリまたはウェブサイトに戻り、もう一度お試しください。',
  },
  requestWrong: {
    heading: 'このページは開けません',
    body: '移動元のアプリまたはウェブサイトからのリクエストに誤りがあります。',
    hint: '移動元に戻り、もう一度お試しください。',
  },
  serverError: {
    heading: '問題が発生しました',
    body: 'サービス側の問題です。',
    hint: 'しばらく待ってから、アプリまたはウェブサイトに戻り、もう一度ログインしてください。',
  },
  wrongBrowser: {
    heading: '別のブラウザで開始されたログインです',
    body: '別のブラウザまたは端末で開始されたため、そちらでのみ完了できます。このページを開いたリンクをコピーして、そちらで開いてください。',
    hint: 'または、アプリやウェブサイトに戻り、このブラウザで最初からやり直してください。',
  },
};
