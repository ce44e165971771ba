export const id = 182;
export const ids = [182];
export const modules = {

/***/ 8182:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

// ESM COMPAT FLAG
__webpack_require__.r(__webpack_exports__);

// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  finishAgent: () => (/* binding */ finishAgent)
});

// EXTERNAL MODULE: ./.build/lib/github/claim-record.js
var claim_record = __webpack_require__(4600);
;// CONCATENATED MODULE: ./.build/lib/commands/finish-claim.js

/**
 * Makes the record of a killed run true: what was not sent is released, what may have been sent is unknown, what runs
 * goes on without anybody waiting.
 */
async function finishClaim(saved, { claims, log }) {
    const claim = (await claims.list()).find(({ id }) => id === saved.id);
    if (!claim || claim.isUnverifiable)
        return;
    // The main step may have known the job before it could write it down; otherwise what is written is further than what is saved.
    const known = saved.record.jobId === undefined ? claim.record : { ...claim.record, ...saved.record };
    const truth = (0,claim_record/* isSettled */.Is)(saved.record) ? saved.record : truthOf(known);
    if (!truth || (0,claim_record/* isSettled */.Is)(claim.record))
        return;
    await claims.update(claim, truth);
    log.info(`The status of the interrupted request was corrected: ${truth.state}.`);
}
function truthOf(record) {
    switch (record.state) {
        case "claimed":
            return { ...record, state: "released", outcome: "interrupted" };
        case "submitting":
            return { ...record, state: "unknown" };
        case "working":
            return record.outcome === undefined ? { ...record, outcome: "interrupted" } : undefined;
        default:
            return undefined;
    }
}

// EXTERNAL MODULE: ./.build/lib/github/seal.js
var github_seal = __webpack_require__(5663);
// EXTERNAL MODULE: ./.build/lib/action/agent-github.js + 9 modules
var agent_github = __webpack_require__(1047);
// EXTERNAL MODULE: ./.build/lib/action/connect-github.js + 9 modules
var connect_github = __webpack_require__(1203);
// EXTERNAL MODULE: ./.build/lib/action/open-claims.js + 3 modules
var open_claims = __webpack_require__(968);
// EXTERNAL MODULE: ./.build/lib/action/read-inputs.js + 7 modules
var read_inputs = __webpack_require__(6957);
// EXTERNAL MODULE: ./.build/lib/action/saved-claim.js
var saved_claim = __webpack_require__(9687);
;// CONCATENATED MODULE: ./.build/lib/action/steps/finish-agent.js
/** The agent's post step: corrects the record of a main step that was killed. */







/** Writes down what is true of a request whose run was killed. */
async function finishAgent({ environment, log, signal, state }) {
    const saved = (0,saved_claim/* readSavedClaim */.A)(state);
    if (!saved)
        return;
    const githubToken = (0,read_inputs/* inputText */.AN)("github-token", environment)?.trim();
    const connection = await (0,connect_github/* connectGitHub */.UY)({ githubToken }, { environment, log, signal, random: Math.random });
    const { api, run } = connection;
    const seal = (0,github_seal/* createSeal */.A)((0,agent_github/* sealKey */.FD)((0,read_inputs/* inputText */.AN)("api-key", environment)?.trim(), run.repository.id));
    const claims = (0,open_claims/* openClaims */._)({ place: saved.place, trigger: saved.record.trigger }, { api, identity: await connection.readIdentity(), seal, now: Date.now });
    await finishClaim(saved, { claims, log });
}


/***/ })

};
