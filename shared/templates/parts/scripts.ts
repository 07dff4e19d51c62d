import { PASSKEY_SCRIPT } from './passkey-script.ts';

/** Milliseconds within which a second submission of a page counts as a double click. */
const DOUBLE_CLICK_MS = 3000;

/**
 * Milliseconds after which a pressed button no longer looks busy. The page may still be there, because the response is a file
 * or the user has cancelled the request.
 */
const BUSY_MS = 10_000;

/** Milliseconds after which a waiting tab assumes that no page in another tab continues the login. */
const OTHER_TAB_MS = 500;

/**
 * Script that submits a form only once on a double click, because the first request consumes the form's code. It marks the
 * pressed button as busy until the page is shown again or the browser goes offline. If the button has a waiting time, the
 * script counts down and announces the end once. Pages also work without this script.
 */
const SUBMIT_SCRIPT = `(()=>{
let sentAt=0,busy,timer;
const reset=()=>{
sentAt=0;
clearTimeout(timer);
if(busy)busy.ariaBusy=null};
addEventListener('submit',event=>{
if(Date.now()-sentAt<${DOUBLE_CLICK_MS})return event.preventDefault();
reset();
sentAt=Date.now();
timer=setTimeout(reset,${BUSY_MS});
busy=event.submitter||event.target.querySelector('button');
busy.ariaBusy='true'});
addEventListener('pageshow',reset);
addEventListener('offline',reset);
const note=document.getElementById('wait');
if(!note)return;
const button=document.getElementById('resend');
const until=Date.now()+note.dataset.seconds*1000;
button.disabled=true;
const tick=()=>{
if(!note.isConnected)return;
const left=Math.ceil((until-Date.now())/1000);
if(left>0){
note.textContent=note.dataset.text.replace('{time}',Math.floor(left/60)+':'+String(left%60).padStart(2,'0'));
setTimeout(tick,250);
return}
button.disabled=false;
note.hidden=true;
document.getElementById('ready').textContent=note.dataset.ready};
tick()})()`;

/** Script that shows times in the reader's time zone. */
const TIME_SCRIPT = `for(const one of document.querySelectorAll('time')){
const{shows}=one.dataset;
one.textContent=new Intl.DateTimeFormat(document.documentElement.lang,
{dateStyle:shows==='time'?undefined:'medium',timeStyle:shows==='date'?undefined:'short'}).format(new Date(one.dateTime))}`;

/**
 * Characters other than spaces that users type or paste between the digits of a code, for a character class in a regular
 * expression. Must match typed-passcode.ts, which reads codes on the server.
 */
export const CODE_MARKS = '\\p{Pd}\\p{Cf}\\u2212.·•';

/**
 * Script that extracts the code from a pasted message, as the server does, and submits the form after the last digit. It
 * removes separators between digits, because each cell of the field has room for one digit. For other text, it hides the cells.
 * On Android, the code of a text message that names this host is filled in (WebOTP).
 */
const CODE_SCRIPT = `(()=>{
const field=document.querySelector('[data-digits]');
if(!field)return;
let before='';
field.addEventListener('input',event=>{
const text=field.value.normalize('NFKC');
const wanted=+field.dataset.digits;
const bare=one=>one.replace(/[\\s${CODE_MARKS}]/gu,'');
const typed=bare(text);
const isText=/\\P{Nd}/u.test(typed);
field.closest('.cells').classList.toggle('free',isText||[...typed].length>wanted);
if(!isText&&typed!==text&&!event.isComposing)field.value=typed;
const last=numbers=>(text.match(numbers)||[]).map(bare).filter(one=>[...one].length===wanted).pop();
const inText=()=>last(/\\p{Nd}+/gu)||last(/\\p{Nd}(?:[${CODE_MARKS}]*\\p{Nd})*/gu)||last(/\\p{Nd}(?:[\\s${CODE_MARKS}]?\\p{Nd})*/gu)||'';
const digits=isText?inText():typed;
const isNew=digits!==before;
before=digits;
if(isNew&&[...digits].length===wanted){
field.value=digits;
field.form.requestSubmit()}});
if(field.dataset.sms===undefined||!window.OTPCredential)return;
const waiting=new AbortController();
field.form.addEventListener('submit',()=>waiting.abort());
navigator.credentials.get({otp:{transport:['sms']},signal:waiting.signal}).then(({code})=>{
field.value=code;
field.dispatchEvent(new Event('input'))}).catch(()=>{})})()`;

/**
 * Script that informs other tabs when a form leaves a page of a login. A waiting tab of the same login then shows that the
 * sign-in is complete, unless the next page also belongs to that login. A tab of another login that still asks for the
 * identifier reloads once it becomes visible, because the service may then offer the new session. A tab with typed text does
 * not reload. The script listens to `formdata` because the passkey script submits without a `submit` event.
 */
const TAB_SCRIPT = `(()=>{
const id=location.pathname.split('/')[2];
if(!id||!window.BroadcastChannel)return;
const tabs=new BroadcastChannel('login');
tabs.postMessage([id]);
let ends,timer,isOld;
addEventListener('formdata',event=>{
ends=/\\/(link|passcode)(\\?|$)/.test(event.target.action)});
addEventListener('pagehide',()=>{
if(ends!==undefined)tabs.postMessage([id,ends])});
const done=document.getElementById('done');
const typed=document.getElementById('identifier');
const look=()=>{
if(isOld&&!document.hidden&&typed.value===typed.defaultValue)location.replace('/login/'+id)};
addEventListener('visibilitychange',look);
tabs.onmessage=({data:[other,hasEnded]})=>{
if(other!==id){
isOld=typed&&(isOld||hasEnded!==undefined);
setTimeout(look,${OTHER_TAB_MS});
return}
clearTimeout(timer);
if(done&&!done.hidden&&hasEnded===undefined)return location.reload();
if(done&&hasEnded)timer=setTimeout(()=>{
const heading=document.querySelector('h1');
heading.textContent=document.title=done.dataset.heading;
heading.tabIndex=-1;
done.hidden=false;
document.querySelector('main').replaceChildren(...document.querySelectorAll('.app'),heading,done);
heading.focus()},${OTHER_TAB_MS})}})()`;

/** Script that informs the device's authenticators of the state of passkeys, as the page describes it (WebAuthn L3 §5.1.10). */
const SIGNAL_SCRIPT = `for(const told of document.querySelectorAll('[data-signals]'))
for(const[call,what]of JSON.parse(told.dataset.signals))
if(window.PublicKeyCredential&&PublicKeyCredential[call])PublicKeyCredential[call](what).catch(()=>{})`;

/**
 * Script of every page with a form. All these pages have the same script, so that one content security policy fits them all.
 */
export const FORM_SCRIPT = `${SUBMIT_SCRIPT};\n${TIME_SCRIPT};\n${CODE_SCRIPT};\n${TAB_SCRIPT};\n${SIGNAL_SCRIPT};\n${PASSKEY_SCRIPT}`;

/** Script that navigates to the target of the page and replaces the page in the history, so that Back does not return to it. */
export const LEAVE_SCRIPT = `location.replace(document.getElementById('leave').href)`;

/** Script that submits the form of an authorization response (response mode `form_post`). */
export const POST_SCRIPT = `document.querySelector('button').click()`;
