"use strict";exports.id=4946,exports.ids=[4946],exports.modules={4946:((e,t,n)=>{n.r(t),n.d(t,{renderReport:()=>renderReport,renderStatus:()=>renderStatus});var r=n(5621),i=n(307),a=n(731);function renderStatus({exports:e,agents:t,questions:n,mayDownload:i,time:o}){return(0,a.Lo)(`Status of the documentation platform`,(0,r.q)`<h1>Status of the documentation platform</h1>
<p>The newest entries at ${(0,a.sZ)(o)}.</p>`,(0,r.q)`<h2>Exports</h2>
${renderList(e.map(e=>renderExport(e,i)))}
<h2>Agent jobs</h2>
${t===void 0?(0,r.q)`<p>Agent jobs are not enabled: the platform was started without an agent command.</p>`:renderList(t.map(renderAgentJob))}
<h2>Questions that the documentation does not answer</h2>
${renderList(n.map(renderQuestion))}`)}function renderReport({jobId:e,domain:t},n){let{warningCount:i,warningsByKind:o,warnings:s}=n,c=s.slice(0,1e3),l=Object.entries(o).map(([e,t])=>`${e} ${t}`);return(0,a.Lo)(`Warnings of the export ${e}`,(0,r.q)`<h1>Warnings of an export of ${t}</h1>
<p><code>${e}</code>: ${i} (${l.join(`, `)})</p>`,(0,r.q)`<ul class="list">
${c.map(({kind:e,page:t,line:n,message:i})=>(0,r.q)`<li><code>${(0,a.Ci)(t)}${n===void 0?``:`:${n}`}</code> <small>${e}</small>
<p>${(0,a.Ci)(i)}</p></li>`)}
</ul>
${c.length<i?(0,r.q)`<p>The report in the bundle lists all of them.</p>`:``}
<p><a href="/status">Status of the platform</a></p>`)}function renderList(e){return e.length===0?(0,r.q)`<p>None.</p>`:(0,r.q)`<ul class="list">${e.map(e=>(0,r.q)`<li>${e}</li>`)}</ul>`}function renderDetails(...e){let t=e.filter(e=>e!==!1);return(0,r.q)`<p>${t.map((e,t)=>(0,r.q)`${t>0?` · `:``}${e}`)}</p>`}function renderExport(e,t){let{jobId:n,domain:o,version:s,paths:c,status:l,progress:u,pageCount:d,createdAt:f,error:p,bundle:m,report:h}=e,g=`/status/exports/${n}`,_=m&&(0,i.z3)(m.sizeBytes);return(0,r.q)`<h3><span class="state ${l}">${l}</span> ${o}${s&&` ${s}`}</h3>
${renderDetails(l===`running`&&(0,r.q)`<progress value="${u}" max="100" aria-label="Progress">${u} %</progress> ${u} %`,(0,i.B4)(d,`page`),c!==void 0&&`only ${(0,i.ml)(c.join(`, `),200)}`,h!==void 0&&(0,r.q)`<a href="${g}/report">${(0,i.B4)(h.warningCount,`warning`)}</a>`,m!==void 0&&(t?(0,r.q)`<a href="${g}/bundle">bundle, ${_}</a>`:`bundle, ${_}`),(0,r.q)`started ${(0,a.sZ)(f)}`,(0,r.q)`<code>${n}</code>`)}
${p===void 0?``:(0,r.q)`<p>${(0,a.Ci)(p)}</p>`}`}function renderAgentJob({job:e,presented:{prLink:t,compareLink:n}}){let{id:o,projectId:s,status:c,turns:l,createdAt:u,error:d}=e,[f=``]=(l[0]?.prompt??``).trim().split(`
`,1),p=l.flatMap(({output:e},t)=>{if(e===void 0)return[];let n=l.length===1?`log`:`log of prompt ${t+1}`;return[(0,r.q)`<a href="/status/agents/${o}/output/${t}">${n}</a>`]});return(0,r.q)`<h3><span class="state ${c}">${c}</span> ${(0,a.Ci)((0,i.ml)(f,200))}</h3>
${renderDetails(`project ${s}`,l.length>1&&`${l.length} prompts`,...p,t!==null&&(0,r.q)`<a href="${t}">pull request</a>`,t!==null&&(0,r.q)`<a href="${t}.diff">change</a>`,n!==void 0&&(0,r.q)`<a href="${n}">change</a>`,(0,r.q)`started ${(0,a.sZ)(u)}`,(0,r.q)`<code>${o}</code>`)}
${d===void 0?``:(0,r.q)`<p>${(0,a.Ci)(d)}</p>`}`}function renderQuestion({question:e,domain:t,count:n,updatedAt:i}){return(0,r.q)`<h3>${(0,a.Ci)(e)}</h3>
${renderDetails(n===1?`once`:`${n} times`,t,(0,r.q)`last ${(0,a.sZ)(i)}`)}`}})};