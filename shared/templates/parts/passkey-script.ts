/** Milliseconds after which the script requests new WebAuthn options, before the challenge of the old options expires. */
const RENEW_MS = 4 * 60 * 1000;

/** Milliseconds that the page stays hidden while the browser tries to create a passkey without asking the user. */
const SILENT_MS = 1000;

/**
 * Milliseconds after which the script declines a passkey offer by itself, so that an abandoned page does not leave the login
 * unfinished.
 */
const OFFER_MS = 10 * 60 * 1000;

/**
 * Script that runs the passkey ceremony of a page. If the page has a field for the identifier, passkeys appear in its autofill
 * list (conditional mediation). The button also starts the ceremony. The authenticator's response is submitted as a form field.
 * A page that offers a new passkey first asks the browser to create it without a prompt (conditional create), and becomes
 * visible if that does not succeed.
 */
export const PASSKEY_SCRIPT = `(()=>{
const way=document.getElementById('passkey');
if(!way)return;
const form=way.querySelector('form');
const button=form.querySelector('button');
const note=document.getElementById('passkey-note');
const texts=way.dataset;
const typed=document.getElementById('identifier');
if(!window.PublicKeyCredential||!navigator.credentials){
if(texts.unsupported){
way.hidden=false;
way.className='off';
note.textContent=texts.unsupported}
return}
way.hidden=false;
if(texts.offers)PublicKeyCredential.isUserVerifyingPlatformAuthenticatorAvailable().then(can=>{
if(can)document.cookie=texts.offers+'=can; Path=/; Secure; SameSite=Lax'}).catch(()=>{});
const page=document.querySelector('main');
const bytes=text=>Uint8Array.from(atob(text),one=>one.charCodeAt(0));
const text=buffer=>btoa(String.fromCharCode(...new Uint8Array(buffer)));
const ask=async(identifier,silent)=>{
const body=new URLSearchParams({csrf:form.elements.csrf.value});
if(identifier)body.set('identifier',identifier);
if(silent&&!typed)body.set('mediation','conditional');
const answer=await fetch(texts.options,{method:'POST',body});
if(!answer.ok)throw new Error('refused');
return answer.json()};
const decoded=options=>{
const listed=list=>list&&list.map(one=>({...one,id:bytes(one.id)}));
return{...options,challenge:bytes(options.challenge),
...(options.user&&{user:{...options.user,id:bytes(options.user.id)},excludeCredentials:listed(options.excludeCredentials)})}};
const encoded=(session,{id,rawId,type,response})=>{
const parts={};
for(const name of['clientDataJSON','attestationObject','authenticatorData','signature','userHandle'])
if(response[name])parts[name]=text(response[name]);
if(response.getTransports)parts.transports=response.getTransports();
return btoa(JSON.stringify({webauthnSessionId:session,publicKeyCredential:{id,rawId:text(rawId),type,response:parts}}))};
let waiting,timer,shown;
const run=async silent=>{
clearTimeout(timer);
if(waiting)waiting.abort();
const mine=waiting=new AbortController();
if(!silent){
note.textContent='';
button.ariaBusy='true'}
else if(typed)timer=setTimeout(run,${RENEW_MS},true);
try{
const asked=await ask(silent||!typed?'':typed.value.trim(),silent);
if(mine.signal.aborted)return;
const make=asked.credential_creation_options;
const options={publicKey:decoded(make||asked.credential_request_options),signal:mine.signal};
if(silent)options.mediation='conditional';
if(silent&&make)options.publicKey.authenticatorSelection.userVerification='preferred';
const credential=await(make?navigator.credentials.create(options):navigator.credentials.get(options));
if(!credential||mine.signal.aborted)return;
clearTimeout(timer);
clearTimeout(shown);
form.elements.credential.value=encoded(asked.webauthn_session_id,credential);
form.submit()}
catch(error){
if(!mine.signal.aborted)show();
if(silent||mine.signal.aborted)return;
button.ariaBusy=null;
note.textContent={NotAllowedError:texts.cancelled,InvalidStateError:texts.exists}[error.name]||texts.failed;
wait()}};
const show=()=>{page.hidden=false};
const makeSilently=async()=>{
if(texts.silent===undefined)return;
setTimeout(()=>document.querySelector('form[action$="/later"]').submit(),${OFFER_MS});
if(!PublicKeyCredential.getClientCapabilities)return;
page.hidden=true;
shown=setTimeout(show,${SILENT_MS});
const can=await PublicKeyCredential.getClientCapabilities().catch(()=>({}));
if(can.conditionalCreate)run(true);
else show()};
const wait=async()=>{
if(typed&&texts.refused===undefined&&PublicKeyCredential.isConditionalMediationAvailable&&await PublicKeyCredential.isConditionalMediationAvailable())run(true)};
form.addEventListener('submit',event=>{
event.preventDefault();
event.stopPropagation();
run(false)});
addEventListener('pagehide',()=>{
clearTimeout(timer);
if(waiting)waiting.abort()});
addEventListener('pageshow',event=>{
form.elements.credential.value='';
button.ariaBusy=null;
if(!event.persisted)return;
show();
wait()});
makeSilently();
wait()})()`;
