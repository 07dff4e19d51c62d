import type { LoginTexts } from './login-texts.ts';

export const ja: LoginTexts = {
  continueButton: '続行',
  back: '戻る',
  cancelLogin: (app) => `キャンセルして ${app} に戻る`,
  or: 'または',
  errorTitle: (title) => `エラー：${title}`,

  signInHeading: (app) => `${app} にログイン`,
  fieldLabel: {
    email: 'メールアドレス',
    phone: '電話番号',
    either: 'メールアドレスまたは電話番号',
  },
  phoneHint: '電話番号は「+」と国番号から入力してください（例：+81）。',
  sendCodeByEmail: 'メールでコードを受け取る',
  sendCodeBySms: 'SMSでコードを受け取る',
  sendLink: 'メールでリンクを受け取る',
  usePasskey: 'パスキーを使う',
  passkeyCancelled: 'パスキーは使われませんでした。もう一度試すか、別の方法を選んでください。',
  passkeyInvalid: 'このパスキーはここでは使えません。別のパスキーか、別の方法を選んでください。',
  passkeyUnsupported: 'このブラウザではパスキーを使えません。別の方法を選んでください。',
  passkeyNeedsScript:
    'パスキーには JavaScript が必要ですが、このブラウザでは無効になっています。別の方法を選んでください。',
  registerHeading: 'パスキーを作成',
  registerBody: (app) =>
    `次回からは、指紋、顔、または画面ロックで ${app} にログインできます。コードも暗記も不要です。`,
  registerButton: 'パスキーを作成',
  registerLater: '今はしない',
  registerBack: 'キャンセル',
  registerCancelled: 'パスキーは作成されませんでした。もう一度試すか、パスキーなしで続けてください。',
  registerExists: 'このデバイスには、すでにあなたのパスキーがあります。',
  passkeyNotSaved: 'パスキーを保存できませんでした。もう一度試すか、パスキーなしで続けてください。',
  approvalHeading: '承認する内容を確認してください',
  approvalTip: 'お心当たりがない場合は、このページを閉じてください。',
  continueWith: (provider) => `${provider} で続行`,

  checkEmailHeading: 'メールをご確認ください',
  checkPhoneHeading: 'SMSをご確認ください',
  codeOnItsWay: (toHtml) => `${toHtml} のアカウントがある場合は、まもなくコードが届きます。`,
  linkOnItsWay: (toHtml) => `${toHtml} のアカウントがある場合は、まもなくリンクが届きます。`,
  codeSent: (toHtml) => `${toHtml} にコードを送信しました。`,
  linkSent: (toHtml) => `${toHtml} にリンクを送信しました。`,
  codeLabel: '認証コード',
  codeFormat: 'コードは数字のみです。',
  codeTip: 'このコードを他の人に教えないでください。当社からお尋ねすることはありません。',
  linkTip:
    'このブラウザで開いてください。届くまでに1分ほどかかる場合があります。迷惑メールフォルダもご確認ください。',
  resendCode: 'コードを再送信',
  resendLink: 'リンクを再送信',
  resendWait: (time) => `あと${time}`,
  resendReady: '再送信できるようになりました。',
  changeIdentifier: '別のメールアドレスや電話番号を使う',
  changeMethod: '別の方法を試す',

  secondFactorHeading: '本人確認',
  secondFactorBody: 'アカウントを守るため、もう1つ手順があります。確認方法を選択してください。',
  secondFactorForPasskey: 'パスキーを追加するには、本人確認が必要です。確認方法を選択してください。',
  wakingBody:
    'アドレスが確認されたため、このログイン方法は一時停止中です。もう一度確認すると、再び使えるようになります。',
  codeByEmail: 'メールでコードを受け取る',
  codeBySms: 'SMSでコードを受け取る',
  linkByEmail: 'メールでリンクを受け取る',
  passkey: 'パスキー',

  phoneHeading: '電話番号の追加',
  phoneBody: (app) => `${app} では電話番号が必要です。確認のため、SMSでコードをお送りします。`,

  signOutHeading: (app) => `${app} からログアウトしますか？`,
  signOutBody: 'このブラウザでログアウトします。',
  signOutButton: 'ログアウト',
  signOutTip: 'ログアウトしない場合は、このページを閉じてください。',
  signOutHintBroken:
    'アプリまたはウェブサイトからログアウトの要求がありましたが、ログインを示す情報に誤りがあるため、確認しています。',
  signedOutHeading: 'ログアウトしました',
  signedOutBody: 'このページを閉じてください。',

  formPostHeading: 'しばらくお待ちください',
  formPostBody: '元のページに戻ります。自動で切り替わらない場合は、ボタンを押してください。',

  identifierInvalid: {
    email: '有効なメールアドレスを入力してください。',
    phone: '国番号を含む有効な電話番号を入力してください。',
    either: '有効なメールアドレス、または国番号を含む電話番号を入力してください。',
  },
  methodUnavailable: 'このログイン方法は利用できません。別の方法を選択してください。',
  sendFailed: 'メッセージを送信できませんでした。もう一度試すか、別の方法を選択してください。',
  codeWrong: 'コードが正しくありません。確認して、もう一度入力してください。',
  codeExpired: 'コードの有効期限が切れています。新しいコードを取得してください。',
  codesOff: '現在、コードは利用できません。別の方法を選択するか、サポートにお問い合わせください。',
  formExpired: 'ページを開いてから時間が経ちすぎました。もう一度お試しください。',
  providerFailed:
    'うまくいかなかったか、キャンセルされました。もう一度お試しいただくか、別の方法を選んでください。',
  accountExists: 'このメールアドレスのアカウントはすでにあります。別の方法でサインインしてください。',
  accountUnknown: 'このサインインに対応するアカウントがありません。別の方法を選んでください。',
  rateLimited: (wait) => `リクエストが多すぎます。${wait}後にもう一度お試しください。`,
  locked: (wait) => `誤ったコードが続けて入力されました。${wait}後にもう一度お試しください。`,
};
