// Script of the console's pages: local times, search while typing, the keyboard shortcut for the search, copy buttons, colour
// pickers, and the preview of a form.

/**
 * Browser script of the console. It shows times and the midnights of charts in the reader's time zone, with "today" instead of
 * today's date; the tooltip shows the time in UTC. It scrolls tab bars to the current tab, because not all browsers can do this
 * with CSS alone (`scroll-initial-target`). On the screen of people, it searches while the operator types. It moves the focus
 * to the search when `/` is pressed outside of a text input. It shows durations in words, and converts the times of time inputs
 * between UTC and the reader's time zone. It adds a copy button to each secret, and a colour picker to each colour input. After
 * a change in a form with a preview, it posts the form for a new preview without saving it. The preview's theme is inserted as
 * a rule into an existing style sheet, because the page's Content Security Policy permits only the style sheets of the first
 * preview.
 */
export const CONSOLE_SCRIPT = `const localise=root=>{for(const each of root.querySelectorAll('time')){
const at=new Date(each.dateTime),hasTime=each.dateTime.includes('T'),timeZone=hasTime?undefined:'UTC';
const day=when=>when.toLocaleDateString('en-GB',{dateStyle:'medium',timeZone});
each.title=each.textContent;
each.textContent=(day(at)===day(new Date())?'today':day(at))+(hasTime?' at '+at.toLocaleTimeString('en-GB',{timeStyle:'short'}):'')}};
localise(document);
for(const here of document.querySelectorAll('nav [aria-current]'))
here.parentNode.scrollLeft=here.offsetLeft-(innerWidth-here.offsetWidth)/2;
for(const each of document.querySelectorAll('[data-midnight]')){
const midnight=new Date(each.dataset.midnight),shift=midnight.getTimezoneOffset(),isToday=new Date(+midnight+shift*6e4).toDateString()===new Date().toDateString();
each.setAttribute('transform','translate('+shift/60*each.dataset.step+' 0)');
each.querySelector('text').textContent=isToday?'':midnight.toLocaleDateString('en',{weekday:'short',timeZone:'UTC'})}
const field=document.querySelector('[role=search] input');
if(field&&document.querySelector('[data-found]')){
let asked=0,wait;
const find=async()=>{
const own=++asked,url=field.form.action+'?'+new URLSearchParams(new FormData(field.form));
const answer=await fetch(url,{redirect:'error'}).catch(()=>undefined);
if(!answer?.ok||own!==asked)return;
const next=new DOMParser().parseFromString(await answer.text(),'text/html').querySelector('[data-found]');
if(!next||own!==asked)return;
localise(next);
document.querySelector('[data-found]').replaceWith(next)};
field.addEventListener('input',()=>{clearTimeout(wait);wait=setTimeout(find,250)})}
addEventListener('keydown',event=>{
if(event.key!=='/'||event.ctrlKey||event.metaKey||event.altKey||event.target.closest('input,textarea,select'))return;
const search=document.querySelector('[role=search] input');
if(search){event.preventDefault();search.focus();search.select()}});
for(const secret of document.querySelectorAll('.secret')){
const copy=document.createElement('button');
copy.type='button';
copy.className='act';
copy.textContent='Copy';
copy.addEventListener('click',()=>navigator.clipboard.writeText(secret.textContent).then(()=>{copy.textContent='Copied'},()=>getSelection().selectAllChildren(secret)));
secret.after(' ',copy)}
for(const text of document.querySelectorAll('[data-colour]')){
const picker=document.createElement('input');
picker.type='color';
picker.setAttribute('aria-label',text.labels[0].textContent+' (picker)');
const read=()=>{if(/^#([0-9a-f]{3}|[0-9a-f]{6})$/i.test(text.value))picker.value=text.value.length>4?text.value:text.value.replace(/[0-9a-f]/gi,'$&$&')};
picker.value=text.dataset.colour;
read();
text.addEventListener('input',read);
picker.addEventListener('input',()=>{text.value=picker.value;text.dispatchEvent(new Event('input',{bubbles:true}))});
text.after(picker)}
const units={day:86400,hour:3600,minute:60,second:1};
for(const said of document.querySelectorAll('[data-seconds]')){
const input=document.getElementById(said.htmlFor);
input.addEventListener('input',()=>{
let left=Math.floor(input.value);
said.textContent=Object.entries(units).flatMap(([name,size])=>{
const count=Math.floor(left/size);left-=count*size;
return count>0?count+' '+name+(count>1?'s':''):[]}).join(' ')})}
for(const each of document.querySelectorAll('[type=datetime-local]')){
const text=at=>at.toISOString().slice(0,16);
if(each.value){const at=new Date(each.value+'Z');each.value=text(new Date(at-at.getTimezoneOffset()*6e4))}
each.form.addEventListener('formdata',({formData})=>{if(each.value)formData.set(each.name,text(new Date(each.value)))})}
for(const each of document.querySelectorAll('[data-zone]'))each.textContent='In your time zone.';
const form=document.querySelector('form[data-preview]'),frame=document.querySelector('iframe[data-preview]');
if(form&&frame){
let last=0,timer;
const preview=async()=>{
const own=++last,body=new URLSearchParams(new FormData(form));
body.set('preview','');
const answer=await fetch(form.action,{method:'POST',body,redirect:'error'}).catch(()=>undefined);
if(!answer?.ok||own!==last)return;
const next=new DOMParser().parseFromString(await answer.text(),'text/html');
for(const said of form.querySelectorAll('output')){
const text=next.getElementById(said.id)?.textContent??'';
if(said.textContent!==text)said.textContent=text}
const page=next.querySelector('iframe[data-preview]')?.srcdoc;
if(page===undefined)return;
const [,theme]=/<\\/style>\\s*<style>(.*?)<\\/style>/s.exec(page)??[];
frame.onload=()=>{const sheet=frame.contentDocument.styleSheets[0];if(theme)sheet.insertRule('@media all{'+theme+'}',sheet.cssRules.length)};
frame.srcdoc=page.replace('<style>'+theme+'</style>','')};
form.addEventListener('input',()=>{clearTimeout(timer);timer=setTimeout(preview,300)})}`;
