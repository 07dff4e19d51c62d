import { PASSKEY_SCRIPT } from './passkey-script.ts';

/** How long a second submit of the same page counts as a double click, in milliseconds. */
const DOUBLE_CLICK_MS = 3000;

/**
 * A comfort on pages with forms; everything works without it. A double click sends a form once, since the second request
 * would find its code used up by the first. A button that must wait counts down and says once when it may be pressed.
 */
const SUBMIT_SCRIPT = `(()=>{
let sentAt=0;
addEventListener('submit',event=>{
if(Date.now()-sentAt<${DOUBLE_CLICK_MS})event.preventDefault();
else sentAt=Date.now()});
addEventListener('pageshow',()=>{sentAt=0});
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

/** Of every page with a form of ours, so that one policy holds for all of them. */
export const FORM_SCRIPT = `${SUBMIT_SCRIPT};\n${PASSKEY_SCRIPT}`;

/** Sends the form that stands for a redirect by POST. */
export const POST_SCRIPT = `document.querySelector('button').click()`;
