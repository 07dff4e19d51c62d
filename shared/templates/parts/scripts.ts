import { PASSKEY_SCRIPT } from './passkey-script.ts';

/** Milliseconds in which a second submit of a page is a double click. */
const DOUBLE_CLICK_MS = 3000;

/** Milliseconds in which the next page of a tab can report that its login goes on. */
const OTHER_TAB_MS = 500;

/**
 * Optional on pages with forms. Sends a form once on a double click, because the first request uses up its code, and its
 * button says that it is busy. A button that must wait counts down, and announces the end once.
 */
const SUBMIT_SCRIPT = `(()=>{
let sentAt=0,busy;
addEventListener('submit',event=>{
if(Date.now()-sentAt<${DOUBLE_CLICK_MS})event.preventDefault();
else{
sentAt=Date.now();
busy=event.submitter||event.target.querySelector('button');
busy.ariaBusy='true'}});
addEventListener('pageshow',()=>{
sentAt=0;
if(busy)busy.ariaBusy=null});
const note=document.getElementById('wait');
if(!note)return;
const button=document.getElementById('resend');
const until=Date.now()+note.dataset.seconds*1000;
button.disabled=true;
const tick=()=>{
const left=Math.ceil((until-Date.now())/1000);
if(left>0){
note.textContent=note.dataset.text.replace('{time}',Math.floor(left/60)+':'+String(left%60).padStart(2,'0'));
setTimeout(tick,250);
return}
button.disabled=false;
note.hidden=true;
document.getElementById('ready').textContent=note.dataset.ready};
tick()})()`;

/** Times in the reader's zone. */
const TIME_SCRIPT = `for(const one of document.querySelectorAll('time')){
const{shows}=one.dataset;
one.textContent=new Intl.DateTimeFormat(document.documentElement.lang,
{dateStyle:shows==='time'?undefined:'medium',timeStyle:shows==='date'?undefined:'short'}).format(new Date(one.dateTime))}`;

/**
 * What people type or paste between the digits of a code beside spaces: members of a class of a regular expression. The same as in
 * typed-passcode.ts, by which the server reads codes.
 */
export const CODE_MARKS = '\\p{Pd}\\p{Cf}\\u2212.·•';

/**
 * Takes the code out of a pasted message, as the server does, and submits at the last digit. Android gives the code of a text message
 * that names this host (WebOTP).
 */
const CODE_SCRIPT = `(()=>{
const field=document.querySelector('[data-digits]');
if(!field)return;
let before='';
field.addEventListener('input',()=>{
const text=field.value.normalize('NFKC');
const wanted=+field.dataset.digits;
const bare=one=>one.replace(/[\\s${CODE_MARKS}]/gu,'');
const last=numbers=>(text.match(numbers)||[]).map(bare).filter(one=>[...one].length===wanted).pop();
const inText=()=>last(/\\p{Nd}+/gu)||last(/\\p{Nd}(?:[${CODE_MARKS}]*\\p{Nd})*/gu)||last(/\\p{Nd}(?:[\\s${CODE_MARKS}]?\\p{Nd})*/gu)||'';
const digits=/\\P{Nd}/u.test(bare(text))?inText():bare(text);
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
 * Tells the other tabs when a form leaves a page of a login. Of the same login, a tab that waits says that the sign-in is complete,
 * unless the next page belongs to the login, too. A tab of another login that still asks who the user is loads its page again when
 * it is visible, because the service may offer the new session by now. It does not if something has been typed. Listens to
 * `formdata` because the passkey script submits without a `submit` event.
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
tabs.onmessage=({data:[other,isOver]})=>{
if(other!==id){
isOld=typed&&(isOld||isOver!==undefined);
setTimeout(look,${OTHER_TAB_MS});
return}
clearTimeout(timer);
if(done&&isOver)timer=setTimeout(()=>{
const heading=document.querySelector('h1');
heading.textContent=document.title=done.dataset.heading;
heading.tabIndex=-1;
done.hidden=false;
document.querySelector('main').replaceChildren(...document.querySelectorAll('.app'),heading,done);
heading.focus()},${OTHER_TAB_MS})}})()`;

const SIGNAL_SCRIPT = `for(const told of document.querySelectorAll('[data-signals]'))
for(const[call,what]of JSON.parse(told.dataset.signals))
if(window.PublicKeyCredential&&PublicKeyCredential[call])PublicKeyCredential[call](what).catch(()=>{})`;

/** For every page with a form: one policy fits all. */
export const FORM_SCRIPT = `${SUBMIT_SCRIPT};\n${TIME_SCRIPT};\n${CODE_SCRIPT};\n${TAB_SCRIPT};\n${SIGNAL_SCRIPT};\n${PASSKEY_SCRIPT}`;

/** Goes on from the page that leaves; Back does not return to it. */
export const LEAVE_SCRIPT = `location.replace(document.getElementById('leave').href)`;

/** Submits the form of a redirect by POST. */
export const POST_SCRIPT = `document.querySelector('button').click()`;
