/** Milliseconds after which the script requests new options, before their challenge expires. */
const RENEW_MS = 4 * 60 * 1000;

/**
 * The passkey ceremony of a page. With a first field it waits in the field's list (conditional mediation); the button starts
 * it too. The answer of the authenticator becomes a field of the form.
 */
export const PASSKEY_SCRIPT = `(()=>{
const way=document.getElementById('passkey');
if(!way)return;
const form=way.querySelector('form');
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
const bytes=text=>Uint8Array.from(atob(text),one=>one.charCodeAt(0));
const text=buffer=>btoa(String.fromCharCode(...new Uint8Array(buffer)));
const ask=async identifier=>{
const body=new URLSearchParams({csrf:form.elements.csrf.value});
if(identifier)body.set('identifier',identifier);
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
let waiting,timer;
const run=async silent=>{
clearTimeout(timer);
if(waiting)waiting.abort();
const mine=waiting=new AbortController();
if(silent)timer=setTimeout(run,${RENEW_MS},true);
else note.textContent='';
try{
const asked=await ask(silent||!typed?'':typed.value.trim());
if(mine.signal.aborted)return;
const make=asked.credential_creation_options;
const options={publicKey:decoded(make||asked.credential_request_options),signal:mine.signal};
if(silent)options.mediation='conditional';
const credential=await(make?navigator.credentials.create(options):navigator.credentials.get(options));
if(!credential||mine.signal.aborted)return;
clearTimeout(timer);
form.elements.credential.value=encoded(asked.webauthn_session_id,credential);
form.submit()}
catch(error){
if(silent||mine.signal.aborted)return;
note.textContent={NotAllowedError:texts.cancelled,InvalidStateError:texts.exists}[error.name]||texts.failed;
wait()}};
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
if(event.persisted)wait()});
wait()})()`;
